"""Print the lines of each app and the counts of its concepts, and fail if one exceeds docs/budget.toml.

Each app has 300 lines of room. A number far above its app must fall; `--lower` writes the lower ones. A
commit that raises a number needs a line `Asked-by: NAME` in its message: this reads the history of
docs/budget.toml in git. `--rooms` prints the lines of each folder. Migrations are not counted.
"""

import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
BUDGET = "docs/budget.toml"
PRODUCT = ("trackside", "evaluation", "assessment", "judges")
SUFFIXES = {
    **{folder: {".py"} for folder in PRODUCT},
    "tests": {".py", ".js"},
    "templates": {".html", ".txt"},
    "docs": {".md"},
}
ROOM = 300
MOST_ROOM = 600  # a number that is further above its app falls to ROOM
COMMIT = "\x1e"  # no message has it
NUMBER = re.compile(r"^([+-])(\w+) = (\d+)", re.MULTILINE)
ASKED = re.compile(r"^Asked-by: \S", re.MULTILINE)


def lines_by_folder(root: Path) -> Counter[str]:
    """Count the lines of each folder that lies in an app, in the tests, templates or documents."""
    lines: Counter[str] = Counter()
    for app, suffixes in SUFFIXES.items():
        for path in (root / app).rglob("*"):
            if path.suffix in suffixes and "migrations" not in path.parts:
                folder = path.relative_to(root).parts[:-1][:2]
                lines["/".join(folder)] += path.read_bytes().count(b"\n")
    return lines


def concepts() -> dict[str, int]:
    """Count what a person has to know: tables, addresses of pages, operations, commands and settings."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluation.config.settings")
    os.environ["DATABASE_POOL_SIZE"] = "0"
    sys.path.insert(0, str(ROOT))
    import django  # the lines are printed even if Django cannot start

    django.setup()
    from django.apps import apps
    from django.core.management import get_commands
    from django.urls import get_resolver
    from pghistory.models import Event

    from evaluation.config.api import api
    from trackside.cli.commands import COMMANDS

    models = [
        model
        for app in PRODUCT[1:]
        for model in apps.get_app_config(app).get_models(include_auto_created=True)
        if model._meta.managed and not issubclass(model, Event)
    ]
    paths = api.get_openapi_schema()["paths"].values()
    return {
        "tables": len({model._meta.db_table for model in models}),
        "addresses": sum(1 for view in _views(get_resolver()) if view.split(".")[0] in PRODUCT),
        "operations": sum(len(methods) for methods in paths),
        "commands": len(COMMANDS) + sum(1 for app in get_commands().values() if app.split(".")[0] in PRODUCT),
        "settings": len(
            re.findall(r"^#? ?[A-Z][A-Z_0-9]*=", (ROOT / ".env.example").read_text(), re.MULTILINE)
        ),
    }


def _views(resolver: Any) -> Iterator[str]:
    """Yield the module of each page's view; the admin and the API have counts of their own."""
    for pattern in resolver.url_patterns:
        if not hasattr(pattern, "url_patterns"):
            yield pattern.callback.__module__
        elif pattern.namespace not in {"admin", "api"}:
            yield from _views(pattern)


def faults(
    counts: Mapping[str, int], budget: Mapping[str, int], *, room: int, most_room: int
) -> Iterator[str]:
    """Name each count above its number or without one, and each number too far above its count."""
    for name in sorted(counts.keys() | budget.keys()):
        count, number = counts.get(name, 0), budget.get(name)
        if number is None or count > number:
            asked = f"raise it to {count + room:,} in a commit with the line Asked-by: NAME"
            yield f"{name}: {count:,}, and its number is {number or 0:,}. Remove something, or {asked}."
        elif number > count + most_room:
            yield f"{name}: {count:,}, far below its number {number:,}. Run tools/budget.py --lower."


def raises(root: Path) -> Iterator[str]:
    """Name each commit that raises a number and does not say who asked; none outside a git repository."""
    command = ("git", "-c", "safe.directory=*", "log", "-p", f"--format={COMMIT}%h%n%B", "--", BUDGET)
    log = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False).stdout  # noqa: S603 - a fixed command
    for part in log.split(COMMIT)[1:]:
        message, _, diff = part.partition("\ndiff --git ")
        numbers: dict[str, dict[str, int]] = {"+": {}, "-": {}}
        for sign, name, number in NUMBER.findall(diff):
            numbers[sign][name] = int(number)
        raised = [name for name, number in numbers["-"].items() if numbers["+"].get(name, 0) > number]
        if raised and not ASKED.search(message):
            yield f"Commit {message.split()[0]} raises {', '.join(raised)} and has no line Asked-by: NAME."


def lower(path: Path, highest: Mapping[str, int]) -> None:
    """Write the highest number that each name may have, where the present one exceeds it."""
    lines = [line.partition(" = ") for line in path.read_text().splitlines()]
    path.write_text(
        "".join(f"{name}{sign}{_lowered(highest.get(name), text)}\n" for name, sign, text in lines)
    )


def _lowered(highest: int | None, text: str) -> str:
    number, space, comment = text.partition(" ")
    is_lowered = highest is not None and int(number) > highest
    return f"{highest if is_lowered else number}{space}{comment}"


def main() -> None:
    """Compare apps and concepts with their numbers, and check who asked for each raise."""
    folders = lines_by_folder(ROOT)
    lines = Counter[str]()
    for folder, count in folders.items():
        lines[folder.split("/")[0]] += count
    print("Lines:", ", ".join(f"{name} {count:,}" for name, count in lines.items()), end="; ")
    print(f"product {sum(lines[app] for app in PRODUCT):,}")
    if "--rooms" in sys.argv:
        print(*(f"{count:7,}  {folder}" for folder, count in folders.items()), sep="\n")
    counts = concepts()
    print("Concepts:", ", ".join(f"{name} {count:,}" for name, count in counts.items()))
    if "--lower" in sys.argv:
        lower(ROOT / BUDGET, {name: count + ROOM for name, count in lines.items()} | counts)
    budget = tomllib.loads((ROOT / BUDGET).read_text())
    found = [
        *faults(lines, budget["lines"], room=ROOM, most_room=MOST_ROOM),
        *faults(counts, budget["concepts"], room=0, most_room=0),
        *raises(ROOT),
    ]
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
