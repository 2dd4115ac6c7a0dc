"""Strata of pairs: their file, and which pairs have none."""

import random

import pytest

from trackside.errors import InputError
from trackside.files import Qrels
from trackside.files.pair_strata import Unmatched, graded_pairs, qrels_by_stratum, read_pair_strata

LINES = ["T1 a easy\n", "T1\tb\tnot so easy \n", "\n", "T2 a easy\n", "T1 a easy\n"]
STRATA = {"T1": {"a": "easy", "b": "not so easy"}, "T2": {"a": "easy"}}


def test_order_of_lines_is_irrelevant() -> None:
    for seed in range(5):
        lines = random.Random(seed).sample(LINES, len(LINES))
        assert read_pair_strata("".join(lines).encode()) == STRATA


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (b"T1 a easy\nT1 a hard\n", "line 2: T1 a is in easy, too"),
        (b"T1 a\n", "line 1: write a topic, a docno and a stratum"),
        (b"T1 a \xff\n", "line 1: bytes that are not UTF-8"),
    ],
)
def test_a_line_that_is_no_stratum_is_named(text: bytes, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        read_pair_strata(text)


def test_a_stratum_has_the_same_pairs_beside_any_others() -> None:
    qrels = Qrels.from_dict({"T1": {"a": 1, "b": 0, "c": 2}, "T2": {"a": -1}})
    parts = {name: part.to_dict() for name, part in qrels_by_stratum(qrels, STRATA).items()}
    assert parts == {"easy": {"T1": {"a": 1}, "T2": {"a": -1}}, "not so easy": {"T1": {"b": 0}}}
    fewer = {
        topic: {docno: "easy" for docno, name in own.items() if name == "easy"}
        for topic, own in STRATA.items()
    }
    assert qrels_by_stratum(qrels, fewer)["easy"] == qrels_by_stratum(qrels, STRATA)["easy"]


def test_pairs_without_a_grade_or_a_stratum_are_counted_and_three_are_named() -> None:
    graded = graded_pairs(Qrels.from_dict({"T1": {"a": 1, "b": 0, "c": 2, "d": -1, "\x1bx": 0}}))
    assert Unmatched.of(graded, STRATA).lines("level") == [
        "level: 1 pair without a grade left out: T2 a.",
        "level: 2 of 4 graded pairs without a stratum left out: T1 \\x1bx, T1 c.",
    ]
    assert Unmatched.of([("T1", "a")], {"T1": {"a": "easy"}}).lines("level") == []
    many = Unmatched.of([("T", str(n)) for n in range(9)], {}).lines("level")
    assert many == ["level: 9 of 9 graded pairs without a stratum left out: T 0, T 1, T 2 and more."]
