"""Which measures a report can compare runs by: the higher their mean over topics, the better the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.core.errors import InputError
from evaluation.core.measures import parse_measure
from evaluation.core.measures.families import FAMILIES, Cut, Summary

if TYPE_CHECKING:
    from collections.abc import Iterable

    from evaluation.core.measures import Measure
    from evaluation.core.measures.families import Family


class MeasureNotComparable(InputError):
    """A report cannot compare runs by a measure."""


def comparable(names: Iterable[str]) -> tuple[str, ...]:
    """Those of the names that a report can take. Raises UnknownMeasure."""
    return tuple(name for name in names if _is_comparable(parse_measure(name)))


def refuse_incomparable(names: Iterable[str]) -> None:
    """Raises MeasureNotComparable, which names the families to choose from, and UnknownMeasure."""
    wanted = tuple(names)
    taken = comparable(wanted)
    if refused := [name for name in wanted if name not in taken]:
        raise not_comparable(refused[0])


def not_comparable(name: str) -> MeasureNotComparable:
    """The error that says what else to choose."""
    offered = ", ".join(_shown(family) for family in FAMILIES if _is_fit(family))
    return MeasureNotComparable(
        f"{name}: a report compares means over topics of which none is below 0 and a higher one is better, "
        f"over all results. Choose among {offered}."
    )


def _is_comparable(measure: Measure) -> bool:
    # A judged-only value needs the results without a grade taken out anew under each set of qrels.
    return _is_fit(measure.family) and not measure.is_judged_only and all(g >= 0 for _, g in measure.gains)


def _is_fit(family: Family) -> bool:
    """Relative Delta divides by the sum of two means, and bootstrap and tests of topics know means only."""
    return (
        family.summary is Summary.MEAN
        and family.is_higher_better
        and not family.is_sampled
        and not family.can_be_negative
    )


def _shown(family: Family) -> str:
    return family.name + {Cut.REQUIRED: "@10", Cut.FRACTION: "@0.5"}.get(family.cut, "")
