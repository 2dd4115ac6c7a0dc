"""`trackside call`: call an operation of a site's API by its name. Other commands call one operation each."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trackside.cli.remote.sites import signed_in_site
from trackside.cli.remote.waiting import wait_for
from trackside.errors import InputError

if TYPE_CHECKING:
    from trackside.cli.remote.client import RemoteSite

ROOT, JSON = "/api/v1", "application/json"
PENDING, DONE = ("waiting", "running"), "done"
USED_KEY = "urn:trackside:key-used"


@dataclass(frozen=True)
class SiteOperation:
    """An operation as the site's OpenAPI file describes it; ``path`` is below /api/v1."""

    method: str
    path: str
    described: dict[str, Any]

    @property
    def places(self) -> list[str]:
        """The names in the path, from left to right."""
        return re.findall(r"{(\w+)}", self.path)

    @property
    def fields(self) -> dict[str, dict[str, Any]]:
        """The schemas of the fields of its form or, for a GET, of its query."""
        if self.method == "get":
            return {
                each["name"]: each["schema"] for each in self.described["parameters"] if each["in"] == "query"
            }
        content = self.described.get("requestBody", {}).get("content", {})
        return {
            name: field for body in content.values() for name, field in body["schema"]["properties"].items()
        }

    @property
    def answers_json(self) -> bool:
        """Whether it returns JSON; files are for `trackside download`."""
        answers = self.described["responses"]
        return any(JSON in answer.get("content", {}) for status, answer in answers.items() if status < "3")

    @property
    def is_list(self) -> bool:
        """Whether it returns a page of a list."""
        return {"limit", "cursor"} <= self.fields.keys()


