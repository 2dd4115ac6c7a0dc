"""The five uses of a judge beside an independent implementation, on tracks with tricky judges."""

import importlib
import json
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.oracles.shared import shared_folder
from tests.oracles.test_five_questions import Case, check
from trackside.findings.use_results import USES, UseCode, Uses
from trackside.reporting.hardly_graded import hardly_graded
from trackside.reporting.uses import uses_of
from trackside.statistics.estimate import Reason

CASES = (
    "honest-judge", "people-miss", "perfect-judge", "planted-favour", "reversed-judge", "second-on-a-part",
    "constant-judge",
)  # fmt: skip
RESAMPLED = 0.1  # five standard errors of ends from 300 resamples, at most
EXPECTED_ELSEWHERE = {
    # The oracle has no interval without variation; by the definitions it is [0, 0], inside the margin.
    ("perfect-judge", "families"): UseCode.AS_PEOPLE,
    # A constant side makes kappa undefined, which the oracle does not know.
    ("constant-judge", "label"): UseCode.OPEN,
}


@cache
def oracle() -> ModuleType:
    sys.path.insert(0, str(shared_folder("statistics4")))
    try:
        return importlib.import_module("uses")
    finally:
        sys.path.pop(0)


def arrays(track: dict[str, Any], tags: list[str]) -> tuple[Any, ...]:
    """People's, the judge's and the second's grades [pair], results [run, topic, rank], topics [pair].

    Pairs that the judge left out are left out: the oracle's cells count them as of another topic.
    """
    people = track["people"]
    pairs = sorted((topic, docno) for topic, of in people.items() for docno in of)
    pairs = [(topic, docno) for topic, docno in pairs if docno in track["judge"].get(topic, {})]
    topics = sorted({topic for topic, _ in pairs})
    index = {pair: row for row, pair in enumerate(pairs)}
    longest = max(len(docnos) for run in track["runs"].values() for docnos in run["results"].values())
    results = np.full((len(tags), len(topics), longest), -1)
    for run, tag in enumerate(tags):
        for column, topic in enumerate(topics):
            for rank, docno in enumerate(track["runs"][tag]["results"].get(topic, [])):
                results[run, column, rank] = index.get((topic, docno), -1)

    def grades(of: dict[str, dict[str, int]]) -> Any:
        return np.array([of.get(topic, {}).get(docno, -1) for topic, docno in pairs])

    second = grades(track["second"]) if track["second"] else None
    return (
        grades(people),
        grades(track["judge"]),
        second,
        results,
        np.array([topics.index(t) for t, _ in pairs]),
    )


@cache
def both(name: str) -> tuple[Uses, dict[str, Any]]:
    """The uses by the product and by the oracle, of the pairs that the judge graded."""
    path: Path = shared_folder("cases", "statistics3") / f"{name}.json"
    track = json.loads(path.read_text())
    study = Case(track).study(seed=1)
    found = uses_of(study, study.judges[0], hardly_graded(study))
    people, judge, second, results, topics = arrays(track, study.tags)
    families = {family: study.in_family(family) for family in study.families}
    return found, oracle().uses(
        people, judge, second, results, topics, int(topics.max()) + 1, families, size=len(track["scale"])
    )


@pytest.mark.parametrize("name", CASES)
def test_codes_are_those_of_the_oracle(name: str) -> None:
    found, answer = both(name)
    for use in USES:
        expected = EXPECTED_ELSEWHERE.get((name, use), answer[use]["code"])
        if getattr(found, use).reason is not Reason.GAPS:
            assert getattr(found, use).code == expected, use


@pytest.mark.parametrize("name", CASES)
def test_numbers_are_those_of_the_oracle(name: str) -> None:
    found, answer = both(name)
    rank, best, tune = found.rank, found.best, found.tune
    check(rank.tau, answer["rank"]["tau"])
    check(best.loss, answer["best"]["loss"])
    check(best.low, answer["best"]["lower"])
    check(best.high, answer["best"]["upper"])
    check(tune.rate, answer["tune"]["rate"])
    for ours, theirs in (("low", "low"), ("high", "high"), ("promised", "promised"), ("seen", "seen")):
        check(getattr(tune, ours), answer["tune"].get(theirs))
    for end in ("difference", "low", "high"):
        check(getattr(tune, f"second_{end}"), answer["tune"].get(f"second_{end}"))
    if tune.rate is None:
        return
    for family in found.families.families:
        expected = answer["families"]["families"][family.family]
        check(family.excess, expected["excess"])
        check(family.people, expected["people"])
        check(family.judge, expected["judge"])
        for end in ("low", "high", "low90", "high90"):
            if not np.isnan(expected[end]):
                check(getattr(family, end), expected[end])


@pytest.mark.parametrize("name", CASES)
def test_resampled_ends_are_near_those_of_the_oracle(name: str) -> None:
    rank, answer = both(name)[0].rank, both(name)[1]["rank"]
    for end in ("low", "high"):
        check(getattr(rank, end), answer.get(end), RESAMPLED)
    told = answer.get("told")
    for value, expected in zip((rank.told, rank.told_low, rank.told_high), told or (None,) * 3, strict=True):
        check(value, expected, RESAMPLED)
    second = answer.get("second")
    for value, expected in zip(
        (rank.second_difference, rank.second_low, rank.second_high), second or (None,) * 3, strict=True
    ):
        check(value, expected, RESAMPLED)


def test_label_equals_the_known_difference() -> None:
    found, answer = both("planted-favour")
    expected = answer["label"]["difference"]
    check(found.label.difference, expected["difference"])
    check(found.label.low_difference, expected["low_difference"])
    check(found.label.high_difference, expected["high_difference"])
