import pytest

from evaluation.core.bias import judge_bias, judge_bias_test, relative_delta, relative_delta_test
from evaluation.core.estimate import Reason

MEANS = [0.30, 0.28, 0.34, 0.12, 0.20, 0.16, 0.10]
FAMILY = [True, True, True, False, False, False, False]


def test_relative_delta_by_hand() -> None:
    # Means 0.92/3 and 0.58/4: 2 (0.306667 - 0.145) / 0.451667.
    delta = relative_delta(MEANS, FAMILY)
    assert delta.delta.value == pytest.approx(200 * (0.92 / 3 - 0.145) / (0.92 / 3 + 0.145))
    assert (delta.family_count, delta.other_count) == (3, 4)
    assert delta.family_mean.value == pytest.approx(0.92 / 3)
    assert delta.other_mean.value == pytest.approx(0.145)


def test_relative_delta_test_tries_every_choice_of_runs() -> None:
    # Of the 35 choices of three runs the family is the highest; only {12, 16, 10} is as far below:
    # its Delta is 2 (0.126667 - 0.28) / 0.406667 = -75.4 %, the family's +71.6 %.
    test = relative_delta_test(MEANS, FAMILY, seed=0)
    assert test.p.value == pytest.approx(2 / 35)
    assert (test.arrangements, test.is_exact) == (35, True)
    assert test.smallest == pytest.approx(1 / 35)


def test_relative_delta_test_samples_when_there_are_too_many_choices() -> None:
    means, family = [0.1 + 0.01 * run for run in range(24)], [run < 12 for run in range(24)]
    test = relative_delta_test(means, family, seed=11, draws=500)
    assert (test.seed, test.arrangements) == (11, 500)
    assert test.p.value == pytest.approx(1 / 501)


def test_judge_bias_is_the_difference_of_two_deltas() -> None:
    people = [0.4, 0.2, 0.3, 0.3]
    model = [0.6, 0.6, 0.3, 0.3]
    family = [True, True, False, False]
    # People: 2 (0.3 - 0.3) / 0.6 = 0; model: 2 (0.6 - 0.3) / 0.9 = 66.7 %.
    assert judge_bias(model, people, family).value == pytest.approx(200 / 3)
    # The same 66.7 % the other way round for the other two runs; the rest are nearer to zero.
    test = judge_bias_test(model, people, family, seed=0)
    assert test.p.value == pytest.approx(2 / 6)
    assert test.arrangements == 6


def test_a_judge_that_scales_every_run_has_no_bias() -> None:
    assert judge_bias([2 * mean for mean in MEANS], MEANS, FAMILY).value == pytest.approx(0.0)
    assert judge_bias_test([2 * mean for mean in MEANS], MEANS, FAMILY, seed=0).p.value == 1.0


def test_delta_is_undefined_with_an_empty_side_or_nothing_but_zeros() -> None:
    for flags in ([False, False], [True, True]):
        assert relative_delta([0.1, 0.2], flags).delta.reason is Reason.EMPTY_FAMILY
        assert relative_delta_test([0.1, 0.2], flags, seed=0).p.reason is Reason.EMPTY_FAMILY
    assert relative_delta([0.1, 0.2], [False, False]).family_mean.reason is Reason.EMPTY_FAMILY
    assert relative_delta([0.0, 0.0], [True, False]).delta.reason is Reason.ALL_ZERO
    assert judge_bias([0.1, 0.2], [0.0, 0.0], [True, False]).reason is Reason.ALL_ZERO
    assert judge_bias_test([0.1, 0.2], [0.0, 0.0], [True, False], seed=0).p.reason is Reason.ALL_ZERO


def test_means_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="2 means do not go with 3 families"):
        relative_delta([0.1, 0.2], [True, False, False])
    with pytest.raises(ValueError, match="at least 0"):
        relative_delta([0.1, -0.2], [True, False])
