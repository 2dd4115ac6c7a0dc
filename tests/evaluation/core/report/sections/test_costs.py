"""Costs by hand from the provenance of a job."""

from __future__ import annotations

import pytest

from evaluation.core.report.tables import Findings, Number
from evaluation.core.report.sections.costs import costs_section
from evaluation.core.report.sections.ranking.order import order_section
from tests.evaluation.core.report.judged_study import judged_study
from tests.evaluation.core.report.study import small_study


def test_costs_are_over_the_pairs_that_were_asked() -> None:
    # 1.92 EUR, 48,000 tokens and 576 s for 96 asked pairs. For 1,000 pairs: 20 EUR, 500,000 tokens, 100 min.
    section = costs_section(judged_study(), Findings({}))
    record = section.tables[0].record(judge="llava")
    assert record
    assert record["cost"] == pytest.approx(1.92)
    assert record["hours"] == pytest.approx(0.16)
    assert record["hours of answering"] == pytest.approx(0.5)
    assert record["cost, 1,000 pairs"] == pytest.approx(20)
    assert record["tokens, 1,000 pairs"] == pytest.approx(500_000)
    assert record["minutes, 1,000 pairs"] == pytest.approx(100)
    assert record["currency"] == "EUR"


def test_a_judge_without_costs_has_no_row_and_unknown_is_a_dash() -> None:
    study = judged_study()
    facts = study.sets[1].provenance["work"]
    table = costs_section(study, Findings({})).tables[0]
    assert table.record(judge="clip") is None
    from evaluation.core.report.sections.costs import COSTS, _cost_cells

    cells = dict(
        zip(
            [column.name for column in COSTS[1:]],
            _cost_cells(dict(facts) | {"cost_micros": None, "output_tokens": None, "asked_count": None}),
            strict=True,
        )
    )
    assert cells["cost"] is None
    assert cells["cost, 1,000 pairs"] is None
    assert cells["tokens, 1,000 pairs"] is None
    # 9.6 minutes over all 192 pairs.
    assert cells["minutes, 1,000 pairs"] == pytest.approx(50)


def test_cost_of_a_point_of_tau_takes_tau_from_the_order() -> None:
    study = judged_study()
    before = Findings({}, (order_section(study),))
    record = costs_section(study, before).tables[1].record(measure="AP", judge="llava")
    order = before.table("order")
    known = order and order.record(measure="AP", judge="llava")
    assert record
    assert known
    tau = known["tau"]
    assert isinstance(tau, Number)
    assert tau.value is not None
    assert record["cost, 1,000 pairs and point of tau"] == pytest.approx(20 * 0.01 / tau.value)


def test_what_was_read_of_each_field() -> None:
    section = costs_section(judged_study(), Findings({}))
    table = section.tables[2].where(judge="llava")
    title, body = table.texts()
    assert title == ["llava", "12", "9", "title", "12", "60", "100 %", "0"]
    assert body == ["llava", "12", "9", "body", "10", "800", "25 %", "4"]
    assert "llava: The judge read no token of the field body in 4 of 10 texts." in section.says


def test_without_any_provenance_the_section_reports_it() -> None:
    section = costs_section(small_study(), Findings({}))
    assert section.says == (
        "The qrels do not record the costs of the judges.",
        "The qrels do not record how much of their texts the judges read.",
    )
