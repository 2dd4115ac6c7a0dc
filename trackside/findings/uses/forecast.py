"""How many topics would close an open use with even chance, if its numbers stay as they are."""

from dataclasses import replace
from math import ceil

from trackside.findings.use_results import BestUse, FamiliesUse, FamilyUse, LabelUse, TuneUse, UseCode, Uses
from trackside.findings.verdicts import Margins

MOST_TIMES = 10  # today's topics: beyond it nothing is forecast


def with_forecasts(uses: Uses, margins: Margins, *, is_second_whole: bool) -> Uses:
    """Add the numbers of topics to the open uses whose precision alone keeps them open; never to rank.

    ``is_second_whole``: second assessors graded nearly all pairs of their topics, so that the distance from
    them may close a use as people.
    """
    topics = uses.topic_count
    needed = {
        "best": _best(uses.best),
        "families": _families(uses.families, margins.points),
        "tune": _tune(uses.tune, margins, is_second_whole=is_second_whole),
        "label": _label(uses.label, margins.kappa),
    }
    changed = {}
    for name, times in needed.items():
        use = getattr(uses, name)
        if use.code is UseCode.OPEN and use.reason is None and times is not None and 1 < times <= MOST_TIMES:
            changed[name] = replace(use, topics_needed=_rounded(times * topics))
    return replace(uses, **changed)


def _rounded(topics: float) -> int:
    """Rounded up to fives, from 100 to tens: more digits would promise too much, fewer topics too little."""
    step = 10 if topics >= 100 else 5
    return step * ceil(topics / step)


def _times(distance: float, half_width: float) -> float | None:
    """How many times today's topics make the half width as small as the distance to the margin."""
    return (half_width / distance) ** 2 if distance > 0 else None


def _best(use: BestUse) -> float | None:
    if use.loss is None or use.low is None or use.high is None or use.margin is None:
        return None
    if use.loss < use.margin:
        return _times(use.margin - use.loss, use.high - use.loss)
    return _times(use.loss - use.margin, use.loss - use.low)


def _families(use: FamiliesUse, margin: float) -> float | None:
    """Beyond the margin one family is enough; inside it all must be."""
    if not use.families or any(one.excess is None or one.high is None for one in use.families):
        return None
    beyond = [_beyond(one, margin) for one in use.families if abs(one.excess or 0.0) > margin]
    if beyond:
        return min((times for times in beyond if times is not None), default=None)
    inside = [_inside(one, margin) for one in use.families]
    return None if None in inside else max(times for times in inside if times is not None)


def _beyond(one: FamilyUse, margin: float) -> float | None:
    excess = one.excess or 0.0
    return _times(abs(excess) - margin, (one.high or 0.0) - excess)


def _inside(one: FamilyUse, margin: float) -> float | None:
    excess = one.excess or 0.0
    return _times(margin - abs(excess), (one.high90 or 0.0) - excess)


def _tune(use: TuneUse, margins: Margins, *, is_second_whole: bool) -> float | None:
    """Above the margin by the rate alone; below it only beside a second assessor."""
    if use.rate is None or use.high is None:
        return None
    half_width = use.high - use.rate
    if use.rate > margins.rate:
        return _times(use.rate - margins.rate, half_width)
    if use.second_difference is None or use.second_high is None:
        return None
    distance, second_width = (
        use.second_difference + margins.second_rate,
        use.second_high - use.second_difference,
    )
    if distance > 0:
        return _times(distance, second_width) if is_second_whole else None
    both = _times(margins.rate - use.rate, half_width), _times(-distance, second_width)
    return None if None in both else max(times for times in both if times is not None)


def _label(use: LabelUse, margin: float) -> float | None:
    if use.difference is None or use.high_difference is None:
        return None
    distance = abs(use.difference + margin)
    return _times(distance, use.high_difference - use.difference)
