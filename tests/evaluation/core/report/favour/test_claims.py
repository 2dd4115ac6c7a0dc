"""Claims of a report in words: each kind of sentence, and how often a report makes it without cause.

That "favours" is said without cause in at most 5 % of reports is counted by tests/simulations (parts
"favours" and "favours-real") and, for a few tracks, here.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy import stats

from evaluation.core.report.build import build_report
from evaluation.core.report.conclusions import order_conclusion
from evaluation.core.report.design import Design
from evaluation.core.report.filling import study_of
from evaluation.core.report.tables import Conclusion, ConclusionCode, Number
from evaluation.core.report.sections.summary.first_figures import (
    Nearest,
    favour_title,
    nearest_judge,
    order_title,
)
from evaluation.core.report.sections.summary.in_short import _favourers, _leader_words, _nearest
from evaluation.core.statistics.correlation.significance import kendall_test
from evaluation.core.statistics.estimate import Estimate, Interval, Reason
from evaluation.core.trec_files import Rankings
from tests.evaluation.core.report.judged_study import judged_study
from tests.evaluation.core.report.study import graded_set

if TYPE_CHECKING:
    from evaluation.core.report.tables import Cell

ALPHA = 0.05


def _order(tau: float, p: float, p_of_teams: float) -> Conclusion:
    found = (Estimate.of(each) for each in (tau, p, p_of_teams))
    return order_conclusion(*found, alpha=ALPHA, run_count=10, team_count=4)


@pytest.mark.parametrize(
    ("tau", "p", "p_of_teams", "outcome", "words"),
    [
        (0.3, 0.051, 0.01, ConclusionCode.UNRELATED_ORDER, "with tau 0.30, which could be chance"),
        (
            0.8,
            0.01,
            0.051,
            ConclusionCode.CANNOT_TELL,
            "with tau 0.80, which could be chance (by the best runs of 4 teams)",
        ),
        (-0.3, 0.3, 0.3, ConclusionCode.UNRELATED_ORDER, "with tau −0.30, which could be chance"),
        (-0.7, 0.05, 0.05, ConclusionCode.REVERSED_ORDER, "in reverse rather than as people do"),
        (0.79, 0.05, 0.05, ConclusionCode.OTHER_ORDER, "with noticeable differences from people"),
        (0.8, 0.05, 0.05, ConclusionCode.NEAR_ORDER, "much as people do"),
        (0.9, 0.05, 0.05, ConclusionCode.SAME_ORDER, "almost as people do"),
    ],
)
def test_words_on_an_order_need_both_tests(
    tau: float, p: float, p_of_teams: float, outcome: ConclusionCode, words: str
) -> None:
    found = _order(tau, p, p_of_teams)
    assert found.outcome is outcome
    assert words in found.words


def test_unrelated_judge_seldom_gets_a_claim_of_agreement_on_order() -> None:
    """Ten teams of three runs that share most of their strength; the judge is independent of people.

    A test of the runs alone treats them as independent and rejects far too often.
    """
    rng = np.random.default_rng(5)
    team, tracks = np.repeat(np.arange(10), 3), 400
    said, of_runs = Counter[ConclusionCode](), 0
    for _ in range(tracks):
        people, judge = rng.normal(size=(2, 10))[:, team] + 0.2 * rng.normal(size=(2, team.size))
        best = np.array([np.flatnonzero(team == each)[people[team == each].argmax()] for each in range(10)])
        runs = kendall_test(people, judge, seed=1).p
        teams = kendall_test(people[best], judge[best], seed=1).p
        tau = Estimate.of(float(stats.kendalltau(people, judge).statistic))
        found = order_conclusion(tau, runs, teams, alpha=ALPHA, run_count=30, team_count=10)
        said[found.outcome] += 1
        of_runs += runs.value is not None and runs.value <= ALPHA
    claims = tracks - said[ConclusionCode.UNRELATED_ORDER] - said[ConclusionCode.CANNOT_TELL]
    assert claims <= stats.binom.ppf(0.999, tracks, ALPHA)
    assert of_runs > 0.2 * tracks


def _record(
    name: str, tau: float, order: ConclusionCode, favour: ConclusionCode, **more: Any
) -> dict[str, Cell]:
    given: dict[str, Cell] = {
        "judge": name,
        "kind": "model",
        "tau": Number(tau, None, Interval(tau - 0.1, tau + 0.1, 0.95)),
        "order": Conclusion(order, ""),
        "favour": Conclusion(favour, ""),
        "excess, points": Number(5.0),
    }
    return given | more


def test_headline_and_figure_name_one_nearest_judge_of_those_related_to_people() -> None:
    study = judged_study()
    chance = _record("clip", 0.95, ConclusionCode.CANNOT_TELL, ConclusionCode.NO_SIGN)
    related = _record("llava", 0.6, ConclusionCode.OTHER_ORDER, ConclusionCode.NO_SIGN)
    second = _record("second", 0.99, ConclusionCode.SAME_ORDER, ConclusionCode.NO_SIGN, kind="second")
    assert nearest_judge([chance, related]) == Nearest(0.6, ("llava",), is_highest=False)
    assert order_title(study, [chance, related, second]).startswith(
        "llava is nearest to people's order (tau 0.60) where it can be told"
    )
    assert _nearest([chance, related]) == (
        "where it can be told, nearest to people's order of the runs is llava (tau 0.60)"
    )
    assert nearest_judge([chance]) is None
    assert _nearest([chance]) == "no judge's order of the runs can be distinguished from chance"
    unknown = _record("clip", 0.0, ConclusionCode.UNDEFINED, ConclusionCode.UNDEFINED)
    unknown["tau"] = Number(None, Reason.TOO_FEW)
    assert _nearest([unknown]) == "no tau with people is defined"
    turned = _record("clip", -0.8, ConclusionCode.REVERSED_ORDER, ConclusionCode.NO_SIGN)
    reverse = "o judge's order of the runs is significantly like people's; clip orders them in reverse"
    assert _nearest([turned, chance]) == f"n{reverse}"
    assert order_title(study, [turned, chance | {"judge": "llava"}]) == f"N{reverse}"
    both = [chance, _record("llava", 0.1, ConclusionCode.UNRELATED_ORDER, ConclusionCode.NO_SIGN)]
    assert order_title(study, both) == "No judge's order of the runs can be distinguished from chance"


def test_nearest_judge_may_have_no_interval_and_shares_its_place_with_an_equal_one() -> None:
    """Under a judge that gives people's grades every resample has tau 1."""
    same = _record("same", 1.0, ConclusionCode.SAME_ORDER, ConclusionCode.NO_SIGN)
    same["tau"] = Number(1.0, None, Interval.undefined(Reason.NO_VARIATION, 0.95))
    few = _record("few", 1.0, ConclusionCode.SAME_ORDER, ConclusionCode.NO_SIGN)
    few["tau"] = Number(1.0, None, Interval.undefined(Reason.TOO_FEW_TOPICS, 0.95))
    near = _record("near", 0.96, ConclusionCode.SAME_ORDER, ConclusionCode.NO_SIGN)
    equal = _record("equal", 0.964, ConclusionCode.SAME_ORDER, ConclusionCode.NO_SIGN)
    assert nearest_judge([near, same, few]) == Nearest(1.0, ("same",), is_highest=True)
    assert nearest_judge([near, few]) == Nearest(0.96, ("near",), is_highest=False)
    assert _nearest([near, equal]) == "nearest to people's order of the runs are near and equal (tau 0.96)"


