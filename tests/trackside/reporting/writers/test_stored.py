"""Findings from plain JSON, of this form and of the first."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from tests.trackside.reporting.study import small_study, wide_study
from trackside.errors import InputError
from trackside.reporting.build import build_report
from trackside.reporting.findings import Findings
from trackside.reporting.study import Study
from trackside.reporting.tables import Column, Figure, Section, Selector, Table
from trackside.reporting.writers.stored import from_json, old_sections, to_json
from trackside.statistics.estimate import Interval, IntervalMethod, Number, Reason

WIDE = Interval(0.5, 1.5, 0.95, None, IntervalMethod.JACKKNIFE)
SECTION = Section(
    "order",
    "Order",
    ("One.",),
    (
        Table(
            "order",
            "Order.",
            (Column("measure", selector=Selector.MEASURE), Column("tau", ".2f", has_interval=True)),
            (
                ("AP", Number(1.0, None, WIDE)),
                ("AP", Number(None, Reason.CONSTANT)),
                ("P", Number(1.0, None, Interval.undefined(Reason.TOO_FEW_TOPICS, 0.95))),
                (3, None),
            ),
            ("A note.",),
        ),
    ),
    (Figure("order", "Order", "Caption.", "<svg/>", "order", measure="AP"),),
)


@cache
def findings(make_study: Callable[[], Study]) -> Findings:
    return replace(build_report(make_study(), code_version="x"), sections=(SECTION,))


@pytest.mark.parametrize("make_study", [small_study, wide_study])
def test_findings_are_read_as_they_were_written(make_study: Callable[[], Study]) -> None:
    report = findings(make_study)
    text = json.dumps(to_json(report), allow_nan=False)
    assert from_json(json.loads(text)) == report


def test_findings_of_the_first_form_are_shown_and_not_read() -> None:
    columns = [
        {"name": "judge"},
        {"name": "tau", "form": ".2f", "has_interval": True},
        {"name": "p", "form": "p", "role": "declared"},
        {"name": "verdict"},
    ]
    interval = {"low": 0.25, "high": 0.75, "level": 0.95, "method": "gone", "estimand": "gone"}
    verdict = {"verdict": "no_sign", "words": "no sign"}
    rows = [
        ["a", {"value": 0.5, "interval": interval}, 0.5, verdict],
        ["b", {"value": None, "reason": "gone_since"}, None, verdict],
        ["c", {"value": 0.5, "interval": {"level": 0.95, "reason": "gone_since"}}, 0.5, verdict],
    ]
    table = {"name": "order", "caption": "Order.", "columns": columns, "rows": rows, "notes": []}
    section = {"name": "order", "title": "Order", "says": ["One."], "tables": [table], "figures": [{}]}
    stored = {"form": 1, "facts": {}, "sections": [section]}

    (shown,) = old_sections(stored)

    assert (shown.title, shown.says) == ("Order", ("One.",))
    assert shown.tables[0].texts() == [
        ["a", "0.50 (0.25 to 0.75)", "0.500", "no sign"],
        ["b", "undefined (gone since)", "–", "no sign"],
        ["c", "0.50", "0.500", "no sign"],
    ]
    with pytest.raises(InputError, match="form 1, not 3"):
        from_json(stored)


def test_findings_of_the_second_form_show_their_tables_as_they_are() -> None:
    """Tables of form 2 have the cells of today; only its verdicts cannot be read."""
    report = build_report(small_study(), code_version="x")
    stored = {**to_json(report), "form": 2}
    assert old_sections(stored) == report.sections
    with pytest.raises(InputError, match="form 2, not 3"):
        from_json(stored)
