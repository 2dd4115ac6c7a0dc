"""The mapping rules by name: fitted on scores, fitted on people's grades, set by hand, or no mapping at all.

A rule is fitted for a scale of k grades and has k - 1 cuts, or none.
"""

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from trackside.errors import InputError
from trackside.judging.mappings.fitted_cuts import F1, fit_f1_cuts, middles
from trackside.judging.mappings.mapping import (
    GRADES,
    KAPPA,
    Cuts,
    NothingToMap,
    QuantileMapping,
    default_quantiles,
    fit_cuts,
    fit_quantiles,
)
from trackside.statistics.agreement import invalid_count

PAPER, QUANTILES = "paper-2024", "quantiles"
FIXED, AS_GIVEN, EXPECTED = "fixed-cuts", "as-given", "expected-grade"
BY_PEOPLE: Mapping[str, Callable[[Sequence[float], Sequence[int], tuple[int, ...]], Cuts]] = {
    KAPPA: fit_cuts,
    F1: fit_f1_cuts,
}
"""Rules that are fitted on people's grades, with their fit function."""
WORDS = {
    PAPER: "half of all pairs 0, a quarter 1, a quarter 2",
    QUANTILES: "half of all pairs the lowest grade, half of the rest the next one, and so on",
    FIXED: "cuts set by hand",
    AS_GIVEN: "the score is the grade",
    EXPECTED: "the mean grade by the model's own probabilities or an ensemble's members, rounded",
    KAPPA: "cuts with the highest quadratic kappa with people",
    F1: "cuts with the best F1 against people",
}
PER_TOPIC = "per-topic"  # earlier releases fitted it; their mappings stay


def rules_of(scale: tuple[int, ...]) -> list[str]:
    """Return the rules for a scale: the first, by quantiles, is `paper-2024` for three grades."""
    other = QUANTILES if len(scale) == len(GRADES) else PAPER
    return [rule for rule in WORDS if rule != other]


