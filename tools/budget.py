"""Print the lines of product, tests, templates and docs; fail if a room exceeds docs/budget.toml.

A room is a folder of a package (migrations aside) or of the tests, the templates, or the docs. `--rooms`
prints each one. To raise a budget, write the reason after its number, as a comment, in the same commit.
"""

import sys
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
PRODUCT = ("trackside", "evaluation", "assessment", "judges")
COUNTED = {
    **{folder: {".py"} for folder in PRODUCT},
    "tests": {".py", ".js"},
    "templates": {".html", ".txt"},
    "docs": {".md"},
}


def lines_by_room() -> Counter[str]:
    """Count the lines of each room."""
    lines: Counter[str] = Counter()
    for folder, suffixes in COUNTED.items():
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in suffixes and "migrations" not in path.parts:
                inside = path.relative_to(ROOT / folder).parts[:-1] if ".py" in suffixes else ()
                lines["/".join((folder, *inside[:1]))] += path.read_bytes().count(b"\n")
    return lines


def total(lines: Counter[str], *folders: str) -> int:
    """Sum the rooms of some top folders."""
    return sum(count for room, count in lines.items() if room.split("/")[0] in folders)


def main() -> None:
    """Compare the rooms with their budgets."""
    lines = lines_by_room()
    budget = tomllib.loads((ROOT / "docs" / "budget.toml").read_text())["rooms"]
    parts = {"product": PRODUCT, "tests": ("tests",), "templates": ("templates",), "docs": ("docs",)}
    print("Lines:", ", ".join(f"{name} {total(lines, *folders):,}" for name, folders in parts.items()))
    if "--rooms" in sys.argv:
        print(*(f"{count:7,} of {budget.get(room, 0):7,}  {room}" for room, count in lines.items()), sep="\n")
    above = {room: count for room, count in sorted(lines.items()) if count > budget.get(room, 0)}
    for room, count in above.items():
        print(f"{room}: {count:,} lines, and its budget is {budget.get(room, 0):,}")
    if above:
        sys.exit("Remove lines, or raise the budget in docs/budget.toml, with a reason beside the number.")


if __name__ == "__main__":
    main()
