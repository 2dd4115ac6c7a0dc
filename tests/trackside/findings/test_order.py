"""The order of the runs: verdicts by the ends of tau's interval, and what becomes of pairs of runs."""

import numpy as np
import pytest

from tests.simulations.made import SCALE, made_track
from trackside.arrays import Floats
from trackside.findings.order import _verdict, order_finding
from trackside.findings.results import OrderFinding
from trackside.findings.verdicts import Margins, OrderVerdict
from trackside.reporting.questions import orders_of
from trackside.statistics.estimate import Reason
from trackside.uncertainty.ranks import draw_counts

MARGINS = Margins()


def finding(people: Floats, judge: Floats, *, teams: list[str] | None = None) -> OrderFinding:
    runs, topics = people.shape
    counts = draw_counts(topics, seed=1, replicates=200) if topics else np.zeros((1, 0), np.int64)
    names = teams or [f"t{run}" for run in range(runs)]
    return order_finding("nDCG@10", people, judge, teams=names, counts=counts, margins=MARGINS)


def values(runs: int = 6, topics: int = 20, seed: int = 1) -> Floats:
    """Runs of rising quality."""
    rng = np.random.default_rng(seed)
    return np.linspace(0.2, 0.8, runs)[:, None] + rng.normal(0, 0.05, (runs, topics))


@pytest.mark.parametrize("teams", [2, 3, 4, 5, 8, 16])
def test_perfect_random_and_reversed_judges_get_three_verdicts(teams: int) -> None:
    rng = np.random.default_rng([teams, 2])
    made = made_track(rng, teams=teams)
    models = [made.truth, rng.choice(SCALE, made.truth.size), SCALE[-1] - made.truth]
    study = made.track.study(made.truth, models, replicates=200)
    found = [orders_of(study, judge)[0] for judge in study.judges]
    assert [each.verdict for each in found] == [
        OrderVerdict.ALMOST,
        OrderVerdict.NO_RELATION,
        OrderVerdict.REVERSE,
    ]


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.80, 0.9, OrderVerdict.ALMOST),
        (0.79, 0.9, OrderVerdict.DIFFERENCES),
        (0.01, 0.9, OrderVerdict.DIFFERENCES),
        (0.0, 0.9, OrderVerdict.NO_RELATION),
        (-0.5, 0.0, OrderVerdict.NO_RELATION),
        (-0.5, -0.01, OrderVerdict.REVERSE),
        (None, None, OrderVerdict.UNDEFINED),
    ],
)
def test_verdict_changes_at_the_margin_and_at_zero(
    low: float | None, high: float | None, verdict: OrderVerdict
) -> None:
    assert _verdict(low, high, MARGINS) is verdict


def test_margin_of_almost_can_be_set() -> None:
    assert _verdict(0.75, 0.9, Margins(order=0.7)) is OrderVerdict.ALMOST


def test_perfect_judge_has_an_interval_without_width() -> None:
    people = values()
    same = finding(people, people)
    assert (same.low, same.high, same.verdict) == (1.0, 1.0, OrderVerdict.ALMOST)
    assert same.reason is Reason.SAME_IN_EVERY_RESAMPLE


def test_pairs_of_runs_are_counted_by_what_both_sides_tell() -> None:
    """Four runs far apart by people; the judge turns two of them and cannot tell two others apart."""
    rng = np.random.default_rng(2)
    noise = rng.normal(0, 0.01, (2, 4, 30))
    people = np.array([0.2, 0.5, 0.8, 1.1])[:, None] + noise[0]
    judge = np.array([0.5, 0.2, 0.5, 1.1])[:, None] + noise[1]
    pairs = finding(people, judge).pairs
    assert pairs is not None
    assert (pairs.told, pairs.kept, pairs.reversed, pairs.missed, pairs.added) == (6, 4, 1, 1, 0)
    turned = finding(judge, people).pairs
    assert turned is not None
    assert (turned.told, turned.kept, turned.reversed, turned.missed, turned.added) == (5, 4, 1, 0, 1)


def test_other_teams_runs_have_an_interval_from_eight_teams_on() -> None:
    people = values(16)
    judge = people + np.random.default_rng(3).normal(0, 0.2, (16, 1))
    for teams in (7, 8):
        other = finding(people, judge, teams=[f"t{run % teams}" for run in range(16)]).other_runs
        assert other.team_count == teams
        assert (other.low is not None) == (teams == 8)
    equal = finding(people, np.full_like(people, 0.5), teams=[f"t{run}" for run in range(16)]).other_runs
    assert (equal.team_count, equal.reason) == (16, Reason.ALL_RUNS_EQUAL)


@pytest.mark.parametrize(
    ("people", "judge", "reason"),
    [
        (values(1), values(1), Reason.ONE_RUN),
        (values(), np.full((6, 20), 0.5), Reason.ALL_RUNS_EQUAL),
        (np.empty((6, 0)), np.empty((6, 0)), Reason.NO_SHARED_TOPIC),
        (values(topics=9), values(topics=9), Reason.TOO_FEW_TOPICS),
    ],
)
def test_what_cannot_be_compared_has_a_reason(people: Floats, judge: Floats, reason: Reason) -> None:
    found = finding(people, judge)
    assert (found.verdict, found.reason) == (OrderVerdict.UNDEFINED, reason)
    assert (found.tau is None) == (reason is not Reason.TOO_FEW_TOPICS)


def test_one_topic_shows_tau_and_no_pairs() -> None:
    found = finding(values(topics=1), values(topics=1))
    assert found.tau == pytest.approx(1)
    assert found.pairs is None
