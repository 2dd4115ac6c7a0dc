"""Less human work: claims that hold, estimates of runs and of their differences."""

from math import comb

import numpy as np
import pytest

from evaluation.core.report.design import Design
from evaluation.core.report.filling import study_of
from evaluation.core.report.tables import Number, Section
from evaluation.core.report.sections.saving.curves import (
    CHOICES,
    CONDITION,
    SHARE,
    STEADY,
    Point,
    RankingStability,
    agreement,
    choices,
    claim,
    draws,
    fewest_enough,
    neighbours,
    width_lines,
)
from evaluation.core.report.sections.saving.items import Items
from evaluation.core.report.sections.saving.topics import saving_section
from evaluation.core.report.study import Study
from evaluation.core.statistics.correlation.coefficients import kendall_tau_b
from evaluation.core.statistics.estimate import Estimand, IntervalMethod, Reason
from evaluation.core.statistics.saving.prediction_powered import powered_choices
from evaluation.core.trec_files import Rankings
from tests.evaluation.core.report.study import Grades, graded_set
from tests.evaluation.core.report.two_runs import table_of

TOPICS = [f"T{number:02d}" for number in range(60)]
DOCNOS = [f"d{number:02d}" for number in range(30)]


def _grades(change: float) -> Grades:
    """People's grades, and with a ``change`` a judge that differs on that share of the items."""
    rng, noise = np.random.default_rng(1), np.random.default_rng(2)
    grades: Grades = {}
    for topic in TOPICS:
        own = rng.choice(3, size=len(DOCNOS), p=[0.6, 0.25, 0.15])
        other = np.where(noise.random(len(DOCNOS)) < change, noise.integers(0, 3, len(DOCNOS)), own)
        grades[topic] = dict(zip(DOCNOS, other.tolist(), strict=True))
    return grades


@pytest.fixture(scope="module")
def study() -> Study:
    """Eight runs of sixty topics, far from one another, and a judge that is right on four items of five."""
    truth = _grades(0.0)
    rankings = []
    for number in range(8):
        rng = np.random.default_rng(100 + number)
        results = {
            topic: {docno: grade * 0.35 * number + float(rng.normal()) for docno, grade in own.items()}
            for topic, own in truth.items()
        }
        rankings.append(Rankings.from_dict(results, tag=f"run{number}"))
    sets = [graded_set("people", truth, "human"), graded_set("judge", _grades(0.25))]
    return study_of(Design((0, 1, 2), 1, ("nDCG@10",), replicates=20), None, rankings, sets)


@pytest.fixture(scope="module")
def section(study: Study) -> Section:
    return saving_section(study)


def test_claim_needs_a_bound_and_not_only_the_share() -> None:
    """With 95 % of all choices, 190 of 200 drawn ones are expected. A claim takes 196.

    Chances of a binomial count, by hand: of at least 196 with a share of 0.95 it is 2.6 %, of at least 195
    6.2 %, more than the 5 % that may be wrong.
    """
    chances = [comb(200, k) * 0.95**k * 0.05 ** (200 - k) for k in range(201)]
    assert sum(chances[196:]) < 0.05 < sum(chances[195:])
    assert fewest_enough([(20, 195)], 200) is None
    assert fewest_enough([(20, 196)], 200) == (20, 196)


def test_claim_goes_down_from_the_largest_number_and_stops_at_the_first_that_fails() -> None:
    assert fewest_enough([(10, 199), (20, 150), (30, 198), (40, 200)], 200) == (30, 198)
    assert fewest_enough([(10, 200), (20, 200), (30, 190)], 200) is None
    assert fewest_enough([(10, 200), (20, None)], 200) is None
    assert fewest_enough([], 200) is None


