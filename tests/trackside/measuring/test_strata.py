import pytest

from trackside.measuring.evaluation import harmonic_mean
from trackside.statistics.estimate import Reason


def test_harmonic_mean_by_hand() -> None:
    assert harmonic_mean([0.6, 0.3]).value == pytest.approx(2 / (1 / 0.6 + 1 / 0.3))
    assert harmonic_mean([0.6, 0.3]).value == pytest.approx(0.4)
    assert harmonic_mean([0.5, 0.0]).value == 0.0


def test_harmonic_mean_needs_every_stratum() -> None:
    assert harmonic_mean([0.6, None]).reason is Reason.EMPTY_STRATUM
    assert harmonic_mean([]).reason is Reason.EMPTY