@pytest.mark.parametrize(
    ("outcomes", "headline", "title"),
    [
        (
            [ConclusionCode.NO_SIGN] * 2,
            "no sign that any judge favours F runs",
            "No judge shows a sign of favouring F runs",
        ),
        (
            [ConclusionCode.NO_SIGN, ConclusionCode.CANNOT_TELL],
            "no sign that any judge favours F runs, where it can be told",
            "No judge shows a sign of favouring F runs where it can be told",
        ),
        (
            [ConclusionCode.CANNOT_TELL] * 2,
            "whether any judge favours F runs cannot be told",
            "Whether a judge favours F runs cannot be told",
        ),
        (
            [ConclusionCode.FAVOURS, ConclusionCode.NO_SIGN],
            "a favours F runs",
            "a favours F runs: +5.0 points beyond run-blind judges",
        ),
        (
            [ConclusionCode.FAVOURS, ConclusionCode.DISFAVOURS],
            "a favours F runs and b disfavours F runs",
            "b disfavours F runs most: +5.0 points beyond run-blind judges",
        ),
        (
            [ConclusionCode.FAVOURS_UNLESS_PEOPLE_ERR, ConclusionCode.NO_SIGN],
            "a favours F runs, unless people err",
            "a favours F runs, unless people err: +5.0 points beyond run-blind judges",
        ),
    ],
)
def test_headline_and_figure_agree_with_the_verdicts_on_favour(
    outcomes: list[ConclusionCode], headline: str, title: str
) -> None:
    records = [
        _record(name, 0.5, ConclusionCode.OTHER_ORDER, each)
        for name, each in zip("ab", outcomes, strict=True)
    ]
    assert _favourers(records, "F") == headline
    assert favour_title(records, "F") == title


@pytest.mark.parametrize(
    ("others", "tested", "words"),
    [
        ("", "yes", "x leads; it is significantly better than every other run."),
        ("y, z", "yes", "x leads; it is not significantly better than y, z."),
        ("", "no", "x leads; over one topic no difference can be tested."),
    ],
)
def test_leader_is_called_better_only_if_that_was_tested(others: str, tested: str, words: str) -> None:
    assert _leader_words({"first": "x", "not told from": others, "tested": tested}) == words


@pytest.mark.parametrize(
    ("tags", "words"),
    [
        (("a",), "a is the only run."),
        (("a", "b"), "a and b lead with the same mean."),
        (("a", "worse"), "a leads; it is significantly better than every other run."),
    ],
)
def test_leader_is_no_single_or_equal_run(tags: tuple[str, ...], words: str) -> None:
    """Over 20 topics; a and b have the same results."""
    people = {f"T{topic:02d}": {"good": 1, "bad": 0} for topic in range(20)}
    results = {
        tag: {topic: {"good": float(tag != "worse" or topic < "T03"), "bad": 0.5} for topic in people}
        for tag in tags
    }
    runs = (Rankings.from_dict(each, tag=tag) for tag, each in results.items())
    study = study_of(Design((0, 1), 1, ("AP",)), None, runs, [graded_set("people", people, "human")])
    table = build_report(study, code_version="1").table("lead")
    assert table is not None
    assert [row[2] for row in table.rows] == [words]


def test_leader_is_no_run_that_alone_has_a_value_on_every_topic() -> None:
    people = {f"T{topic:02d}": {"good": 1, "bad": 0} for topic in range(20)}
    runs = (Rankings.from_dict({topic: {"good": 1.0} for topic in people}, tag=tag) for tag in "ab")
    study = study_of(Design((0, 1), 1, ("AP",)), None, runs, [graded_set("people", people, "human")])
    study.values[0, 0, 1, 3] = np.nan  # people, AP, run b, T03
    table = build_report(study, code_version="1").table("lead")
    assert table is not None
    assert [row[2] for row in table.rows] == ["a is the only run with a value on every topic."]
