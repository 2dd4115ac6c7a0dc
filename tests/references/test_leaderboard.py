import pytest

from tests.references.leaderboard import rank_changes, tau_within_top
from trackside.statistics.estimate import Reason

HUMAN = {"a": 0.5, "b": 0.48, "c": 0.47, "d": 0.3}
MODEL = {"a": 0.6, "b": 0.5, "c": 0.65, "d": 0.55}


def test_changes_by_hand() -> None:
    # The model orders c, a, d, b.
    changes = rank_changes(HUMAN, MODEL)
    assert changes.changes == {"a": 1, "b": 2, "c": -2, "d": -1}
    assert (changes.largest_drop, changes.largest_rise) == (2, 2)
    assert changes.mean_change.value == 6 / 4
    assert not changes.has_same_first


def test_top_overlap_by_hand() -> None:
    changes = rank_changes(HUMAN, MODEL)
    assert [changes.top_overlap(k).value for k in (1, 2, 3, 9)] == [0.0, 1 / 2, pytest.approx(2 / 3), 1.0]


def test_the_same_order_changes_nothing() -> None:
    changes = rank_changes(HUMAN, HUMAN)
    assert (changes.largest_drop, changes.largest_rise, changes.mean_change.value) == (0, 0, 0.0)
    assert changes.has_same_first


def test_leaderboards_without_runs_are_undefined() -> None:
    changes = rank_changes({}, {})
    assert changes.mean_change.reason is changes.top_overlap(3).reason is Reason.EMPTY
    assert not changes.has_same_first


def test_leaderboards_of_other_runs_are_refused() -> None:
    with pytest.raises(ValueError, match="same runs"):
        rank_changes(HUMAN, {"a": 1.0})


def test_tau_within_the_top_looks_at_the_first_runs_alone() -> None:
    # a, b, c are ordered c, a, b by the model: one pair of three agrees.
    assert tau_within_top(HUMAN, MODEL, 3).value == pytest.approx(-1 / 3)
    assert tau_within_top(HUMAN, MODEL, 1).reason is Reason.TOO_FEW
