"""Use 3: compare families of runs with the judge's grades."""

from collections.abc import Mapping

import numpy as np

from trackside.arrays import Flags, Floats, Ints
from trackside.findings.excess import Excess, delta_of, excesses_of
from trackside.findings.use_results import FamiliesUse, FamilyUse, UseCode
from trackside.statistics.estimate import Reason

INSIDE = 0.9  # level of the intervals that must all be inside: an intersection needs no correction


def families_use(
    people: Floats,
    judge: Floats,
    blind: Floats,
    families: Mapping[str, Flags],
    *,
    points: float,
    is_constant: bool,
    is_related: bool,
) -> FamiliesUse:
    """Compare each family's excess with the margin of ``points``, from values [run, topic].

    ``blind`` are those expected under run-blind judges.
    """
    excesses, level = excesses_of(judge, blind, families, is_constant=is_constant)
    found = tuple(
        _family(family, excesses[family], level, people, judge, is_in) for family, is_in in families.items()
    )
    return _coded(found, points, is_related=is_related)


def _family(
    family: str, excess: Excess, level: float, people: Floats, judge: Floats, is_in: Flags
) -> FamilyUse:
    low, high = excess.ends(level)
    low90, high90 = excess.ends(INSIDE)
    return FamilyUse(
        family=family,
        excess=None if excess.reason is Reason.CONSTANT_GRADES else excess.value,
        low=low,
        high=high,
        level=level,
        low90=low90,
        high90=high90,
        people=delta_of(people, is_in),
        judge=delta_of(judge, is_in),
        reason=excess.reason,
    )


def _coded(families: tuple[FamilyUse, ...], points: float, *, is_related: bool) -> FamiliesUse:
    if not families:
        return FamiliesUse(code=UseCode.OPEN, reason=Reason.NO_FAMILY)
    use = FamiliesUse(code=UseCode.OPEN, families=families)
    if use.beyond(points):
        return FamiliesUse(code=UseCode.DIFFERS, families=families)
    is_inside = all(
        one.low90 is not None and one.high90 is not None and -points < one.low90 <= one.high90 < points
        for one in families
    )
    if is_inside and is_related:
        return FamiliesUse(code=UseCode.AS_PEOPLE, families=families)
    undefined = next((one.reason for one in families if one.low90 is None), None)
    reason = undefined or (None if is_related else Reason.NO_RELATION)
    return FamiliesUse(code=UseCode.OPEN, families=families, reason=reason)


def signed_grades(judge: Ints, exposure: Floats, *, sign: int, gap: Flags, ends: tuple[int, int]) -> Ints:
    """Fill gaps with the top grade where exposure has the sign, and with the lowest elsewhere."""
    return np.where(gap, np.where(exposure * sign > 0, ends[1], ends[0]), judge)
