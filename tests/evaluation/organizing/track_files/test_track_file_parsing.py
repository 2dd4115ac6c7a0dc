"""The parser of track files against hostile files."""

import time

import pytest

from evaluation.organizing.track_files.schema import MAX_FILE, MOST_FAULTS, parse_file
from tests.marks import quick_only

pytestmark = pytest.mark.django_db


HOSTILE = {
    "digits": "x = " + "9" * 5000,
    "dotted key": ".".join(["a"] * (MAX_FILE // 2 - 4)) + " = 1",
    "quoted dotted key": " . ".join(["'a'"] * (MAX_FILE // 8)) + " = 1",
    "dotted header": "[" + ".".join(["a"] * (MAX_FILE // 3)) + "]",
    "nested lists": "x = " + "[" * 5000 + "]" * 5000,
    "nested tables": "x = " + "{a=" * 5000 + "1" + "}" * 5000,
    "unknown keys": "[track]\n" + "\n".join(f"k{number}=1" for number in range(MAX_FILE // 10)),
    "empty teams": "[[teams]]\n" * (MAX_FILE // 10),
    "blanks in a list": "x = [\n[1" + " " * (MAX_FILE - 100) + "\n]]",
    "numbers in a list": "x = [\n[" + "1.5," * (MAX_FILE // 5) + "]\n]",
    "a word": "a" * (MAX_FILE - 1),
    "quotes": "x = " + "\"'" * (MAX_FILE // 3),
}


@pytest.mark.parametrize("name", quick_only(HOSTILE, quick=["digits", "dotted key", "nested lists"]))
def test_hostile_file_is_refused_in_seconds(name: str) -> None:
    text = HOSTILE[name]
    assert len(text) <= MAX_FILE
    began = time.process_time()
    faults = parse_file(text)
    assert time.process_time() - began < 5
    assert isinstance(faults, list)
    assert 0 < len(faults) <= MOST_FAULTS


def test_list_of_any_depth_is_refused() -> None:
    """Near the limit of depth, parsing and searching for NUL fail at different depths."""
    for depth in range(1, 1000, 3):
        assert parse_file("x = " + "[" * depth + "]" * depth)
