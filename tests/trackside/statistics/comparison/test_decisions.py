import numpy as np
import pytest
from scipy import stats

from trackside.statistics.comparison.decisions import paired_t_tests
from trackside.statistics.comparison.multiplicity import adjust


@pytest.mark.parametrize("topics", [2, 12])
def test_paired_t_tests_are_scipy_s_with_holm_s_correction(topics: int) -> None:
    values = np.random.default_rng(2).random((4, topics)) + np.arange(4)[:, None] / 4
    found = paired_t_tests(values)
    pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    expected = adjust([float(stats.ttest_rel(values[i], values[j]).pvalue) for i, j in pairs], "holm")
    assert found.p == pytest.approx(expected)
    assert found.differences == pytest.approx([values[i].mean() - values[j].mean() for i, j in pairs])


def test_differences_that_are_equal_on_all_topics_have_p_0_or_1() -> None:
    found = paired_t_tests(np.array([[0.5, 0.25, 0.75], [0.5, 0.25, 0.75]]))
    assert found.p.tolist() == [1.0]
    assert paired_t_tests(np.array([[0.5, 0.25, 0.75], [0.25, 0.0, 0.5]])).p.tolist() == [0.0]


def test_one_topic_tests_nothing() -> None:
    values = np.array([[0.5], [0.25]])
    assert np.isnan(paired_t_tests(values).p).all()
