"""Compare the grades that each mapping rule gives to a judge's scores, before one rule is frozen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from trackside.errors import InputError
from trackside.judging.mappings.cuts import Cuts
from trackside.judging.mappings.mapping import QuantileMapping
from trackside.judging.mappings.rules import (
    BY_PEOPLE,
    EXPECTED,
    FIXED,
    GRADES,
    PAPER,
    PER_TOPIC,
    Frozen,
    Scored,
    fit,
    grades_of,
)
from trackside.statistics.agreement.coefficients import cohen_kappa
from trackside.statistics.estimate import Estimate, Reason


@dataclass(frozen=True, slots=True)
class Alternative:
    """One rule: its cuts (empty where they differ by topic or the rule has none) and its pairs by grade.

    ``changed_count`` counts pairs whose grade differs from `paper-2024`, ``tied_counts`` pairs whose score
    equals a cut. ``kappa`` (quadratic) is the agreement with people on ``reported_count`` pairs of topics
    that no rule was fitted on. If the rule cannot be fitted, ``problem`` is the reason and the rest is empty.
    """

    rule: str
    cuts: tuple[float, ...] = ()
    grade_counts: tuple[int, ...] = (0, 0, 0)
    ungraded_count: int = 0
    changed_count: int = 0
    tied_counts: tuple[int, ...] = ()
    kappa: Estimate = field(default_factory=lambda: Estimate.undefined(Reason.EMPTY))
    reported_count: int = 0
    problem: str = ""


def compare_rules(
    scored: Sequence[Scored],
    *,
    fitting_topics: Collection[str] = (),
    fixed: tuple[float, float] | None = None,
) -> list[Alternative]:
    """Fit every rule on the same scores, `paper-2024` first; include fixed cuts only if ``fixed`` is given.

    Raises NothingToMap without scores.
    """
    paper = grades_of(fit(PAPER, scored), scored)
    rules = [PAPER, PER_TOPIC, *([FIXED] if fixed else []), EXPECTED, *(BY_PEOPLE if fitting_topics else ())]
    found = []
    for rule in rules:
        try:
            frozen = Cuts(GRADES, fixed) if rule == FIXED and fixed else fit(rule, scored, fitting_topics)
        except InputError as error:
            found.append(Alternative(rule, problem=str(error)))
        else:
            found.append(_compared(rule, frozen, scored, paper, fitting_topics))
    return found


def _compared(
    rule: str,
    frozen: Frozen,
    scored: Sequence[Scored],
    paper: Sequence[int | None],
    fitting_topics: Collection[str],
) -> Alternative:
    grades = grades_of(frozen, scored)
    counts = Counter(grades)
    cuts = cuts_of(frozen)
    reported = [
        (each.people, grade)
        for each, grade in zip(scored, grades, strict=True)
        if each.people in GRADES and grade is not None and each.topic not in fitting_topics
    ]
    return Alternative(
        rule,
        cuts=cuts,
        grade_counts=tuple(counts[grade] for grade in GRADES),
        ungraded_count=counts[None],
        changed_count=sum(one != other for one, other in zip(grades, paper, strict=True)),
        tied_counts=tuple(sum(each.raw_score == cut for each in scored) for cut in cuts),
        kappa=cohen_kappa(
            [people for people, _ in reported], [grade for _, grade in reported], GRADES, "quadratic"
        ),
        reported_count=len(reported),
    )


def cuts_of(frozen: Frozen) -> tuple[float, ...]:
    """Return the scores at which the grade changes; empty for a rule without common cuts."""
    if isinstance(frozen, QuantileMapping):
        return frozen.thresholds
    return frozen.cuts if isinstance(frozen, Cuts) else ()
