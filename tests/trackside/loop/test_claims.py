import numpy as np
import pytest

from trackside.arrays import Floats
from trackside.errors import InputError
from trackside.loop.claims import Aim, Claims, z_over_looks
from trackside.loop.estimating import Look


def claims(
    means: list[float], error: float, z: float = 1.959964, is_first: list[bool] | None = None
) -> Claims:
    count = len(means)
    covariance: Floats = np.eye(count) * error**2
    return Claims(Look(np.array(means), covariance, (0.5, 0.5)), z, np.array(is_first or [True] * count))


def test_z_over_looks_is_bonferronis() -> None:
    # Normal quantiles at 1 - .05 / looks / 2, from a table: .975, .995, .9975 and .99875.
    for looks, z in ((1, 1.959964), (5, 2.575829), (10, 2.807034), (20, 3.023341)):
        assert z_over_looks(looks) == pytest.approx(z, abs=1e-6)


def test_pairs_are_told_apart_beyond_z_errors_of_their_difference() -> None:
    # The error of a difference is .01 * sqrt(2) = .01414: .03 is 2.12 of it.
    assert claims([0.53, 0.50], 0.01).apart[0, 1]
    assert not claims([0.53, 0.50], 0.01, z=2.413).apart[0, 1]
    assert claims([0.53, 0.50], 0.01).chances[0, 1] == pytest.approx(0.98305, abs=1e-4)


def test_the_best_may_be_those_not_below_the_leader_by_holm() -> None:
    # Differences in errors: .5, 2.2 and 8. Alone 2.2 is below at p .028; of the two left after the last, Holm
    # asks for .025, so it may be the best.
    means = [0.6, 0.6 - 0.5 * 0.014142, 0.6 - 2.2 * 0.014142, 0.6 - 8 * 0.014142]
    assert claims(means, 0.01).best() == [0, 1, 2]
    assert claims([means[0], means[2]], 0.01).best() == [0]


def test_places_in_order_end_where_a_run_may_be_passed() -> None:
    found = claims([0.9, 0.7, 0.5, 0.499], 0.01)
    assert found.places_in_order(2) == 2
    assert found.places_in_order(4) == 2
    assert claims([0.9, 0.7], 0.01).places_in_order(5) == 2


def test_identical_runs_are_one_run() -> None:
    found = claims([0.9, 0.9, 0.5], 0.01, is_first=[True, False, True])
    assert found.order == [0, 2]
    assert found.best() == [0]
    assert found.tau(np.random.default_rng(0)) == (1.0, 1.0, 1.0)


def test_tau_is_one_without_error_and_falls_with_it() -> None:
    means = np.linspace(0.3, 0.7, 9).tolist()
    assert claims(means, 1e-6).tau(np.random.default_rng(0)) == (1.0, 1.0, 1.0)
    low, mean, high = claims(means, 0.05).tau(np.random.default_rng(0))
    assert low < mean < high <= 1
    assert claims([0.5], 0.1).tau(np.random.default_rng(0)) == (1.0, 1.0, 1.0)


def test_aims_are_reached_all_together() -> None:
    found = claims([0.9, 0.5], 0.01)  # half-widths of .0196
    assert Aim(half_width=0.02).is_reached(found, 0.9, 2)
    assert not Aim(half_width=0.02).is_reached(found, 0.9, 1)  # two batches first
    assert not Aim(half_width=0.019).is_reached(found, 0.9, 2)
    assert Aim(half_width=0.02, top=1, tau=0.9).is_reached(found, 0.9, 2)
    assert not Aim(half_width=0.02, top=1, tau=0.91).is_reached(found, 0.9, 2)
    assert not Aim().is_reached(found, 1.0, 5)
    assert (
        Aim(0.02, 3, 0.9).words
        == "half-width of each run at most 0.02, first 3 in order, lower end of tau at least 0.9"
    )


@pytest.mark.parametrize("aim", [{"half_width": 0.0}, {"half_width": -1.0}, {"tau": 1.5}])
def test_aims_out_of_range_are_refused(aim: dict[str, float]) -> None:
    with pytest.raises(InputError, match="out of range"):
        Aim(**aim)  # type: ignore[arg-type]