def test_claims_are_wrong_in_five_percent_of_tracks_at_most() -> None:
    """Tracks whose true shares rise to just below what is claimed: any claim is false."""
    random = np.random.default_rng(3)
    shares = np.array([0.5, 0.8, 0.9, 0.93, 0.94, 0.945, 0.949, 0.9499])
    counts = random.binomial(CHOICES, shares, (4_000, shares.size)).tolist()
    false = [fewest_enough(list(enumerate(row)), CHOICES) is not None for row in counts]
    # Its standard error is 0.35 points.
    assert np.mean(false) <= 0.05 + 3 * 0.0035


def test_choices_that_have_no_tau_do_not_count_as_steady() -> None:
    full = np.array([0.1, 0.2, 0.3])
    found = agreement(full, np.array([[1.0, 2.0, 3.0], [2.0, 2.0, 2.0], [3.0, 2.0, 1.0]]))
    assert found == RankingStability(0.0, 1, 3)  # taus of 1, none, -1
    assert agreement(np.ones(3), np.array([[1.0, 2.0, 3.0]])) == RankingStability(None, None, 1)


def test_claim_names_its_conditions_and_what_people_alone_need(section: Section, study: Study) -> None:
    """What is claimed of all choices holds in 2,000 others, by Kendall's tau pair by pair."""
    (sentence, *_, condition) = section.says
    assert condition == CONDITION
    rows = table_of(section, "saving").rows
    enough = [row[2] for row in rows if isinstance(row[-2], float) and row[-2] >= 0.98]
    number = min(n for n in enough if isinstance(n, int))
    assert f"people's grades of {number} of 60 topics would have been enough" in sentence
    people, own = study.own_values(0, 0, 1).values
    random = np.random.default_rng(99)
    chosen = choices(random.random((2_000, 60)).argsort(axis=1), number, 60)
    full = people.mean(axis=1)
    taus = [kendall_tau_b(full, each).value for each in powered_choices(people, own, chosen)]
    assert np.mean([tau is not None and tau >= STEADY for tau in taus]) >= SHARE


def test_claim_in_words() -> None:
    def point(number: int, steady: int, alone: int) -> Point:
        return Point(number, 0.1, 0.2, RankingStability(0.9, steady, 200), RankingStability(0.9, alone, 200))

    points = [point(10, 150, 100), point(20, 197, 150), point(30, 200, 199), point(40, 1, 1)]
    assert claim("AP, judge", "topics", points) == (
        "AP, judge: on this track, people's grades of 20 of 40 topics would have been enough, and without "
        "the judge 30. At least 95 % of all choices of 20 topics order these runs as all topics do (tau of "
        "0.9 or more; 197 of 200 drawn choices)."
    )
    assert "without the judge all 40." in claim("AP, judge", "topics", [points[1], points[3]])
    assert claim("AP, judge", "topics", [points[0], points[3]]) == ""
    assert claim("AP, judge", "topics", [points[3]]) == ""


def test_choices_of_more_units_hold_those_of_fewer() -> None:
    drawn = draws(12, seed=1, most=7)
    few, more = choices(drawn, 3, 12), choices(drawn, 7, 12)
    assert (few.sum(axis=1) == 3).all()
    assert (more.sum(axis=1) == 7).all()
    assert (more | ~few).all()
    assert choices(drawn, 12, 12).tolist() == [[True] * 12]


def test_estimates_name_method_and_estimand(section: Section) -> None:
    for name, method in (
        ("saving-estimates", IntervalMethod.REGRESSION),
        ("saving-differences", IntervalMethod.REGRESSION),
    ):
        rows = table_of(section, name).rows
        assert {row[2] for row in rows} == {20, 40}
        for row in rows:
            cell = row[-1]
            assert isinstance(cell, Number)
            assert cell.interval is not None
            assert (cell.interval.method, cell.interval.estimand) == (method, Estimand.ALL_GRADES)


