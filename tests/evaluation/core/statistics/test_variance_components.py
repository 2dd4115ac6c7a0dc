"""Components by hand and by Brennan's equations written out."""

import numpy as np
import pytest

from evaluation.core.statistics.variance_components import variance_components


def test_components_of_a_small_table_are_those_by_hand() -> None:
    # Two runs x two topics x two sets: the value is 8 r + 2 t + r t (0 or 1 each), the same in both sets.
    # The grand mean is 5.25. Means of runs 1 and 9.5: squares 2 x 4.25^2 x 4 values = 144.5 = MS(r).
    # Means of topics 4 and 6.5: 2 x 1.25^2 x 4 = 12.5. The interaction is +-0.25 in each of 8 cells: 0.5.
    # No set differs, so all with a set are 0. var(rt) = (0.5 - 0) / 2 = 0.25,
    # var(r) = (144.5 - 0.5 - 0 + 0) / 4 = 36, var(t) = (12.5 - 0.5) / 4 = 3,
    # var(set) = (0 - 0 - 0 + 0) / 4 = 0.
    values = np.array([[[8.0 * r + 2 * t + r * t] * 2 for t in (0, 1)] for r in (0, 1)])
    found = {each.facets: each for each in variance_components(values)}
    assert found["run",].mean_square == pytest.approx(144.5)
    assert found["run",].variance == pytest.approx(36)
    assert found["topic",].variance == pytest.approx(3)
    assert found["run", "topic"].variance == pytest.approx(0.25)
    assert found["qrels",].variance == pytest.approx(0)
    assert found["run", "topic", "qrels"].variance == pytest.approx(0)


def test_components_solve_brennans_equations() -> None:
    # Expected mean squares of the p x i x h design with random facets (Brennan 2001, table 3.2), solved by
    # least squares over the means that each equation names.
    values = np.random.default_rng(4).normal(size=(5, 7, 3))
    a, b, c = values.shape
    found = variance_components(values)
    variance = {"".join(name[0] for name in each.facets): each.estimate for each in found}
    expected = {
        "r": variance["rtq"] + b * variance["rq"] + c * variance["rt"] + b * c * variance["r"],
        "t": variance["rtq"] + a * variance["tq"] + c * variance["rt"] + a * c * variance["t"],
        "q": variance["rtq"] + a * variance["tq"] + b * variance["rq"] + a * b * variance["q"],
        "rt": variance["rtq"] + c * variance["rt"],
        "rq": variance["rtq"] + b * variance["rq"],
        "tq": variance["rtq"] + a * variance["tq"],
        "rtq": variance["rtq"],
    }
    squares = {"".join(name[0] for name in each.facets): each.mean_square for each in found}
    assert squares == pytest.approx(expected)
    # The sums of squares add up to that of all values.
    total = sum(each.mean_square * each.freedom for each in found)
    assert total == pytest.approx(((values - values.mean()) ** 2).sum())


def test_components_of_drawn_values_come_near_those_they_were_drawn_with() -> None:
    # 400 runs x 300 topics x 40 sets with variances 4, 1, 0.25 and a residual of 1.
    rng = np.random.default_rng(7)
    values = (
        rng.normal(0, 2, (400, 1, 1))
        + rng.normal(0, 1, (1, 300, 1))
        + rng.normal(0, 0.5, (1, 1, 40))
        + rng.normal(0, 1, (400, 300, 40))
    )
    found = {each.facets: each.variance for each in variance_components(values)}
    assert found["run",] == pytest.approx(4, rel=0.2)
    assert found["topic",] == pytest.approx(1, rel=0.2)
    assert found["qrels",] == pytest.approx(0.25, rel=0.6)
    assert found["run", "topic", "qrels"] == pytest.approx(1, rel=0.02)
    assert found["run", "topic"] == pytest.approx(0, abs=0.01)


def test_a_negative_estimate_is_reported_and_counts_as_zero() -> None:
    # The topics reverse the order of the runs, whose means are equal: the estimate of runs is negative.
    # [[1, 0], [0, 1]] in both sets: MS(r) = 0, MS(rt) = 2 x 4 x 0.25 / 1 = 2, var(r) = (0 - 2) / 4 = -0.5.
    values = np.repeat(np.eye(2)[:, :, None], 2, axis=2)
    runs = variance_components(values)[0]
    assert runs.estimate == pytest.approx(-0.5)
    assert runs.variance == 0


@pytest.mark.parametrize("shape", [(1, 3, 3), (3, 1, 3), (3, 3, 1)])
def test_one_of_a_facet_has_no_components(shape: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="two of each are needed"):
        variance_components(np.zeros(shape))
