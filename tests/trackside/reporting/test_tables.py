import json
import re

import pytest

from trackside.reporting.tables import EVERY, Column, Selector, Table, slug, table_of
from trackside.reporting.writers.tables import csv_text, json_text, latex_text
from trackside.statistics.estimate import Estimate, Interval, IntervalMethod, Number, Reason

WIDE = Interval(-2.5, 0.5, 0.95, None, IntervalMethod.JACKKNIFE)
NONE = Interval.undefined(Reason.TOO_FEW_TOPICS, 0.95)
TABLE = Table(
    "bias",
    "Bias.",
    (
        Column("measure", selector=Selector.MEASURE),
        Column("judge"),
        Column("points", "+.1f", has_interval=True),
        Column("p", "p"),
    ),
    (
        ("AP", "a_b", Number(-1.25, None, WIDE), Number(0.0004)),
        ("P@10", "c", Number(None, Reason.CONSTANT), None),
        ("R@5", "d", Number(0.5, None, NONE), Number(0.25)),
    ),
)


def test_cells_read_as_people_write_numbers() -> None:
    assert TABLE.texts() == [
        ["AP", "a_b", "−1.2 (−2.5 to +0.5)", "<0.001"],
        ["P@10", "c", "undefined (all values are equal)", "–"],
        ["R@5", "d", "+0.5", "0.250"],
    ]


def test_missing_intervals_are_explained_once_a_table() -> None:
    assert TABLE.interval_notes() == ["No interval of points: fewer than ten topics."]


def test_a_value_that_rounds_to_zero_has_no_sign() -> None:
    assert Column("x", ".2f").text(-0.0004) == "0.00"


def test_number_of_an_estimate_takes_the_ends_of_its_interval() -> None:
    found = Number.of(Estimate.of(0.5), Interval(0.25, 0.75, 0.95))
    assert (found.value, found.low, found.high, found.missing) == (0.5, 0.25, 0.75, None)


def test_an_undefined_number_has_no_interval() -> None:
    assert Number.of(Estimate.undefined(Reason.TIES), NONE) == Number(None, Reason.TIES)


def test_where_keeps_rows_of_the_choice_and_all_rows_without_that_column() -> None:
    assert [row[1] for row in TABLE.where(measure="AP").rows] == ["a_b"]
    assert TABLE.where(family="CLIP", measure=None) == TABLE


def test_rows_of_every_measure_are_in_every_selection_and_those_of_a_family_named_all_are_not() -> None:
    columns = Column("measure", selector=Selector.MEASURE), Column("family", selector=Selector.FAMILY)
    table = table_of("t", "T.", columns, [(EVERY, "all"), ("AP", "other")])
    assert table.where(measure="AP").rows == table.rows
    assert table.where(family="other").rows == (("AP", "other"),)


def test_csv_has_ten_digits_two_ends_methods_and_reasons() -> None:
    assert csv_text(TABLE) == (
        "measure,judge,points,points low,points high,points interval,p\n"
        "AP,a_b,-1.25,-2.5,0.5,jackknife-t,0.0004\n"
        "P@10,c,undefined (all values are equal),,,,\n"
        "R@5,d,0.5,,,none (fewer than ten topics),0.25\n"
    )


def test_latex_escapes_and_names_the_source_of_numbers() -> None:
    text = latex_text(TABLE, "seed 1")
    assert text.startswith("% Bias. No interval of points: fewer than ten topics. seed 1\n")
    assert r"AP & a\_b & $-$1.2 ($-$2.5 to +0.5) & <0.001 \\" in text
    assert "{llrr}" in text


def test_json_names_the_source_of_numbers() -> None:
    assert '"basis": "seed 1"' in json_text(TABLE, "seed 1")


def test_slug_is_fit_for_addresses() -> None:
    assert slug("confusion", "clip-four-fields") == "confusion-clip-four-fields"
    assert slug("ranks", measure="AP(rel=2)") == "ranks-ap-rel-2"
    assert re.fullmatch(
        "scatter-ap-rel-2-clip-s-paper-[0-9a-f]{6}", slug("scatter", "CLIP-S — paper", measure="AP(rel=2)")
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (slug("confusion", "a_b"), slug("confusion", "a-b")),
        (slug("confusion", "CLIP"), slug("confusion", "clip")),
        (slug("scatter", "x", measure="AP(rel=2)"), slug("scatter", "rel-2-x", measure="AP")),
        (slug("confusion", "a b"), slug("confusion", "a+b")),
    ],
)
def test_slug_never_gives_two_names_one_address(one: str, other: str) -> None:
    assert one != other


def test_shares_are_written_with_a_blank() -> None:
    assert Column("share", ".0%").text(0.5) == "50 %"


def test_json_has_the_digits_of_the_csv() -> None:
    table = Table("t", "T.", (Column("x", ".2f"), Column("y", ".2f", has_interval=True)),
                  ((1 / 3, Number(0.1 + 0.2, None, Interval(-1 / 3, 2 / 3, 0.95))),))  # fmt: skip
    (row,) = json.loads(json_text(table, ""))["rows"]
    ends = {"low": -0.3333333333, "high": 0.6666666667, "level": 0.95}
    assert row == [0.3333333333, {"value": 0.3, "interval": ends}]


def test_slug_distinguishes_names_in_other_scripts() -> None:
    one, other = slug("confusion", "評価者"), slug("confusion", "審査員")
    assert one != other
    assert re.fullmatch("confusion-[0-9a-f]{6}", one)


def test_csv_holds_no_formula_and_leaves_numbers_alone() -> None:
    columns = (Column("=team"), Column("rank", "d"), Column("Delta", ".1f"), Column("tag"))
    row = ("=cmd|' /C calc'!A0", -1, Number(-2.5), "-kestrel")

    text = csv_text(Table("bias", "Bias.", columns, (row,)))

    assert text == "'=team,rank,Delta,tag\n'=cmd|' /C calc'!A0,-1,-2.5,'-kestrel\n"


def test_name_of_a_file_is_short_and_differs_from_others() -> None:
    names = {slug("excess", "a" * 300, measure="AP"), slug("excess", "a" * 301, measure="AP")}
    assert len(names) == 2
    assert max(map(len, names)) <= 100
