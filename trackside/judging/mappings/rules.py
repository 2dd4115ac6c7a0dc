"""The mapping rules by name: fitted on scores, fitted on people's grades, or set by hand."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from trackside.errors import InputError
from trackside.judging.mappings.calibration import round_half_up
from trackside.judging.mappings.cuts import KAPPA, Cuts, fit_cuts
from trackside.judging.mappings.fitted_cuts import (
    F1,
    ISOTONIC,
    ORDINAL,
    fit_f1_cuts,
    fit_isotonic_cuts,
    fit_ordinal_cuts,
)
from trackside.judging.mappings.mapping import NothingToMap, QuantileMapping, fit_paper_2024, fit_per_topic
from trackside.statistics.agreement.coefficients import invalid_count

GRADES = (0, 1, 2)
PAPER, PER_TOPIC, FIXED, EXPECTED = "paper-2024", "per-topic", "fixed-cuts", "expected-grade"
BY_PEOPLE: Mapping[str, Callable[[Sequence[float], Sequence[int], tuple[int, ...]], Cuts]] = {
    KAPPA: fit_cuts,
    F1: fit_f1_cuts,
    ISOTONIC: fit_isotonic_cuts,
    ORDINAL: fit_ordinal_cuts,
}
"""Rules that are fitted on people's grades, with their fit function."""
WORDS = {
    PAPER: "half of all pairs 0, a quarter 1, a quarter 2",
    PER_TOPIC: "the same shares within each topic",
    FIXED: "cuts set by hand",
    EXPECTED: "the mean grade by the model's own probabilities, rounded",
    KAPPA: "cuts with the highest quadratic kappa with people",
    F1: "cuts with the best F1 against people",
    ISOTONIC: "isotonic regression on people's grades, rounded",
    ORDINAL: "proportional-odds regression on people's grades, rounded",
}


def empty_grade_warning(rule: str, grade_counts: Sequence[int]) -> str | None:
    """Return a warning that lists grades without a pair, with the cause for quantile rules, or None.

    ``grade_counts`` are the pairs of grade 0, 1 and 2.
    """
    empty = [str(grade) for grade, count in zip(GRADES, grade_counts, strict=True) if not count]
    if not empty:
        return None
    found = f"By {rule} no pair gets grade {' or '.join(empty)}."
    if rule not in {PAPER, PER_TOPIC}:
        return found
    return (
        f"{found} Many scores are equal, or the rule was fitted on other scores: the grades do not have the "
        "shares that the rule promises. Choose another rule, or set cuts by hand."
    )


@dataclass(frozen=True, slots=True)
class Scored:
    """A pair with its raw score, its expected score by token probabilities, and people's grade, if known."""

    topic: str
    raw_score: float
    expected_score: float | None = None
    people: int | None = None


@dataclass(frozen=True, slots=True)
class PerTopic:
    """Thresholds by topic; a topic that the rule was not fitted on has no grades."""

    by_topic: Mapping[str, QuantileMapping]


@dataclass(frozen=True, slots=True)
class ExpectedGradeRule:
    """The grade is the expected score, rounded half up. No grade for a score on another scale."""


Frozen = QuantileMapping | Cuts | PerTopic | ExpectedGradeRule


def grades_of(frozen: Frozen, scored: Sequence[Scored]) -> list[int | None]:
    """Return the grade of each pair; None where the rule gives none."""
    if isinstance(frozen, ExpectedGradeRule):
        return [_nearest(each.expected_score) for each in scored]
    if isinstance(frozen, PerTopic):
        return [_of_topic(frozen, each) for each in scored]
    found: list[int | None] = frozen.grades([each.raw_score for each in scored]).tolist()
    return found


def _nearest(expected: float | None) -> int | None:
    grade = None if expected is None else int(round_half_up(expected))
    return grade if grade in GRADES else None


def _of_topic(frozen: PerTopic, scored: Scored) -> int | None:
    mapping = frozen.by_topic.get(scored.topic)
    return None if mapping is None else int(mapping.grades([scored.raw_score])[0])


def fit(rule: str, scored: Sequence[Scored], fitting_topics: Collection[str] = ()) -> Frozen:
    """Fit a rule on the scored pairs of a pool; rules in BY_PEOPLE on the pairs of the fitting topics only.

    Raises NothingToMap without pairs to fit on, InputError for grades off the scale or where nothing fits.
    """
    if rule in BY_PEOPLE:
        held_out = [each for each in scored if each.topic in fitting_topics and each.people is not None]
        people = [each.people for each in held_out if each.people is not None]
        if invalid_count(people, GRADES):
            raise InputError(
                "People graded on another scale than 0, 1, 2. Choose a rule that does not use their grades.",
                code="grades-off-scale",
            )
        return BY_PEOPLE[rule]([each.raw_score for each in held_out], people, GRADES)
    if rule == PER_TOPIC:
        by_topic: dict[str, list[float]] = {}
        for each in scored:
            by_topic.setdefault(each.topic, []).append(each.raw_score)
        return PerTopic(fit_per_topic(by_topic))
    if rule == EXPECTED:
        return _expected_grade([each.expected_score for each in scored if each.expected_score is not None])
    return fit_paper_2024([each.raw_score for each in scored])


def _expected_grade(expected: Sequence[float]) -> ExpectedGradeRule:
    if not expected:
        raise NothingToMap("The judge gave no probabilities: no pair has an expected score.")
    if any(_nearest(each) is None for each in expected):
        raise InputError(
            f"The judge's expected scores go from {min(expected):.4g} to {max(expected):.4g}: they are "
            "not grades from 0 to 2. Choose another rule, or a judge whose prompt asks for the grade itself.",
            code="expected-off-scale",
        )
    return ExpectedGradeRule()


def choose_fitting_topics(topics: Collection[str], *, share: float, seed: int) -> tuple[str, ...]:
    """Draw the topics that a rule is fitted on, in byte order; at least one, and never all.

    A rule fitted on them is reported on the others only. Raises too-few-topics below two topics.
    """
    if len(topics) < 2:
        raise InputError(
            f"People graded {len(topics)} of the pool's topics. A rule is fitted on some topics and reported "
            "on others, so it needs two.",
            code="too-few-topics",
        )
    count = min(max(1, round(share * len(topics))), len(topics) - 1)
    drawn = random.Random(seed).sample(sorted(topics, key=str.encode), count)  # noqa: S311 - keeps no secret
    return tuple(sorted(drawn, key=str.encode))
