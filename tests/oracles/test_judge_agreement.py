"""Kappa and alpha that a report prints of language models on TREC DL 2020, against other packages.

The confusion matrices are shared (real/judge-errors-dl2020.json), counted from the qrels published with
LLMJudge. Expected: scikit-learn 1.9.1 (`cohen_kappa_score`) and krippendorff 0.9.0.
"""

import json
from functools import cache

import numpy as np
import pytest

from tests.oracles.shared import real_runs
from trackside.arrays import Ints
from trackside.files import Qrels, Rankings
from trackside.findings.grades import agreement_numbers, grade_finding
from trackside.reporting.design import Design, GradedSet, ReportRun, SetFacts
from trackside.reporting.questions import confusions
from trackside.reporting.study import PEOPLE, Study, study_of
from trackside.statistics.agreement import alphas_at_cuts

SCALE = (0, 1, 2, 3)
# kappa, ordinal alpha; kappa and nominal alpha of "1 or more", "2 or more" and "3 or more"
EXPECTED = {
    "four-prompts-8b": (
        (0.125025729534, 0.121206981408),
        (0.237518314290, 0.098955942303),
        (0.167342363995, -0.015683331803),
        (0.213148296536, 0.204510289312),
    ),
    "two-stage-flan-t5-large": (
        (0.167996268276, 0.270291675974),
        (0.262902280061, 0.172983886452),
        (0.275346872516, 0.274452612100),
        (0.205960251372, 0.189297643625),
    ),
}


@pytest.mark.parametrize("judge", EXPECTED)
def test_report_has_the_kappa_and_alpha_of_other_packages(judge: str) -> None:
    by_topic = _judged()[judge]
    (kappa, ordinal), *cuts = EXPECTED[judge]
    by_name = agreement_numbers(by_topic, SCALE)
    assert (grade_finding(by_topic, SCALE).kappa, by_name["alpha, ordinal"].value) == pytest.approx(
        (kappa, ordinal), abs=1e-11
    )
    alphas = agreement_numbers(by_topic, SCALE, alphas_at_cuts(SCALE))
    found = [
        (by_name[f"kappa, {cut} or more"].value, alphas[f"alpha, {cut} or more"].value) for cut in SCALE[1:]
    ]
    assert np.array(found) == pytest.approx(np.array(cuts), abs=1e-11)


@cache
def _judged() -> dict[str, Ints]:
    """The confusion of each topic by each judge."""
    judges = json.loads((real_runs() / "judge-errors-dl2020.json").read_text())["judges"]
    found = {}
    for name, counts in judges.items():
        study = _study(name, counts["by_topic"])
        found[name] = confusions(study, PEOPLE, study.judges[0])
    return found


def _study(name: str, matrices: dict[str, list[list[int]]]) -> Study:
    """People and a judge whose items have the counts of the confusion matrix of each topic."""
    grades: list[dict[str, dict[str, int]]] = [{}, {}]
    for topic, matrix in matrices.items():
        counts = np.array(matrix)
        for own, of_cell in zip(grades, np.indices(counts.shape), strict=True):
            each = np.repeat(of_cell.ravel(), counts.ravel()).tolist()
            own[topic] = {f"d{place}": grade for place, grade in enumerate(each)}
    rankings = Rankings.from_dict({topic: {"d0": 1.0} for topic in matrices}, tag="run")
    sets = [_graded(title, own) for title, own in zip(("people", name), grades, strict=True)]
    return study_of(Design(SCALE, 1, ("P@10",)), [ReportRun("run", "team", ())], [rankings], sets)


def _graded(name: str, grades: dict[str, dict[str, int]]) -> GradedSet:
    qrels = Qrels.from_dict(grades, name=name)
    kind = "human" if name == "people" else "model"
    return GradedSet(SetFacts.of(qrels, kind), qrels)
