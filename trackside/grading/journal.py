"""The journal of a folder: each request before it is sent, and each answer as it arrives."""

import json
import os
import sys
from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Self

from trackside.errors import InputError
from trackside.judging.asking import EndpointError

NAME = "journal.jsonl"


class Journal:
    """An append-only file of JSON lines; whoever opens it owns its folder until it is closed.

    ``answers`` has the last line of each request that has ended, by request key, ``tries`` the failed tries
    of the others. ``spent`` is the sum of all costs in micros; a request without an answer, as after a crash,
    costs its bound. ``request_count`` is the number of requests sent.
    """

    def __init__(self, folder: Path, *, is_retrying: bool = False, is_read_only: bool = False) -> None:
        """Read the lines. Raises InputError for a folder in use, or a line that is not the journal's.

        ``is_read_only`` neither creates nor changes a file, and reads beside a command that writes.
        """
        self._path = folder / NAME
        self.answers: dict[str, dict[str, Any]] = {}
        self.tries: Counter[str] = Counter()
        self._ended_micros = 0
        self.request_count = 0
        self._open: dict[str, int] = {}
        try:
            self._file = self._opened(is_read_only=is_read_only)
        except OSError as error:
            raise InputError(f"--out {folder}: {error.strerror}. Name another folder.") from error
        try:
            if not is_read_only:
                self._lock()
            self._read(is_read_only=is_read_only)
        except InputError:
            self._file.close()
            raise
        if is_retrying:
            failed = [key for key, line in self.answers.items() if line["outcome"] in set(EndpointError)]
            self.answers = {key: line for key, line in self.answers.items() if key not in failed}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    @property
    def spent(self) -> int:
        """The cost of all requests in micros; those without an answer at their bounds."""
        return self._ended_micros + sum(self._open.values())

    def send(self, key: str, bound: int) -> None:
        """Note a request before it is sent, with its highest cost in micros."""
        self._append({"sent": key, "bound": bound})

    def retry(self, key: str, cost: int, fault: str) -> None:
        """Note that a request failed and its pair is asked again."""
        self._append({"retry": key, "cost": cost, "fault": fault})

    def end(self, key: str, outcome: str, *, cost: int = 0, **facts: object) -> None:
        """Note the answer of a request, or its last fault."""
        known = {name: value for name, value in facts.items() if value not in (None, "")}
        self._append({"key": key, "outcome": outcome, "cost": cost, **known})

    def _append(self, line: dict[str, Any]) -> None:
        self._count(line)
        self._file.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
        self._file.flush()  # the system has it: a killed process loses nothing

    def save(self) -> None:
        """Write what was noted to the disk."""
        os.fsync(self._file.fileno())

    def _opened(self, *, is_read_only: bool) -> BinaryIO:
        if is_read_only:
            return self._path.open("rb") if self._path.exists() else BytesIO()
        self._path.parent.mkdir(parents=True, exist_ok=True)
        return self._path.open("a+b")

    def _lock(self) -> None:
        if sys.platform == "win32":
            return
        import fcntl  # Windows has none

        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise InputError(
                f"{self._path}: another trackside judge writes here. Wait for its end, or name another --out."
            ) from error

    def _read(self, *, is_read_only: bool) -> None:
        self._file.seek(0)
        content = self._file.read()
        *lines, last = content.split(b"\n")
        for number, line in enumerate((*lines, last) if last else lines, start=1):
            try:
                self._count(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                is_torn = number > len(lines) and isinstance(error, ValueError) and line.startswith(b"{")
                if is_torn:  # by a crash
                    if not is_read_only:
                        self._file.truncate(len(content) - len(last))
                    return
                raise InputError(
                    f"{self._path}, line {number:,}: not a line of a journal ({type(error).__name__}). "
                    "Delete the line: its pair is asked again."
                ) from error
        if last and not is_read_only:  # an editor removed the end of the last line
            self._file.write(b"\n")

    def _count(self, line: dict[str, Any]) -> None:
        if sent := line.get("sent"):
            key, bound = str(sent), int(line["bound"])
            self._ended_micros += self._open.get(key, 0)  # sent before a crash: its answer may be billed, too
            self._open[key] = bound
            self.request_count += 1
            return
        key = str(line.get("retry") or line["key"])
        self._ended_micros += int(line["cost"])
        self._open.pop(key, None)
        if "retry" in line:
            self.tries[key] += line["fault"] != EndpointError.NOT_ASKED
        else:
            outcome = str(line["outcome"])
            self.answers[key] = line | {"outcome": outcome}
            self.tries.pop(key, None)
