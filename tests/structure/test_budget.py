"""A raise of docs/budget.toml is refused unless its commit says who asked."""

import runpy
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

NUMBERS = "[lines]\njudges = {lines} # with room\n\n[concepts]\ntables = {tables}\n"


@pytest.fixture(scope="module")
def tool() -> dict[str, Any]:
    return runpy.run_path(str(Path(settings.ROOT, "tools", "budget.py")))


@pytest.fixture
def commit(tmp_path: Path) -> Any:
    """Commit the numbers of lines and tables with a message, in a repository of its own."""
    (tmp_path / "docs").mkdir()
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")

    def git(*arguments: str) -> None:
        subprocess.run(("git", *identity, *arguments), cwd=tmp_path, check=True, capture_output=True)

    def commit_numbers(lines: int, tables: int, message: str) -> None:
        (tmp_path / "docs" / "budget.toml").write_text(NUMBERS.format(lines=lines, tables=tables))
        git("add", "docs")
        git("commit", "-m", message)

    git("init")
    commit_numbers(900, 20, "Hold the numbers")
    return commit_numbers


def test_numbers_fall_without_a_reason(tool: dict[str, Any], commit: Any, tmp_path: Path) -> None:
    commit(800, 19, "Cut a table")
    assert list(tool["raises"](tmp_path)) == []


def test_raise_needs_who_asked(tool: dict[str, Any], commit: Any, tmp_path: Path) -> None:
    commit(901, 20, "Judge pictures\n\nThey are many.\n\nAsked-by: issue 7")
    assert list(tool["raises"](tmp_path)) == []
    commit(902, 21, "Judge sounds\n\nAsked-by:")
    commit(880, 20, "Cut sounds")
    (fault,) = tool["raises"](tmp_path)
    assert fault.endswith(" raises judges, tables and has no line Asked-by: NAME.")


def test_folder_outside_git_has_no_raises(tool: dict[str, Any], tmp_path: Path) -> None:
    assert list(tool["raises"](tmp_path)) == []


@pytest.mark.parametrize(
    ("count", "number", "words"),
    [
        (900, 900, None),
        (901, 900, "judges: 901, and its number is 900. Remove something"),
        (1, None, "judges: 1, and its number is 0. Remove something"),
        (300, 900, None),
        (299, 900, "judges: 299, far below its number 900. Run tools/budget.py --lower."),
    ],
)
def test_count_is_held_to_its_number(
    tool: dict[str, Any], count: int, number: int | None, words: str | None
) -> None:
    budget = {} if number is None else {"judges": number}
    found = list(tool["faults"]({"judges": count}, budget, room=300, most_room=600))
    assert [fault.startswith(str(words)) for fault in found] == ([] if words is None else [True])


def test_lowering_writes_smaller_numbers_only(tool: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "budget.toml"
    path.write_text("# Numbers fall.\n" + NUMBERS.format(lines=900, tables=20))
    tool["lower"](path, {"judges": 700, "tables": 21})
    assert path.read_text() == "# Numbers fall.\n" + NUMBERS.format(lines=700, tables=20)