def test_differences_are_of_neighbours_in_the_order_of_the_runs(section: Section) -> None:
    rows = table_of(section, "saving-differences").where(judge="judge").rows
    pairs = [row[3:5] for row in rows if row[2] == 20]
    assert pairs == [(f"run{number}", f"run{number - 1}") for number in range(7, 0, -1)]
    means = {row[3]: row[4] for row in table_of(section, "saving-estimates").rows}
    for *_, first, second, full, _cell in rows:
        one, two = means[first], means[second]
        assert isinstance(one, float)
        assert isinstance(two, float)
        assert full == pytest.approx(one - two)


def test_neighbours_are_the_best_ten_pairs() -> None:
    assert list(neighbours(np.array([0.1, 0.3, 0.2]))) == [(1, 2), (2, 0)]
    assert len(list(neighbours(np.arange(30.0)))) == 10
    assert list(neighbours(np.array([0.5]))) == []


def _items(seed: int = 4) -> Items:
    """Three runs over 300 items; a judge that is right on nine of ten."""
    rng = np.random.default_rng(seed)
    people = rng.random(300) < 0.4
    return Items(rng.random((3, 300)) < 0.3, people, people ^ (rng.random(300) < 0.1), 1 / 100)


def test_items_outside_a_run_change_nothing_of_it() -> None:
    """Only what it has among its first ten counts, drawn or not."""
    items = _items()
    chosen = np.random.default_rng(5).random((1, 300)) < 0.5
    other = Items(items.is_top, items.people.copy(), items.judge.copy(), items.scale)
    outside = ~items.is_top[0]
    other.people[outside], other.judge[outside] = True, False
    found, same = items.estimates(chosen)[0], other.estimates(chosen)[0]
    ends = [(each.estimate[0, 0], each.low[0, 0], each.high[0, 0]) for each in (found, same)]
    assert ends[0] == pytest.approx(ends[1], abs=1e-12)


def test_judge_that_was_right_on_all_drawn_items_leaves_a_width() -> None:
    """An interval without width would miss the truth: the judge errs on items that were not drawn."""
    items = _items()
    chosen = (items.people == items.judge)[None] & (np.random.default_rng(6).random((1, 300)) < 0.5)
    found = items.estimates(chosen)[0]
    assert (found.high - found.low).min() > 0.01


def test_differences_of_items_leave_out_what_both_runs_have() -> None:
    items = _items()
    items.is_top[1] = items.is_top[0]
    items.is_top[1, np.flatnonzero(items.is_top[0])[:4]] = False
    chosen = np.ones((1, 300), dtype=np.bool_)
    chosen[0, items.is_top[0] & items.is_top[1]] = False
    found = items.differences(np.array([[0, 1], [0, 2]]), chosen)
    # All four items that count are drawn: the difference is known.
    assert found.estimate[0, 0] == pytest.approx(items.full[0] - items.full[1])
    assert found.high[0, 0] - found.low[0, 0] == pytest.approx(0, abs=1e-12)
    chosen[0, np.flatnonzero(items.is_top[0] & ~items.is_top[1])[0]] = False
    assert np.isnan(items.differences(np.array([[0, 1]]), chosen).low[0, 0])


def test_run_with_few_drawn_items_has_a_reason_instead_of_an_interval() -> None:
    items = _items()
    chosen = np.zeros((1, 300), dtype=np.bool_)
    chosen[0, np.flatnonzero(items.is_top[0])[:9]] = True
    (_, interval), *_ = items.estimates(chosen)[0].of_choice(0).intervals()
    assert interval.reason is Reason.TOO_FEW_INFORMATIVE


def test_width_of_people_alone_is_drawn_beside_the_judge_with_most_to_grade() -> None:
    rows = [("second", 4, 0.0, 0.0), ("clip", 4, 0.1, 0.2), ("clip", 8, 0.0, 0.0), ("clip", 2, None, None)]
    assert width_lines(rows) == {"clip": [(4, 0.1), (8, 0.0)], "people alone": [(4, 0.2), (8, 0.0)]}
