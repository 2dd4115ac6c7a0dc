"""What a judge may be used for, where something is missing: grades, runs, values."""

from dataclasses import replace

import numpy as np
import pytest

from tests.simulations.evidence import PARTS, mixed_study
from tests.simulations.made import made_track
from tests.simulations.studies import drawn_grades
from trackside.findings.use_results import USES, HardlyGraded, UseCode
from trackside.findings.uses.pairs import ComparedPairs
from trackside.reporting.hardly_graded import hardly_graded
from trackside.reporting.questions import family_findings
from trackside.reporting.study import Study
from trackside.reporting.uses import uses_of
from trackside.statistics.estimate import Reason


def study(seed: int, *, gap: float = 0.0, error: float = 0.1) -> Study:
    rng = np.random.default_rng([seed, 8])
    made = made_track(rng, topics=20)
    wrong = drawn_grades(rng, np.tile((0.6, 0.2, 0.2), (made.truth.size, 1)))
    judge = np.where(rng.random(made.truth.size) < error, wrong, made.truth)
    judge[rng.random(judge.size) < gap] = -1
    return made.track.study(made.truth, [judge], second=made.truth, replicates=100)


def codes(of: Study, hardly: HardlyGraded | None = None) -> dict[str, UseCode]:
    return {name: use.code for name, use in uses_of(of, 1, hardly or hardly_graded(of)).named()}


def test_where_all_grades_of_people_are_equal_nothing_is_measured() -> None:
    """Such as of a track whose people stored the relevant results alone: kappa and rates are not 0."""
    rng = np.random.default_rng(8)
    made = made_track(rng, topics=20)
    judge, second = (rng.integers(0, 3, made.truth.size) for _ in range(2))
    of = made.track.study(np.ones_like(made.truth), [judge], second=second, replicates=100)
    uses = uses_of(of, 1, hardly_graded(of))
    assert (uses.assay.kappa, uses.assay.reason) == (None, Reason.CONSTANT_GRADES)
    assert (uses.tune.rate, uses.tune.reason) == (None, Reason.CONSTANT_GRADES)
    assert [family.excess for family in uses.families.families] == [None]
    [finding] = family_findings(of, 1, 2)
    assert (finding.p, finding.reason) == (None, Reason.CONSTANT_GRADES)
    assert {use.code for _, use in uses.named()} == {UseCode.OPEN}


def test_of_several_first_runs_the_number_is_known() -> None:
    """A judge without differences puts all of the 16 runs first."""
    made = made_track(np.random.default_rng(9), topics=20)
    of = made.track.study(made.truth, [np.ones_like(made.truth)], replicates=100)
    assert uses_of(of, 1, hardly_graded(of)).best.first_count == 16


@pytest.mark.parametrize("seed", range(3))
def test_missing_grades_can_only_open_a_code(seed: int) -> None:
    whole, part = study(seed), study(seed, gap=0.3)
    for name, code in codes(part).items():
        assert code in (codes(whole)[name], UseCode.OPEN), name


def test_second_assessor_of_a_part_of_each_topic_lets_no_judge_pass() -> None:
    """On all pairs this judge's tau is .08 below the second assessor's, on a random quarter .13 above."""
    whole = mixed_study(np.random.default_rng([20261127, 10, 5]))
    part = PARTS["three quarters of the second assessor's"](whole, np.random.default_rng([20261127, 11, 5]))
    ranks = [uses_of(each, 1, hardly_graded(each)).rank for each in (whole, part)]
    assert [round(rank.second_difference or 0, 2) for rank in ranks] == [-0.08, 0.13]
    assert [rank.code for rank in ranks] == [UseCode.OPEN, UseCode.OPEN]


def test_runs_that_people_hardly_graded_open_codes_that_they_decide() -> None:
    """With fewer than five runs left nothing is closed by rank, best and families; the others stay."""
    of = study(1)
    few = HardlyGraded(measure="Judged@10", runs=tuple(of.tags[4:]), is_too_few_left=True)
    before, after = codes(of), codes(of, few)
    assert [after[name] for name in USES[:3]] == [UseCode.OPEN] * 3
    assert [after[name] for name in USES[3:]] == [before[name] for name in USES[3:]]


def test_without_a_run_that_has_every_value_each_use_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as by a measure that is undefined on a topic."""
    of = study(1)
    values = np.full((len(of.runs), len(of.topics)), np.nan)
    monkeypatch.setattr(ComparedPairs, "values", lambda *_: values)
    uses = uses_of(of, 1, HardlyGraded(measure="Judged@10"))
    assert {(use.code, use.reason) for _, use in uses.named()} == {(UseCode.OPEN, Reason.NO_COMPLETE_RUN)}


def test_the_order_of_second_assessors_does_not_matter() -> None:
    """Pooled by pair: two files swapped give the same numbers."""
    of = study(2)
    rng = np.random.default_rng(3)
    other = np.where(rng.random(of.topic_of_pair.size) < 0.4, of.grades[0], -1)
    one = np.where(rng.random(other.size) < 0.2, 2 - of.grades[0], of.grades[0])

    def with_seconds(*seconds: np.ndarray) -> Study:
        sets = (*of.sets[:2], *(replace(of.sets[2]) for _ in seconds))
        grades = np.array([*of.grades[:2], *seconds])
        values = np.array([*of.values[:2], *(of.values_under(row, of.measures) for row in seconds)])
        judged = np.ones((len(grades), len(of.topics)), dtype=np.bool_)
        scores = np.full(grades.shape, np.nan)
        return replace(of, sets=sets, grades=grades, values=values, is_judged=judged, raw_scores=scores)

    first, second = (
        uses_of(made, 1, hardly_graded(made)) for made in (with_seconds(one, other), with_seconds(other, one))
    )
    assert first.label.second_kappa == pytest.approx(second.label.second_kappa, abs=1e-12)
    assert first.tune.second_difference == pytest.approx(second.tune.second_difference, abs=1e-12)
    assert [use.code for _, use in first.named()] == [use.code for _, use in second.named()]
