"""Use 2: choose the best run with the judge's grades."""

from typing import Any

import numpy as np

from trackside.arrays import Floats
from trackside.findings.use_results import BestUse, UseCode
from trackside.findings.verdicts import Margins
from trackside.measuring import parse_measure
from trackside.statistics.estimate import Reason
from trackside.statistics.ranks import TIE
from trackside.uncertainty.intervals import FEWEST_TOPICS, t_quantile

ALPHA = 0.05
PLAIN_MARGIN = ("nDCG", "P", "RR")  # measures whose margin is in the measure
TENTH = 0.1  # of people's best mean: the margin of all other measures


def best_margin(measure: str, people: Floats, margins: Margins) -> float:
    """How far the judge's first run may be below the best."""
    if parse_measure(measure).family.name in PLAIN_MARGIN:
        return margins.best
    return TENTH * float(people.mean(axis=1).max(initial=0.0))


def best_use(people: Floats, judge: Floats, tags: list[str], *, margin: float, is_related: bool) -> BestUse:
    """People's loss by the judge's first run, from values [run, topic]; of several firsts the worst.

    The upper end is over all rivals at one-sided .05 / k, with k the runs that the judge does not put below
    its first (one-sided paired t): the first was chosen on the same topics.
    """
    runs, topics = people.shape
    if runs < 2 or not topics:
        return BestUse(code=UseCode.OPEN, reason=Reason.ONE_RUN if topics else Reason.NO_SHARED_TOPIC)
    means, by_people = judge.mean(axis=1), people.mean(axis=1)
    firsts = np.flatnonzero(means > means.max() - TIE)
    near_count = int((by_people >= by_people.max() - margin - TIE).sum())
    seen: dict[str, Any] = {"margin": margin, "near_count": near_count, "first_count": firsts.size}
    if topics < FEWEST_TOPICS:
        losses = [(float(by_people.max() - by_people[run]), int(run)) for run in firsts]
        loss, run = max(losses)
        return BestUse(
            code=UseCode.OPEN, reason=Reason.TOO_FEW_TOPICS, run=tags[run], loss=max(loss, 0.0), **seen
        )
    high, low, loss, run = max(_loss(people, judge, int(run)) for run in firsts)
    code = UseCode.OPEN
    if high < margin and is_related:
        code = UseCode.AS_PEOPLE
    elif low > margin:
        code = UseCode.DIFFERS
    return BestUse(
        code=code,
        reason=Reason.NO_RELATION if code is UseCode.OPEN and not is_related else None,
        run=tags[run],
        loss=loss,
        low=low,
        high=high,
        **seen,
    )


def _loss(people: Floats, judge: Floats, first: int) -> tuple[float, float, float, int]:
    """Upper end, lower end, and the loss by a first run, each at least 0; the run itself breaks ties."""
    is_rival = np.arange(len(people)) != first
    topics = people.shape[1]
    loss, loss_error = _paired(people - people[first])
    lead, lead_error = _paired(judge[first] - judge)
    is_close = (lead - _one_sided(ALPHA, topics) * lead_error <= 0) & is_rival
    high = (loss + _one_sided(ALPHA / (1 + int(is_close.sum())), topics) * loss_error)[is_rival].max()
    low = (loss - _one_sided(ALPHA / int(is_rival.sum()), topics) * loss_error)[is_rival].max()
    return max(float(high), 0.0), max(float(low), 0.0), max(float(loss.max()), 0.0), first


def _paired(gaps: Floats) -> tuple[Floats, Floats]:
    return gaps.mean(axis=1), gaps.std(axis=1, ddof=1) / np.sqrt(gaps.shape[1])


def _one_sided(alpha: float, topics: int) -> float:
    return float(t_quantile(topics - 1.0, 1 - 2 * alpha))
