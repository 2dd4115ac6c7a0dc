"""`trackside call`: call an operation of a site's API by its name. Other commands call one operation each."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trackside.cli.remote.client import RemoteSite, SiteRefused
from trackside.cli.remote.login import signed_in_site
from trackside.cli.remote.tasks import wait_for
from trackside.errors import InputError

PENDING = ("waiting", "running")
USED_KEY = "urn:trackside:key-used"


@dataclass(frozen=True)
class SiteOperation:
    """An operation as the site's OpenAPI file describes it: ``fields`` are those of its form or its query."""

    method: str
    path: str
    words: str
    fields: dict[str, dict[str, Any]]
    answers_json: bool

    @classmethod
    def of(cls, method: str, path: str, described: dict[str, Any]) -> SiteOperation:
        """Read an entry of the file."""
        bodies = described.get("requestBody", {"content": {}})["content"].values()
        fields = {part["name"]: part for part in described["parameters"] if part["in"] == "query"}
        for body in bodies:
            fields |= body["schema"]["properties"]
        good = (answer for status, answer in described["responses"].items() if status < "3")
        is_json = any("application/json" in answer.get("content", {}) for answer in good)
        return cls(method, path.removeprefix("/api/v1"), described["description"], fields, is_json)

    @property
    def parameters(self) -> list[str]:
        """The names in the path, in capitals, from left to right."""
        return [name.upper() for name in re.findall(r"{(\w+)}", self.path)]

    def described(self) -> Iterator[str]:
        """Yield what it does and reads, in lines."""
        yield f"{self.words}\n\nName {'/'.join(self.parameters)}, then NAME=VALUE for fields:\n"
        for name, field in self.fields.items():
            about = "the path of a file" if field.get("format") == "binary" else field.get("description", "")
            choices = ", ".join(filter(None, field.get("enum", ())))
            yield f"  {name}  {about}{f' ({choices})' if choices else ''}\n"

    def filled(self, words: Sequence[str]) -> str:
        """Return the path with the words that are no fields. Raises InputError."""
        named = [part for word in words if "=" not in word for part in word.split("/")]
        if len(named) != len(self.parameters):
            wanted = "/".join(self.parameters) or "nothing"
            raise InputError(f"name {wanted}, then NAME=VALUE; you named {'/'.join(named) or 'nothing'}.")
        return re.sub(r"{\w+}", lambda _: named.pop(0), self.path)


class CallCommand:
    """The command that calls the operation of this name, or the one that its first argument names."""

    def __init__(self, operation: str, example: str) -> None:
        self.operation = operation
        self.EXAMPLE = f"trackside {example}"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the arguments."""
        if not self.operation:
            words = "its name; without one all are listed"
            parser.add_argument("operation", nargs="?", metavar="OPERATION", help=words)
        words = (
            "TRACK/TASK and what else its address names, then NAME=VALUE; without any its fields are listed"
        )
        parser.add_argument("words", nargs="*", metavar="WORD", help=words)

    def run(self, arguments: argparse.Namespace) -> int:
        """Print the answer, or the end of what a worker does. Return 0, or 1 if the worker refused it."""
        site = signed_in_site()
        operations = _operations(site)
        name = self.operation or arguments.operation
        if not name:
            width = max(map(len, operations))
            for operation_id, operation in operations.items():
                sys.stdout.write(f"{operation_id:<{width}}  {operation.words.splitlines()[0]}\n")
            return 0
        if name not in operations:
            raise InputError(f"the site has no operation '{name}'. trackside call lists them.")
        if not arguments.words and operations[name].parameters:
            sys.stdout.writelines(operations[name].described())
            return 0
        return _call(site, operations[name], arguments.words)


def _operations(site: RemoteSite) -> dict[str, SiteOperation]:
    operations = {
        described["operationId"]: SiteOperation.of(method, path, described)
        for path, methods in site.read("/openapi.json")["paths"].items()
        for method, described in methods.items()
    }
    return {name: operations[name] for name in sorted(operations) if operations[name].answers_json}


def _call(site: RemoteSite, operation: SiteOperation, words: Sequence[str]) -> int:
    path = operation.filled(words)
    fields = [(name, value) for name, mark, value in (word.partition("=") for word in words) if mark]
    if operation.method == "get":
        asked = dict(fields)
        return _show(
            list(site.read_list(path, **asked)) if "cursor" in operation.fields else site.read(path, **asked)
        )
    files = {name for name, field in operation.fields.items() if field.get("format") == "binary"}
    file = next(((name, Path(value)) for name, value in fields if name in files), ("", None))
    answer = _sent(site, path, [field for field in fields if field[0] not in files], file)
    if isinstance(answer, dict) and answer.keys() >= {"about", "state", "findings"}:
        return _ended(site, path, answer)
    return _show(answer)


def _sent(
    site: RemoteSite, path: str, fields: Sequence[tuple[str, str]], file: tuple[str, Path | None]
) -> Any:
    try:
        return site.send(path, fields, file[1], file_field=file[0])
    except SiteRefused as refusal:
        if refusal.kind != USED_KEY:
            raise
        return {"message": "Done; the site's first answer was lost."}  # no other request has this key


def _ended(site: RemoteSite, path: str, started: dict[str, Any]) -> int:
    """Wait until a worker has ended an operation, and print what it did or why not."""
    address = f"{'/'.join(path.split('/')[:5])}/operations/{started['id']}"
    ended = wait_for(lambda: site.read(address), lambda operation: operation["state"] in PENDING)
    if ended["state"] in PENDING:
        raise InputError(
            f"“{ended['title']}” is {ended['state']}, and nothing has changed for minutes. Look later: "
            f"trackside call operation_list {'/'.join(path.split('/')[2:5:2])}."
        )
    sys.stdout.write(f"{ended['title']}, {ended['state']}: {ended['message']}\n")
    if ended["findings"]:
        _show(ended["findings"])
    return 0 if ended["state"] == "done" else 1


def _show(answer: Any) -> int:
    words = answer["message"] if isinstance(answer, dict) and answer.keys() == {"message"} else None
    sys.stdout.write(f"{words or json.dumps(answer, ensure_ascii=False, indent=1)}\n")
    return 0


CALL = CallCommand("", "call job_pause atomic-2026/suggestion/12")
INVITE = CallCommand("invitation_send", "invite atomic-2026 role=assessor emails=ada@example.org")
FREEZE = CallCommand("pool_build", 'freeze-pool atomic-2026/suggestion name="pool 1" seed=7')
ASSIGN = CallCommand("topics_assign", 'assign-pool atomic-2026/suggestion pool="pool 1"')
START = CallCommand("job_start", 'start-job atomic-2026/suggestion judge=clip pool="pool 1"')
PUBLISH = CallCommand("judgments_publish", "publish-people atomic-2026/suggestion")
PUBLISH_JOB = CallCommand("job_publish", "publish-job atomic-2026/suggestion/12 mapping=3")
