import argparse

import pytest

from trackside.cli.commands import whole
from trackside.cli.main import main


def test_whole_numbers_within_bounds_are_read() -> None:
    assert [whole(0)("0"), whole(1)("12"), whole(0, 17)("17")] == [0, 12, 17]


@pytest.mark.parametrize(
    ("text", "least", "most", "says"),
    [
        ("0", 1, None, "'0': give a whole number from 1 up"),
        ("-1", 0, None, "'-1': give a whole number from 0 up"),
        ("18", 0, 17, "'18': give a whole number from 0 to 17"),
        ("1.5", 0, None, "'1.5'"),
        ("٣", 0, None, "'٣'"),
        ("", 0, None, "''"),
    ],
)
def test_other_texts_are_refused_with_the_bounds(text: str, least: int, most: int | None, says: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=says):
        whole(least, most)(text)


@pytest.mark.parametrize(
    "words",
    [
        ["score", "run", "--decimals", "-1"],
        ["score", "run", "--decimals", "18"],
        ["score", "run", "--max-results", "0"],
        ["score", "run", "--level", "-1"],
        ["check", "run", "--topics", "t", "--max-per-topic", "0"],
        ["check", "run", "--topics", "t", "--max-bytes", "0"],
        ["pool", "run", "--seed", "-1"],
        ["fuse", "run", "--depth", "0"],
        ["fuse", "run", "--k", "-1"],
        ["compare", "run", "--qrels", "q", "--seed", "x"],
    ],
)
def test_commands_refuse_numbers_before_they_read_a_file(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(words)
    assert f"argument {words[-2]}: '{words[-1]}': give a whole number from " in capsys.readouterr().err