class CallCommand:
    """The command that calls the operation of this name, or the one that its first argument names."""

    def __init__(self, operation: str, example: str) -> None:
        self.operation = operation
        self.EXAMPLE = example

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the arguments."""
        if not self.operation:
            parser.add_argument(
                "operation", nargs="?", metavar="OPERATION", help="its name; without one all are listed"
            )
        parser.add_argument(
            "words",
            nargs="*",
            metavar="WORD",
            help="TRACK/TASK and what else the address names, then fields as NAME=VALUE, a file by its path; "
            "without any the fields are listed",
        )

    def run(self, arguments: argparse.Namespace) -> int:
        """Print the answer; wait for the end of what a worker does. Return 0, or 1 if that was refused."""
        site = signed_in_site()
        operations = _operations(site)
        name = self.operation or arguments.operation
        if not name:
            sys.stdout.writelines(_aligned((name, _purpose(each)) for name, each in operations.items()))
            return 0
        if name not in operations:
            raise InputError(f"the site has no operation '{name}'. trackside call lists them.")
        operation = operations[name]
        if not arguments.words and operation.places:
            sys.stdout.writelines(_described(name, operation))
            return 0
        return _call(site, operation, arguments.words)


def _operations(site: RemoteSite) -> dict[str, SiteOperation]:
    found = {
        described["operationId"]: SiteOperation(method, path.removeprefix(ROOT), described)
        for path, methods in site.read("/openapi.json")["paths"].items()
        for method, described in methods.items()
    }
    return {name: each for name, each in sorted(found.items()) if each.answers_json}


def _purpose(operation: SiteOperation) -> str:
    return str(operation.described["description"]).split("\n")[0]


def _described(name: str, operation: SiteOperation) -> Iterator[str]:
    yield f"{operation.described['description']}\n\n"
    words = [place.upper() for place in operation.places]
    yield f"trackside call {name} {'/'.join(words[:2])} {' '.join(words[2:])}".rstrip() + "\n"
    required = operation.described.get("requestBody", {}).get("content", {})
    needed = {name for body in required.values() for name in body["schema"].get("required", ())}
    yield from _aligned(
        (f"  {name}=", f"{'(required) ' if name in needed else ''}{_about(field)}")
        for name, field in operation.fields.items()
    )


def _about(field: dict[str, Any]) -> str:
    choices = field.get("enum") or field.get("items", {}).get("enum", ())
    words = "the path of a file. " if field.get("format") == "binary" else ""
    words += f"one of {', '.join(filter(None, map(str, choices)))}. " if choices else ""
    return words + str(field.get("description", ""))


def _aligned(rows: Iterator[tuple[str, str]]) -> Iterator[str]:
    listed = list(rows)
    width = max((len(name) for name, _ in listed), default=0)
    return (f"{name:<{width}}  {words}".rstrip() + "\n" for name, words in listed)


def _call(site: RemoteSite, operation: SiteOperation, words: Sequence[str]) -> int:
    from trackside.cli.remote.client import SiteRefused

    named = [part for word in words if "=" not in word for part in word.split("/")]
    if len(named) != len(operation.places):
        wanted = "/".join(place.upper() for place in operation.places) or "nothing"
        raise InputError(
            f"name {wanted}, and fields as NAME=VALUE; you named {'/'.join(named) or 'nothing'}."
        )
    path = operation.path.format(**dict(zip(operation.places, named, strict=True)))
    fields = [(name, value) for name, _, value in (word.partition("=") for word in words if "=" in word)]
    if operation.method == "get":
        found = site.read_list(path, **dict(fields)) if operation.is_list else site.read(path, **dict(fields))
        return _show(list(found) if operation.is_list else found)
    files = [name for name, field in operation.fields.items() if field.get("format") == "binary"]
    sent = [(name, value) for name, value in fields if name not in files]
    file = next(((name, Path(value)) for name, value in fields if name in files), None)
    try:
        answer = site.send(path, sent, file and file[1], file_field=file[0] if file else "")
    except SiteRefused as refusal:
        if refusal.kind != USED_KEY:
            raise
        sys.stdout.write("Done; the site's first answer was lost.\n")  # the command sends each key of its own
        return 0
    is_operation = isinstance(answer, dict) and answer.keys() >= {"kind", "about", "state", "message"}
    return _ended(site, path, answer) if is_operation else _show(answer)


def _ended(site: RemoteSite, path: str, started: dict[str, Any]) -> int:
    """Wait until a worker has ended an operation, and print what it did or why not."""
    task = "/".join(path.split("/")[:5])
    ended = wait_for(
        lambda: site.read(f"{task}/operations/{started['id']}"), lambda answer: answer["state"] in PENDING
    )
    if ended["state"] in PENDING:
        raise InputError(
            f"“{ended['title']}” is {ended['state']}, and nothing has changed for minutes. Ask later: "
            f"trackside call operation_detail {'/'.join(task.split('/')[2::2])} {ended['id']}."
        )
    sys.stdout.write(f"{ended['title']}, {ended['state']}: {ended['message']}\n")
    if ended["findings"]:
        _show(ended["findings"])
    return 0 if ended["state"] == DONE else 1


def _show(answer: Any) -> int:
    words = answer.get("message") if isinstance(answer, dict) and len(answer) == 1 else None
    sys.stdout.write(f"{words or json.dumps(answer, ensure_ascii=False, indent=1)}\n")
    return 0


CALL = CallCommand("", "trackside call job_pause atomic-2026/suggestion 12")
FREEZE = CallCommand("pool_build", 'trackside freeze-pool atomic-2026/suggestion name="pool 1" seed=7')
ASSIGN = CallCommand("topics_assign", 'trackside assign-pool atomic-2026/suggestion pool="pool 1"')
START = CallCommand("job_start", 'trackside start-job atomic-2026/suggestion judge=clip pool="pool 1"')
PUBLISH = CallCommand("judgments_publish", "trackside publish-people atomic-2026/suggestion")
PUBLISH_JOB = CallCommand("job_publish", "trackside publish-job atomic-2026/suggestion 12 mapping=3")
