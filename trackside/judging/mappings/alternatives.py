"""Compare the grades that each mapping rule gives to a judge's scores, before one rule is frozen."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from trackside.errors import InputError
from trackside.judging.mappings.mapping import GRADES, finite
from trackside.judging.mappings.rules import (
    AS_GIVEN,
    BY_PEOPLE,
    EXPECTED,
    FIXED,
    Frozen,
    Scored,
    cuts_of,
    fit,
    grades_of,
    rules_of,
)
from trackside.statistics.agreement import cohen_kappa
from trackside.statistics.estimate import Estimate, Reason

BINS = 40


@dataclass(frozen=True, slots=True)
class Alternative:
    """One rule: its cuts (empty where they differ by topic or the rule has none) and its pairs by grade.

    ``grade_counts`` are the pairs of each grade of the scale. ``changed_count`` counts pairs whose grade
    differs from the first rule's, by quantiles; ``tied_counts`` pairs whose score equals a cut. ``kappa``
    (quadratic) is the agreement with people on ``reported_count`` pairs of topics that no rule was fitted on.
    If the rule cannot be fitted, ``problem`` is the reason and the rest is empty.
    """

    rule: str
    cuts: tuple[float, ...] = ()
    grade_counts: tuple[int, ...] = ()
    ungraded_count: int = 0
    changed_count: int = 0
    tied_counts: tuple[int, ...] = ()
    kappa: Estimate = field(default_factory=lambda: Estimate.undefined(Reason.EMPTY))
    reported_count: int = 0
    problem: str = ""


def compare_rules(
    scored: Sequence[Scored],
    *,
    scale: tuple[int, ...] = GRADES,
    fitting_topics: Collection[str] = (),
    fixed: Sequence[float] = (),
) -> list[Alternative]:
    """Fit every rule on the same scores, that by quantiles first; fixed cuts only if ``fixed`` is given.

    Raises NothingToMap without scores.
    """
    first = rules_of(scale)[0]
    reference = grades_of(fit(first, scored, scale=scale), scored)
    rules = [first, *([FIXED] if fixed else []), AS_GIVEN, EXPECTED]
    alternatives = []
    for rule in [*rules, *(BY_PEOPLE if fitting_topics else ())]:
        try:
            frozen = fit(rule, scored, fitting_topics, scale=scale, cuts=fixed)
        except InputError as error:
            alternatives.append(Alternative(rule, problem=str(error)))
        else:
            alternatives.append(describe(rule, frozen, scored, scale, reference, fitting_topics))
    return alternatives


def describe(
    rule: str,
    frozen: Frozen,
    scored: Sequence[Scored],
    scale: tuple[int, ...],
    reference: Sequence[int | None] = (),
    fitting_topics: Collection[str] = (),
) -> Alternative:
    """Return the grades that a fitted rule gives, compared with ``reference``, other grades of the pairs."""
    grades = grades_of(frozen, scored)
    counts = Counter(grades)
    cuts = cuts_of(frozen)
    reported = [
        (pair.people, grade)
        for pair, grade in zip(scored, grades, strict=True)
        if pair.people in scale and grade is not None and pair.topic not in fitting_topics
    ]
    return Alternative(
        rule,
        cuts=cuts,
        grade_counts=tuple(counts[grade] for grade in scale),
        ungraded_count=counts[None],
        changed_count=sum(one != other for one, other in zip(grades, reference, strict=False)),
        tied_counts=tuple(sum(pair.raw_score == cut for pair in scored) for cut in cuts),
        kappa=cohen_kappa(
            [people for people, _ in reported], [grade for _, grade in reported], scale, "quadratic"
        ),
        reported_count=len(reported),
    )


def histogram(scores: ArrayLike) -> list[tuple[str, int]]:
    """Return the range and the count of BINS bins of equal width, from the lowest to the highest score.

    One bin for each distinct score if there are at most BINS of them. Scores must be finite.
    """
    values = finite(scores)
    distinct, counts = np.unique(values, return_counts=True)
    if distinct.size <= BINS:
        return [(f"{score:.4g}", int(count)) for score, count in zip(distinct, counts, strict=True)]
    counts, edges = np.histogram(values, BINS)
    ends = [f"{edge:.4g}" for edge in edges]
    return [
        (f"{low} to {high}", int(count)) for low, high, count in zip(ends[:-1], ends[1:], counts, strict=True)
    ]
