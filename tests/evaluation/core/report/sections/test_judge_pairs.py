"""Every two sets of qrels side by side: numbers by scipy, by hand, and taken from the other sections."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from evaluation.core.report.tables import Findings, Number, Section, slug
from evaluation.core.report.sections.grading.alpha_by_cut import alpha_by_cut
from evaluation.core.report.sections.grading.grades import grades_section
from evaluation.core.report.sections.grading.judge_pairs import judge_pairs_section
from evaluation.core.report.sections.ranking.order import order_section
from evaluation.core.report.study import Study
from evaluation.core.statistics.agreement.coefficients import cohen_kappa
from evaluation.core.statistics.agreement.reliability import krippendorff_alpha
from evaluation.core.statistics.estimate import Reason
from tests.evaluation.core.report.judged_study import judged_study
from tests.evaluation.core.report.study import small_study
from tests.evaluation.core.report.two_runs import table_of


@pytest.fixture(scope="module")
def study() -> Study:
    return judged_study()


@pytest.fixture(scope="module")
def before(study: Study) -> Findings:
    return Findings({}, (order_section(study), grades_section(study)))


@pytest.fixture(scope="module")
def section(study: Study, before: Findings) -> Section:
    return judge_pairs_section(study, before)


def _value(cell: object) -> float | None:
    return cell.value if isinstance(cell, Number) else None


def test_pairs_with_people_have_the_cells_of_the_other_sections(section: Section, before: Findings) -> None:
    agreement, order = before.table("agreement"), before.table("order")
    assert agreement
    assert order
    for judge in ("llava", "llava again", "clip"):
        kappa = table_of(section, "pairwise-kappa").record(one="people", other=judge)
        known = agreement.record(judge=judge)
        assert kappa
        assert known
        assert kappa["kappa"] == known["kappa"]
        for measure in ("nDCG@5", "AP"):
            tau = table_of(section, "pairwise-tau").record(measure=measure, one="people", other=judge)
            of_order = order.record(measure=measure, judge=judge)
            assert tau
            assert of_order
            assert _value(tau["tau"]) == _value(of_order["tau"])


def test_pairs_of_models_are_compared_on_what_both_graded(section: Section, study: Study) -> None:
    record = table_of(section, "pairwise-kappa").record(one="llava", other="clip")
    assert record
    assert record["kind"] == "two models"
    assert record["items"] == 192
    expected = cohen_kappa(study.grades[1], study.grades[3], (0, 1, 2)).value
    assert _value(record["kappa"]) == pytest.approx(expected)
    means = study.values[:, 1].mean(axis=2)
    tau = table_of(section, "pairwise-tau").record(measure="AP", one="llava", other="clip")
    assert tau
    assert _value(tau["tau"]) == pytest.approx(stats.kendalltau(means[1], means[3]).statistic)


def test_mean_taus_with_people_and_among_models_are_scipys(section: Section, study: Study) -> None:
    means = study.values[:, 1].mean(axis=2)
    taus = {
        pair: stats.kendalltau(means[pair[0]], means[pair[1]]).statistic for pair in combinations(range(4), 2)
    }
    with_people = np.mean([taus[0, judge] for judge in (1, 2, 3)])
    among = np.mean([taus[1, 2], taus[1, 3], taus[2, 3]])
    record = table_of(section, "judges-alike").record(measure="AP")
    assert record
    assert _value(record["tau with people"]) == pytest.approx(with_people)
    assert _value(record["tau among models"]) == pytest.approx(among)
    difference = record["difference"]
    assert isinstance(difference, Number)
    assert difference.value == pytest.approx(among - with_people)
    assert difference.low is not None
    assert difference.high is not None
    assert difference.value is not None
    assert difference.low < difference.value < difference.high
    assert "p" not in record  # its size is not 4 to 6 % (docs/simulations.md)


def test_one_model_is_compared_with_no_other() -> None:
    small = small_study()
    section = judge_pairs_section(small, Findings({}))
    assert table_of(section, "judges-alike").rows == ()


def test_bland_altman_is_that_of_the_runs_means(section: Section, study: Study) -> None:
    people, own = study.values[0, 0].mean(axis=1), study.values[1, 0].mean(axis=1)
    differences = own - people
    record = table_of(section, "bland-altman").record(measure="nDCG@5", judge="llava")
    assert record
    assert _value(record["mean difference"]) == pytest.approx(differences.mean())
    spread = np.std(differences, ddof=1)
    assert record["lower limit"] == pytest.approx(differences.mean() - 1.96 * spread)
    assert record["upper limit"] == pytest.approx(differences.mean() + 1.96 * spread)
    r = stats.pearsonr((own + people) / 2, differences).statistic
    assert _value(record["r with average"]) == pytest.approx(r)
    # The interval is Student's over topics of the mean over runs.
    by_topic = (study.values[1, 0] - study.values[0, 0]).mean(axis=0)
    expected = stats.t.interval(0.95, by_topic.size - 1, by_topic.mean(), stats.sem(by_topic))
    number = record["mean difference"]
    assert isinstance(number, Number)
    assert (number.low, number.high) == pytest.approx(expected)


def test_below_ten_topics_there_is_no_interval() -> None:
    section = judge_pairs_section(small_study(), Findings({}))
    for name, column in (
        ("bland-altman", "mean difference"),
        ("pairwise-kappa", "kappa"),
        ("alpha-by-cut", "alpha"),
    ):
        for record in table_of(section, name).records():
            cell = record[column]
            assert isinstance(cell, Number)
            assert cell.missing is Reason.TOO_FEW_TOPICS


def test_alpha_at_each_cut_is_that_of_the_halved_grades(study: Study) -> None:
    table = alpha_by_cut(study)
    for cut in (1, 2):
        halves = [(study.grades[place] >= cut).astype(int).tolist() for place in (0, 1)]
        record = table.where(judge="llava").rows[cut - 1]
        assert record[1] == cut
        assert _value(record[4]) == pytest.approx(krippendorff_alpha(halves, "nominal").value)


def test_alpha_at_a_cut_by_hand() -> None:
    # Of four items two are relevant to both, one to the judge alone and one to neither. Coincidences: 1-1: 4,
    # 0-0: 2, 0-1 and 1-0: 1 each; n = 8, totals 3 and 5. alpha = 1 - (8 - 1) 2 / (2 x 3 x 5) = 8 / 15.
    from evaluation.core.statistics.agreement.rows import alpha_at_cut_of_matrices

    matrix = np.array([[[1, 0, 1], [0, 0, 0], [0, 1, 1]]])
    assert alpha_at_cut_of_matrices(matrix, scale=(0, 1, 2), cut=1)[0] == pytest.approx(8 / 15)


def test_heat_map_has_kappa_above_and_tau_below_the_diagonal(section: Section) -> None:
    figure = next(each for each in section.figures if each.name == slug("heat", measure="AP"))
    kappa = table_of(section, "pairwise-kappa").record(one="llava", other="clip")
    tau = table_of(section, "pairwise-tau").record(measure="AP", one="llava", other="clip")
    assert kappa
    assert tau
    for words, cell in (("kappa of llava and clip", kappa["kappa"]), ("tau of clip and llava", tau["tau"])):
        value = _value(cell)
        assert value is not None
        assert f"<title>{words}: {value:z.2f}</title>".replace("-", "−") in figure.svg
