"""What a third person's grades say, by hand and on made tracks; nothing else may read them."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t

from tests.simulations.takes import Hard, drawn_track
from trackside.findings.results import TakesFinding, ThirdFinding
from trackside.findings.third import MOST, deciding_pairs, third_finding
from trackside.findings.use_results import HardlyGraded
from trackside.findings.verdicts import ThirdVerdict
from trackside.reporting.questions import family_findings, judge_findings, second_assessor
from trackside.reporting.study import Study
from trackside.reporting.views.sentences import takes_words


def test_pairs_of_the_highest_product_decide_and_ties_follow_topic_and_docno() -> None:
    """Products .8, .4, -.2, .4, 0; below 0 the family's own results count with the other sign."""
    people, judge = np.array([0, 1, 1, 0, 2]), np.array([2, 2, 2, 1, 2])
    exposure, order = np.array([0.4, 0.4, -0.2, 0.4, 0.4]), np.array([4, 3, 2, 1, 0])
    assert deciding_pairs(people, judge, exposure, order, sign=1).tolist() == [0, 3, 1]
    assert deciding_pairs(people, judge, exposure, order, sign=-1).tolist() == [2]
    many = np.zeros(60, np.int64), np.ones(60, np.int64), np.ones(60), np.arange(60)
    assert deciding_pairs(*many, sign=1).tolist() == list(range(MOST))


def finding(third: list[int], takes: TakesFinding, topics: int = 10) -> ThirdFinding:
    """Twenty pairs, two a topic; people give 0, the second assessor 1 on the first ten, the judge 2."""
    of_pair = np.arange(20) % topics
    graders = [np.zeros(20, np.int64), (np.arange(20) < 10).astype(np.int64)]
    return third_finding(
        of_pair, graders, np.full(20, 2), np.array(third), np.where(np.arange(20) < 10, 1.0, 0.5), takes
    )


TAKES = TakesFinding(too_low=0.5, at_least=0.3)


def test_the_grader_who_is_less_too_low_counts() -> None:
    """The second assessor is 1 below on ten pairs of exposure 1, and right on ten of .5: slope 10 / 12.5.

    Each topic has one pair of each; its score is 1 (1 - .8) + .5 (0 - .4) = 0, so all topics agree.
    """
    said = finding([2] * 10 + [0] * 10, TAKES)
    assert (said.chosen_count, said.graded_count, said.as_judge_count, said.as_people_count) == (
        20,
        20,
        10,
        10,
    )
    assert (said.too_low, said.low, said.high) == pytest.approx((0.8, 0.8, 0.8))
    assert said.verdict is ThirdVerdict.ENOUGH


def test_interval_is_over_topics() -> None:
    """A third person who gives 1 in every other topic: gaps to the second are 0 or -1, then 1 or 0."""
    third = [1 if pair % 2 else 0 for pair in range(20)]
    exposure = np.where(np.arange(20) < 10, 1.0, 0.5)
    gaps = np.array(third) - (np.arange(20) < 10)
    slope = (exposure * gaps).sum() / (exposure**2).sum()
    scores = [sum((exposure * (gaps - slope * exposure))[np.arange(20) % 10 == topic]) for topic in range(10)]
    half = t.ppf(0.975, 9) * np.sqrt(10 / 9 * sum(score**2 for score in scores)) / (exposure**2).sum()
    said = finding(third, TAKES)
    assert (said.too_low, said.low, said.high) == pytest.approx((slope, slope - half, slope + half))
    assert said.verdict is ThirdVerdict.TOO_LITTLE


def test_few_topics_and_no_estimate_say_counts_alone() -> None:
    said = finding([2] * 10 + [-1] * 10, TAKES, topics=9)
    assert (said.graded_count, said.too_low, said.verdict) == (10, None, ThirdVerdict.OPEN)
    assert finding([2] * 20, TakesFinding()).verdict is ThirdVerdict.OPEN


def with_third(study: Study, truth: np.ndarray) -> Study:
    """A third person who sees true grades, of all pairs."""
    grades: dict[str, dict[str, int]] = {}
    for pair, grade in enumerate(truth.tolist()):
        topic = study.topics[study.topic_of_pair[pair]]
        grades.setdefault(topic, {})[study.docnos[pair]] = grade
    return replace(study, design=replace(study.design, third=grades))


def test_third_persons_grades_reach_the_sentence_and_nothing_else() -> None:
    track = drawn_track(Hard(), np.random.default_rng(5))
    study = replace(track.study, design=replace(track.study.design, replicates=50))
    hardly = HardlyGraded(measure="Judged@10")
    without, other = (judge_findings(each, 1, hardly) for each in (study, with_third(study, track.truth)))
    (before,), (after,) = without.families, other.families
    assert after.third is not None
    assert replace(other, families=()) == replace(without, families=())
    assert replace(after, third=None) == before
    words = takes_words(after)
    assert words is not None
    assert words.startswith(f"{takes_words(before)}. A third person graded 50 of the 50 results")


@pytest.mark.whole
def test_a_third_person_who_sees_what_others_miss_rarely_calls_it_too_little() -> None:
    """Both people miss hard items that the family finds, and nobody is favoured: at most 5 %."""
    verdicts = []
    for seed in range(60):
        track = drawn_track(Hard(), np.random.default_rng([5, seed]))
        study = with_third(track.study, track.truth)
        (said,) = family_findings(study, 1, second_assessor(study, 1))
        verdicts.append(said.third.verdict if said.third else None)
    assert verdicts.count(ThirdVerdict.TOO_LITTLE) <= 3
