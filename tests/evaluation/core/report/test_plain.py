from __future__ import annotations

import pytest

from evaluation.core.report.plain import Choices, ScaleNeeded, plain_study
from evaluation.core.trec_files import Qrels, Rankings

RUNS = [
    Rankings.from_dict({"1": {"a": 2.0, "b": 1.0}}, tag="one"),
    Rankings.from_dict({"1": {"b": 2.0}}, tag="two"),
]
PEOPLE = Qrels.from_dict({"1": {"a": 1, "b": 0, "c": 0}}, name="people")
MODEL = Qrels.from_dict({"1": {"a": 3, "b": -1, "c": 0}}, name="model")


def test_clipping_moves_grades_to_the_scale_and_leaves_pairs_without_a_grade() -> None:
    choices = Choices(scale=(0, 1), is_clipped=True)
    study = plain_study(RUNS, [("human", PEOPLE), ("model", MODEL)], choices)
    assert study.sets[1].qrels.to_dict() == {"1": {"a": 1, "b": -1, "c": 0}}
    assert study.sets[1].facts["graded_count"] == 2


def test_clipping_asks_for_the_scale() -> None:
    with pytest.raises(ScaleNeeded):
        plain_study(RUNS, [("human", PEOPLE), ("model", MODEL)], Choices(is_clipped=True))
