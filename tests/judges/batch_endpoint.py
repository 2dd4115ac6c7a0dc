"""OpenAI's Files and Batches for ``tests.judges.endpoint``: they work, and misbehave on demand."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.judges.endpoint import Act, Request, completion

Lines = list[dict[str, Any]]
End = tuple[str, Lines, Lines]  # state of a batch, lines of answers, lines of errors
NONE: Act = Act(status=404)


def answer_line(line: dict[str, Any]) -> dict[str, Any]:
    """The plain answer to a line of requests: the score of what it shows."""
    shown = Request(0, "POST", "", {}, json.dumps(line["body"]).encode())
    body = json.loads(completion(Act(), shown))
    return {
        "id": "r",
        "custom_id": line["custom_id"],
        "response": {"status_code": 200, "body": body},
        "error": None,
    }


def error_line(line: dict[str, Any], code: str) -> dict[str, Any]:
    """A line that was not run."""
    return {
        "id": "r",
        "custom_id": line["custom_id"],
        "response": None,
        "error": {"code": code, "message": code},
    }


@dataclass
class BatchScript:
    """The script of an endpoint that accepts files and batches.

    ``end`` is how batches end once ``is_open`` is False: the state, the lines of answers and those of errors.
    ``is_mute`` creates batches without a response: it cuts the connection. ``refuse`` answers everything that
    is posted to an address that ends so.
    """

    end: Callable[[Lines], End] = lambda lines: ("completed", [answer_line(line) for line in lines], [])
    is_open: bool = True
    is_mute: bool = False
    refuse: dict[str, Act] = field(default_factory=dict)
    problems: list[dict[str, Any]] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    batches: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __call__(self, request: Request) -> Act:
        """Answer a request."""
        path = request.target.partition("?")[0].removeprefix("/v1/")
        if act := self.refuse.get(path):
            return act
        match request.method, path.split("/"):
            case "POST", ["files"]:
                return self._answer({"id": self._keep(_file_of(request)), "object": "file"})
            case "GET", ["files", name, "content"]:
                return Act(body=self.files[name], content_type="application/octet-stream")
            case "POST", ["batches"]:
                return self._make(dict(request.body))
            case "GET", ["batches"]:
                listed = list(reversed(self.batches.values()))
                return self._answer({"object": "list", "data": listed, "has_more": False})
            case "GET", ["batches", name] if name in self.batches:
                return self._answer(self._looked_at(self.batches[name]))
            case "POST", ["batches", name, "cancel"] if name in self.batches:
                self.batches[name]["status"] = "cancelling"
                return self._answer(self.batches[name])
            case _:
                return NONE

    @property
    def requests(self) -> list[str]:
        """The ids of the requests in all batches that did not fail, as often as they were submitted."""
        made = [each for each in self.batches.values() if each["status"] != "failed"]
        return [line["custom_id"] for each in made for line in self._lines(each)]

    def _make(self, body: dict[str, Any]) -> Act:
        name = f"batch_{len(self.batches)}"
        counts = {"total": len(self._lines(body)), "completed": 0, "failed": 0}
        made = {
            "id": name,
            "object": "batch",
            "created_at": 0,
            "status": "validating",
            "request_counts": counts,
        }
        self.batches[name] = body | made
        return Act(is_reset=True) if self.is_mute else self._answer(self.batches[name])

    def _looked_at(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Return the current batch, with its files once it may end."""
        if self.is_open or batch["status"] in {"completed", "expired", "failed", "cancelled"}:
            return batch
        state, answers, errors = self.end(self._lines(batch))
        batch["status"] = state
        batch["request_counts"] |= {"completed": len(answers), "failed": len(errors)}
        batch["output_file_id"] = self._keep(_jsonl(answers)) if answers else None
        batch["error_file_id"] = self._keep(_jsonl(errors)) if errors else None
        batch["errors"] = {"object": "list", "data": self.problems} if state == "failed" else None
        return batch

    def _lines(self, batch: dict[str, Any]) -> Lines:
        return [json.loads(line) for line in self.files[batch["input_file_id"]].splitlines()]

    def _keep(self, content: bytes) -> str:
        name = f"file-{len(self.files)}"
        self.files[name] = content
        return name

    def _answer(self, found: object) -> Act:
        return Act(body=json.dumps(found).encode())


def _jsonl(lines: Lines) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def _file_of(request: Request) -> bytes:
    """The file in a form of parts."""
    boundary = request.headers["content-type"].partition("boundary=")[2].encode()
    parts = request.content.split(b"--" + boundary)
    part = next(each for each in parts if b'name="file"' in each)
    return part.partition(b"\r\n\r\n")[2].removesuffix(b"\r\n")
