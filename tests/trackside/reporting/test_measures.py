"""Which measures a report accepts."""

import pytest

from tests.trackside.reporting.study import small_study
from trackside.errors import InputError
from trackside.reporting.design import comparable


def test_measures_that_can_be_compared_keep_their_order() -> None:
    wanted = ("nDCG@10", "GMAP", "AP(rel=2)", "RBP(p=0.8)", "unj@10")
    assert comparable(wanted) == ("nDCG@10", "AP(rel=2)", "RBP(p=0.8)")


@pytest.mark.parametrize(
    "measure",
    [
        "GMAP",  # a geometric mean
        "NumRelRet",  # a sum
        "medRbest",  # a median
        "meanRbest",  # lower is better
        "RBPresidual",  # unrelated to how good a run is
        "xinfAP",  # wants a sampled pool
        "nDCG(judged_only=yes)@10",
        "YAAP",  # a logarithm, below 0 for poor runs
        "Utility",
        "nDCG(0=-1)@10",
    ],
)
def test_study_refuses_a_measure_whose_means_cannot_be_compared(measure: str) -> None:
    with pytest.raises(InputError, match=r"Choose one of AP, Rprec, .* P@10, .* nDCG, "):
        small_study(measures=("AP", measure))


def test_study_refuses_values_below_zero_of_any_measure() -> None:
    # (x + 1) P R / (x P + R) with 8 relevant of 20 results, which are all there are: -0.4 / (1 - 0.8).
    with pytest.raises(InputError, match=r"^SetF\(x=-2\): "):
        small_study(measures=("SetF(x=-2)",))


def test_study_without_a_measure_names_those_left_out() -> None:
    with pytest.raises(InputError, match=r"^GMAP, YAAP: "):
        small_study(measures=(), left_out=("GMAP", "YAAP"))


def test_study_names_which_measures_are_left_out() -> None:
    assert small_study(left_out=("GMAP",)).basis.endswith(
        " Left out, as their means cannot be compared: GMAP."
    )
