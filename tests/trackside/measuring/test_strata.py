import pytest

from trackside.measuring.strata import harmonic_mean, stratum_means
from trackside.statistics.estimate import Reason


def test_harmonic_mean_by_hand() -> None:
    assert harmonic_mean([0.6, 0.3]).value == pytest.approx(2 / (1 / 0.6 + 1 / 0.3))
    assert harmonic_mean([0.6, 0.3]).value == pytest.approx(0.4)
    assert harmonic_mean([0.5, 0.0]).value == 0.0


def test_harmonic_mean_needs_every_stratum() -> None:
    assert harmonic_mean([0.6, None]).reason is Reason.EMPTY_STRATUM
    assert harmonic_mean([]).reason is Reason.EMPTY


def test_stratum_means_carry_their_number_of_topics() -> None:
    values = {"1": 0.2, "2": 0.4, "3": 0.9}
    means = stratum_means(values, {"1": "seen", "2": "seen", "3": "unseen"}, ["unseen", "seen", "rare"])
    assert list(means) == ["unseen", "seen", "rare"]
    assert means["seen"].mean.value == pytest.approx(0.3)
    assert means["seen"].n == 2
    assert (means["rare"].mean.reason, means["rare"].n) == (Reason.EMPTY_STRATUM, 0)
