"""Measures that a report can compare runs by: a higher mean over topics is a better run."""

from collections.abc import Iterable

from trackside.errors import InputError
from trackside.measuring import parse_measure
from trackside.measuring.family import Cut, MeasureFamily, Summary
from trackside.measuring.plugged import all_families


def comparable(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of measures that a report can compare runs by. Raises UnknownMeasure."""
    # A judged-only value would require removing the unjudged results again under each set of qrels.
    return tuple(
        name
        for name in names
        if _is_fit((measure := parse_measure(name)).family)
        and not measure.is_judged_only
        and all(gain >= 0 for _, gain in measure.gains)
    )


def refuse_incomparable(names: Iterable[str]) -> None:
    """Raise InputError, which lists the comparable families, or UnknownMeasure."""
    requested = tuple(names)
    accepted = comparable(requested)
    if refused := [name for name in requested if name not in accepted]:
        raise not_comparable(refused[0])


def not_comparable(name: str) -> InputError:
    """Return the error, which lists the measures to choose from."""
    cutoffs = {Cut.REQUIRED: "@10", Cut.FRACTION: "@0.5"}
    choices = ", ".join(
        family.name + cutoffs.get(family.cut, "") for family in all_families() if _is_fit(family)
    )
    return InputError(
        f"{name}: a report compares means over topics that are at least 0 and higher for better runs, over "
        f"all results. Choose one of {choices}."
    )


def _is_fit(family: MeasureFamily) -> bool:
    """Relative Delta divides by the sum of two means; bootstrap and tests over topics support means only."""
    return (
        family.summary is Summary.MEAN
        and family.is_higher_better
        and not family.is_sampled
        and not family.can_be_negative
    )
