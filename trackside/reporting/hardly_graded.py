"""Runs whose first results people hardly graded: no verdict may depend on them."""

from dataclasses import replace

import numpy as np

from trackside.arrays import Flags, Floats
from trackside.findings.use_results import HardlyGraded
from trackside.measuring import parse_measure
from trackside.reporting.study import PEOPLE, Study

LEAST_JUDGED = 0.8
FEWEST_LEFT = 5  # runs, and at least half of them
DEEPEST, USUAL = 20, 10
SHALLOWER = (10, 5, 3)  # cutoffs that may keep more runs


def hardly_graded(study: Study) -> HardlyGraded:
    """The runs with Judged@k below .8: k is the first measure's cutoff if that is at most 20, else 10."""
    measure = parse_measure(study.measures[0])
    cutoff = measure.depth if measure.cutoff is not None and measure.depth <= DEEPEST else USUAL
    shares = judged_shares(study, cutoff)
    is_left = shares >= LEAST_JUDGED
    left_out = np.flatnonzero(~is_left)
    found = HardlyGraded(
        measure=f"Judged@{cutoff}",
        runs=tuple(study.tags[run] for run in left_out),
        shares=tuple(shares[left_out].tolist()),
        is_too_few_left=bool(left_out.size) and _is_too_few(is_left),
    )
    if not found.is_too_few_left:
        return found
    for shallower in (depth for depth in SHALLOWER if depth < cutoff):
        kept = judged_shares(study, shallower) >= LEAST_JUDGED
        if not _is_too_few(kept):
            named = measure if measure.cutoff is not None else parse_measure("nDCG@10")
            by = str(replace(named, cutoff=float(shallower)))
            return replace(found, kept_by=by, kept_count=int(kept.sum()))
    return found


def is_kept(study: Study, hardly: HardlyGraded) -> Flags:
    """Flag the runs that people graded well enough."""
    return np.array([tag not in hardly.runs for tag in study.tags], dtype=np.bool_)


def judged_shares(study: Study, cutoff: int) -> Floats:
    """Share of each run's first results, on people's topics, that people graded; 1 without a result."""
    (values,) = study.values_under(study.grades[PEOPLE], (f"Judged@{cutoff}",))
    topics = study.is_judged[PEOPLE]
    graded = cutoff * np.nan_to_num(values[:, topics]).sum(axis=1)
    retrieved = np.array([np.minimum(run.counts[topics], cutoff).sum() for run in study.retrieved])
    shares: Floats = np.divide(graded, retrieved, out=np.ones(len(graded)), where=retrieved > 0)
    return shares


def _is_too_few(is_left: Flags) -> bool:
    count = int(is_left.sum())
    return count < FEWEST_LEFT or 2 * count < is_left.size
