"""The excess of a family: verdicts by its interval, who is named for it, and what cannot be tested."""

import numpy as np
import pytest
from scipy.stats import t

from tests.simulations.made import CONFUSIONS, chances_of, made_track
from tests.simulations.studies import drawn_grades
from trackside.arrays import Flags, Floats
from trackside.findings.excess import (
    ALPHA,
    Excess,
    excess_of,
    family_verdict,
    general_finding,
    relative_delta,
)
from trackside.findings.results import GeneralFinding
from trackside.findings.verdicts import FamilyVerdict, GeneralVerdict
from trackside.reporting.hardly_graded import hardly_graded
from trackside.reporting.questions import judge_findings
from trackside.statistics.estimate import Reason

IS_IN = np.array([True, True, False, False])
MEASURE = "nDCG@10"


def tables(shift: float, topics: int = 30, seed: int = 1) -> tuple[Floats, Floats]:
    """Values under a judge that raises the first two runs, and under run-blind judges."""
    rng = np.random.default_rng(seed)
    blind = 0.5 + rng.normal(0, 0.05, (4, topics))
    judge = blind + shift * IS_IN[:, None] + rng.normal(0, 0.05, (4, topics))
    return judge, blind


def excess(judge: Floats, blind: Floats, is_in: Flags = IS_IN) -> Excess:
    return excess_of(judge, blind, is_in, is_constant=False)


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.1, 5.1, FamilyVerdict.ABOVE),
        (0.1, 5.0, FamilyVerdict.ABOVE_WITHIN),
        (0.0, 5.0, FamilyVerdict.WITHIN),
        (0.0, 5.1, FamilyVerdict.NOT_PRECISE),
        (-5.0, 0.0, FamilyVerdict.WITHIN),
        (-5.1, 0.0, FamilyVerdict.NOT_PRECISE),
        (-5.0, -0.1, FamilyVerdict.BELOW_WITHIN),
        (-5.1, -0.1, FamilyVerdict.BELOW),
        (None, None, FamilyVerdict.UNDEFINED),
    ],
)
def test_verdict_changes_at_zero_and_at_the_margin(
    low: float | None, high: float | None, verdict: FamilyVerdict
) -> None:
    assert family_verdict(low, high, margin=5.0, visible=1.0) == (verdict, None)


def test_within_the_margin_needs_something_to_compare() -> None:
    hidden = family_verdict(-1.0, 1.0, margin=5.0, visible=0.49)  # definition: below 0.5
    assert hidden == (FamilyVerdict.NOT_PRECISE, Reason.LITTLE_TO_COMPARE)
    for visible in (0.5, None):
        assert family_verdict(-1.0, 1.0, margin=5.0, visible=visible)[0] is FamilyVerdict.WITHIN
    assert family_verdict(1.0, 2.0, margin=5.0, visible=0.0)[0] is FamilyVerdict.ABOVE_WITHIN


def test_excess_is_the_difference_of_deltas_with_the_jackknifes_error() -> None:
    judge, blind = tables(0.1)
    found = excess(judge, blind)

    def value(kept: Flags) -> float:
        means = [each[:, kept].mean(axis=1) for each in (judge, blind)]
        return float(relative_delta(means[0], IS_IN) - relative_delta(means[1], IS_IN))

    everything = np.ones(30, dtype=np.bool_)
    without = np.array([value(np.arange(30) != topic) for topic in range(30)])
    error = np.sqrt(29 / 30 * ((without - without.mean()) ** 2).sum())
    assert found.value == pytest.approx(value(everything))
    assert found.error == pytest.approx(error)
    assert found.p == pytest.approx(2 * t.sf(value(everything) / error, 29))
    half = t.ppf(0.975, 29) * error
    assert found.ends(0.95) == pytest.approx((value(everything) - half, value(everything) + half))


def test_excess_has_the_sign_of_the_favour() -> None:
    assert (excess(*tables(0.2)).value or 0) > 10
    assert (excess(*tables(-0.2)).value or 0) < -10


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (excess(*tables(0.1), np.ones(4, dtype=np.bool_)), Reason.NO_RUN_ON_ONE_SIDE),
        (excess(*tables(0.1), np.zeros(4, dtype=np.bool_)), Reason.NO_RUN_ON_ONE_SIDE),
        (excess(np.empty((4, 0)), np.empty((4, 0))), Reason.NO_SHARED_PAIR),
        (excess(np.zeros((4, 20)), np.zeros((4, 20))), Reason.ALL_MEANS_ZERO),
        (excess(*tables(0.1, topics=9)), Reason.TOO_FEW_TOPICS),
        (excess_of(*tables(0.1), IS_IN, is_constant=True), Reason.CONSTANT_GRADES),
        (excess(tables(0.1)[0], tables(0.1)[0]), Reason.SAME_WITHOUT_EACH_TOPIC),
    ],
)
def test_what_cannot_be_tested_is_not_and_says_why(found: Excess, reason: Reason) -> None:
    assert (found.p, found.reason) == (None, reason)


def test_excess_of_rounding_alone_is_zero_and_no_verdict_follows_from_it() -> None:
    """As of equal values that are summed in other orders."""
    judge = np.tile([[0.3], [0.1], [0.3], [0.1]], 20)
    found = excess(judge, judge * (1 + 1e-15 * IS_IN[:, None]))
    assert (found.ends(0.95), found.reason) == ((0.0, 0.0), Reason.SAME_WITHOUT_EACH_TOPIC)
    assert family_verdict(*found.ends(0.95), margin=5.0, visible=1.0)[0] is FamilyVerdict.WITHIN


