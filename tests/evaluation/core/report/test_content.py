import json
import re

from evaluation.core.estimate import Estimate, Interval, Reason
from evaluation.core.report.content import Column, Number, Table, slug
from evaluation.core.report.writers import csv_text, json_text, latex_text

TABLE = Table(
    "bias",
    "Bias.",
    (Column("measure"), Column("judge"), Column("points", "+.1f", has_interval=True), Column("p", "p")),
    (
        ("AP", "a_b", Number(-1.25, None, -2.5, 0.5), Number(0.0004)),
        ("P@10", "c", Number(None, Reason.CONSTANT), None),
    ),
)


def test_cells_read_as_people_write_numbers() -> None:
    assert TABLE.texts() == [
        ["AP", "a_b", "−1.2 (−2.5 to +0.5)", "<0.001"],
        ["P@10", "c", "undefined (all values are equal)", "–"],
    ]


def test_a_value_that_rounds_to_zero_has_no_sign() -> None:
    assert Column("x", ".2f").text(-0.0004) == "0.00"


def test_number_of_an_estimate_takes_the_ends_of_its_interval() -> None:
    assert Number.of(Estimate.of(0.5), Interval(0.25, 0.75, 0.95)) == Number(0.5, None, 0.25, 0.75)


def test_where_keeps_rows_of_the_choice_and_all_rows_without_that_column() -> None:
    assert [row[1] for row in TABLE.where(measure="AP").rows] == ["a_b"]
    assert TABLE.where(family="CLIP", measure=None) == TABLE


def test_csv_has_ten_digits_two_ends_and_reasons() -> None:
    assert csv_text(TABLE) == (
        "measure,judge,points,points low,points high,p\n"
        "AP,a_b,-1.25,-2.5,0.5,0.0004\n"
        "P@10,c,undefined (all values are equal),,,\n"
    )


def test_latex_escapes_and_names_what_numbers_rest_on() -> None:
    text = latex_text(TABLE, "seed 1")
    assert text.startswith("% Bias. seed 1\n")
    assert r"AP & a\_b & $-$1.2 ($-$2.5 to +0.5) & <0.001 \\" in text
    assert "{llrr}" in text


def test_json_names_what_numbers_rest_on() -> None:
    assert '"basis": "seed 1"' in json_text(TABLE, "seed 1")


def test_slug_is_fit_for_addresses() -> None:
    assert slug("Scatter", "AP(rel=2)", "CLIP-S — paper") == "scatter-ap-rel-2-clip-s-paper"


def test_shares_are_written_with_a_blank() -> None:
    assert Column("share", ".0%").text(0.5) == "50 %"


def test_json_has_the_digits_of_the_csv() -> None:
    table = Table("t", "T.", (Column("x", ".2f"), Column("y", ".2f", has_interval=True)),
                  ((1 / 3, Number(0.1 + 0.2, None, -1 / 3, 2 / 3)),))  # fmt: skip
    (row,) = json.loads(json_text(table, ""))["rows"]
    ends = {"low": -0.3333333333, "high": 0.6666666667}
    assert row == [0.3333333333, {"value": 0.3, "reason": None} | ends]


def test_slug_tells_names_in_other_scripts_apart() -> None:
    one, other = slug("confusion", "評価者"), slug("confusion", "審査員")
    assert one != other
    assert re.fullmatch("confusion-[0-9a-f]{6}", one)
