import numpy as np

from evaluation.core.statistics.permutation import sign_flips, two_sided


def test_sign_flips_are_all_up_to_seventeen_topics() -> None:
    assert len(np.unique(sign_flips(4, seed=0)[0], axis=0)) == 16
    rows, is_exact = sign_flips(17, seed=0)
    assert (len(rows), is_exact) == (131_072, True)
    rows, is_exact = sign_flips(18, seed=3, draws=50)
    assert (rows.shape, is_exact) == ((50, 18), False)


def test_two_sided_p_counts_both_sides_and_what_rounding_moves() -> None:
    others = np.array([-2.0, -1.0, 0.0, 1.0, 2.0 - 1e-14])
    assert two_sided(2.0, others, is_exact=True).p.value == 2 / 5
    assert two_sided(0.0, others, is_exact=True).p.value == 1.0


def test_a_sampled_p_is_never_zero() -> None:
    assert two_sided(9.0, np.zeros(99), is_exact=False).p.value == 1 / 100