def general(
    shift: float, teams: list[str], *, verdict: FamilyVerdict = FamilyVerdict.ABOVE
) -> GeneralFinding:
    """Sixteen runs, every other one in the family."""
    rng = np.random.default_rng(5)
    is_in = np.arange(16) % 2 == 0
    blind = 0.5 + rng.normal(0, 0.05, (16, 30))
    judge = blind + shift * is_in[:, None] + rng.normal(0, 0.02, (16, 30))
    found = excess_of(judge, blind, is_in, is_constant=False)
    return general_finding(judge, blind, is_in, teams=teams, excess=found, verdict=verdict)


SINGLE = [f"t{run}" for run in range(16)]


def test_other_teams_gain_is_shown_if_both_tests_and_the_interval_show_it() -> None:
    assert general(0.1, SINGLE).verdict is GeneralVerdict.SHOWN
    assert general(0.0, SINGLE).verdict is GeneralVerdict.NOT_SHOWN
    assert general(0.1, SINGLE, verdict=FamilyVerdict.NOT_PRECISE).verdict is GeneralVerdict.NOT_SHOWN


def test_gain_of_two_of_eight_teams_is_not_shown_of_other_teams() -> None:
    """The excess is certain for these runs, but most teams of the family do not gain."""
    rng = np.random.default_rng(5)
    is_in = np.arange(16) % 2 == 0
    blind = 0.5 + rng.normal(0, 0.05, (16, 30))
    judge = blind + 0.3 * (np.arange(16) % 8 == 0)[:, None] + rng.normal(0, 0.02, (16, 30))
    value = excess_of(judge, blind, is_in, is_constant=False)
    found = general_finding(judge, blind, is_in, teams=SINGLE, excess=value, verdict=FamilyVerdict.ABOVE)
    assert value.p is not None
    assert value.p < 1e-6
    assert found.p is not None
    assert found.p > ALPHA
    assert found.verdict is GeneralVerdict.NOT_SHOWN


def test_other_teams_gain_is_not_said_of_few_teams() -> None:
    one_side = [f"t{run}" if run % 2 else "family" for run in range(16)]
    assert general(0.1, one_side).reason is Reason.ONE_TEAM_ON_A_SIDE
    two_each = [f"t{run % 4}" for run in range(16)]
    found = general(0.1, two_each)
    assert (found.verdict, found.reason) == (GeneralVerdict.NOT_SAID, Reason.TOO_FEW_DEGREES_OF_FREEDOM)
    assert found.freedom == pytest.approx(2)


@pytest.mark.parametrize(("family", "others", "is_said"), [("abcd", "efg", True), ("aabc", "def", False)])
def test_other_teams_gain_is_said_from_four_degrees_of_freedom_on(
    family: str, others: str, is_said: bool
) -> None:
    """Four single runs against three have (1/4 + 1/3)^2 / ((1/4)^2 / 3 + (1/3)^2 / 2) = 4.45 degrees.

    Three teams against three have 4 if all are of one size, less if not.
    """
    rng = np.random.default_rng(5)
    teams = list(family + others)
    is_in = np.arange(len(teams)) < len(family)
    blind = 0.5 + rng.normal(0, 0.05, (len(teams), 30))
    judge = blind + 0.1 * is_in[:, None] + rng.normal(0, 0.02, blind.shape)
    value = excess_of(judge, blind, is_in, is_constant=False)
    found = general_finding(judge, blind, is_in, teams=teams, excess=value, verdict=FamilyVerdict.ABOVE)
    assert found.freedom is not None
    assert found.freedom == pytest.approx(4.45, abs=0.005) if is_said else 3 < found.freedom < 4
    assert (found.verdict is not GeneralVerdict.NOT_SAID) == is_said


def test_clusters_of_one_run_are_welchs_test() -> None:
    """With teams of one run, CR2 and its degrees of freedom are those of two means with unequal variances."""
    rng = np.random.default_rng(6)
    is_in = np.arange(16) < 6
    blind = np.full((16, 30), 0.5)
    judge = blind + rng.normal(0.1 * is_in, 0.05)[:, None] + rng.normal(0, 0.001, (16, 30))
    found = general_finding(
        judge,
        blind,
        is_in,
        teams=SINGLE,
        excess=excess_of(judge, blind, is_in, is_constant=False),
        verdict=FamilyVerdict.ABOVE,
    )
    means = judge.mean(axis=1)
    points = 200 * means / (means[is_in].mean() + means[~is_in].mean())
    variances = [points[side].var(ddof=1) / side.sum() for side in (is_in, ~is_in)]
    assert found.error == pytest.approx(np.sqrt(sum(variances)))


def test_findings_on_a_judge_do_not_change_when_another_joins() -> None:
    rng = np.random.default_rng(8)
    made = made_track(rng, teams=8)
    one, two = (
        drawn_grades(rng, chances_of(rng, name, made.truth, made.track.topic_of_pair))
        for name in CONFUSIONS
        if name in ("lenient", "noisy")
    )
    alone, beside = (made.track.study(made.truth, models, replicates=100) for models in ([one], [one, two]))
    assert judge_findings(alone, 1, hardly_graded(alone)) == judge_findings(beside, 1, hardly_graded(beside))