def empty_grade_warning(
    rule: str, grade_counts: Sequence[int], scale: tuple[int, ...] = GRADES
) -> str | None:
    """Return a warning that lists grades without a pair, with the cause for quantile rules, or None.

    ``grade_counts`` are the pairs of each grade of the scale.
    """
    empty = [str(grade) for grade, count in zip(scale, grade_counts, strict=True) if not count]
    if not empty:
        return None
    text = f"By {rule} no pair gets grade {' or '.join(empty)}."
    if rule not in {PAPER, QUANTILES, PER_TOPIC}:
        return text
    return (
        f"{text} Many scores are equal, or the rule was fitted on other scores: the grades do not have the "
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
    """Thresholds by topic, of a stored mapping; a topic that it was not fitted on has no grades."""

    by_topic: Mapping[str, QuantileMapping]

    def grades(self, scored: Sequence[Scored]) -> list[int | None]:
        """Return the grade of each pair by its topic's thresholds."""
        mapped = ((self.by_topic.get(pair.topic), pair.raw_score) for pair in scored)
        return [None if mapping is None else int(mapping.grades([score])[0]) for mapping, score in mapped]


@dataclass(frozen=True, slots=True)
class ExpectedGradeRule:
    """The grade is the nearest to the expected score; a half rounds up. None for a score of another scale."""

    scale: tuple[int, ...] = GRADES

    def grades(self, scored: Sequence[Scored]) -> list[int | None]:
        """Return the grade of each pair."""
        low, high = self.scale[0] - 0.5, self.scale[-1] + 0.5
        nearest = Cuts(self.scale, tuple(middles(self.scale)))
        return [
            None if mean is None or not low <= mean < high else int(nearest.grades([mean])[0])
            for mean in (pair.expected_score for pair in scored)
        ]


@dataclass(frozen=True, slots=True)
class AsGiven:
    """The raw score is the grade. None for a score that is not a grade of the scale."""

    scale: tuple[int, ...] = GRADES

    def grades(self, scored: Sequence[Scored]) -> list[int | None]:
        """Return the grade of each pair."""
        return [int(pair.raw_score) if pair.raw_score in self.scale else None for pair in scored]


Frozen = QuantileMapping | Cuts | PerTopic | ExpectedGradeRule | AsGiven


def grades_of(frozen: Frozen, scored: Sequence[Scored]) -> list[int | None]:
    """Return the grade of each pair; None where the rule gives none."""
    if isinstance(frozen, QuantileMapping | Cuts):
        grades: list[int | None] = frozen.grades([pair.raw_score for pair in scored]).tolist()
        return grades
    return frozen.grades(scored)


def cuts_of(frozen: Frozen) -> tuple[float, ...]:
    """Return the scores at which the grade changes; empty for a rule without common cuts."""
    return frozen.cuts if isinstance(frozen, QuantileMapping | Cuts) else ()


def default_rule(scored: Sequence[Scored], scale: tuple[int, ...], *, gives_grades: bool) -> str:
    """Return the rule for scores if none is chosen, by quantiles unless the judge ``gives_grades`` itself.

    Then scores that are grades of the scale are taken as given, and expected grades are rounded.
    """
    if gives_grades and all(pair.raw_score in scale for pair in scored):
        return AS_GIVEN
    if gives_grades and all(pair.raw_score == pair.expected_score for pair in scored):
        return EXPECTED
    return rules_of(scale)[0]


def fit(
    rule: str,
    scored: Sequence[Scored],
    fitting_topics: Collection[str] = (),
    *,
    scale: tuple[int, ...] = GRADES,
    cuts: Sequence[float] = (),
) -> Frozen:
    """Fit a rule on the scored pairs of a pool; rules in BY_PEOPLE on the pairs of the fitting topics only.

    ``cuts`` are those of fixed-cuts. Raises NothingToMap without pairs to fit on, InputError for grades off
    the scale or where nothing fits.
    """
    if not scored:
        raise NothingToMap("No pair has a raw score. Let the judge score the pool first.")
    if rule in BY_PEOPLE:
        return _fit_on_people(rule, scored, fitting_topics, scale)
    if rule == FIXED:
        return Cuts(scale, tuple(cuts))
    if rule == AS_GIVEN:
        return _fit_as_given(scored, scale)
    if rule == EXPECTED:
        return _fit_expected(scored, scale)
    if rule not in rules_of(scale):
        raise InputError(
            f"The rule {rule} does not map to the {len(scale)} grades {_listed(scale)}. Choose "
            f"{rules_of(scale)[0]}.",
            code="rule-of-another-scale",
        )
    scores = [pair.raw_score for pair in scored]
    return fit_quantiles(scores, *default_quantiles(len(scale)), name=rule, scale=scale)


def _fit_on_people(
    rule: str, scored: Sequence[Scored], fitting_topics: Collection[str], scale: tuple[int, ...]
) -> Cuts:
    held_out = [pair for pair in scored if pair.topic in fitting_topics and pair.people is not None]
    people = [pair.people for pair in held_out if pair.people is not None]
    if invalid_count(people, scale):
        raise InputError(
            f"People graded on another scale than {_listed(scale)}. Choose a rule that does not use their "
            "grades.",
            code="grades-off-scale",
        )
    return BY_PEOPLE[rule]([pair.raw_score for pair in held_out], people, scale)


def _fit_as_given(scored: Sequence[Scored], scale: tuple[int, ...]) -> AsGiven:
    off = [pair.raw_score for pair in scored if pair.raw_score not in scale]
    if off:
        raise InputError(
            f"{len(off):,} of {len(scored):,} scores are not grades of the scale {_listed(scale)}, such as "
            f"{off[0]:g}. Choose a rule that maps scores to grades.",
            code="score-off-scale",
        )
    return AsGiven(scale)


def _fit_expected(scored: Sequence[Scored], scale: tuple[int, ...]) -> ExpectedGradeRule:
    pairs = [pair for pair in scored if pair.expected_score is not None]
    expected = [pair.expected_score for pair in pairs if pair.expected_score is not None]
    if not expected:
        raise NothingToMap("The judge gave no probabilities: no pair has an expected score.")
    rule = ExpectedGradeRule(scale)
    if None in rule.grades(pairs):
        raise InputError(
            f"The judge's expected scores go from {min(expected):.4g} to {max(expected):.4g}: they are "
            f"not grades from {scale[0]} to {scale[-1]}. Choose another rule, or a judge whose prompt asks "
            "for the grade itself.",
            code="expected-off-scale",
        )
    return rule


def _listed(scale: tuple[int, ...]) -> str:
    return ", ".join(map(str, scale))


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
    sample = random.Random(seed).sample(sorted(topics, key=str.encode), count)  # noqa: S311 - keeps no secret
    return tuple(sorted(sample, key=str.encode))
