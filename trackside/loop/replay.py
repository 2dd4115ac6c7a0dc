"""Replay recipes on data that people graded completely: how well each does after so many judgments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np

from trackside.arrays import Floats, Ints
from trackside.loop.claims import Claims, Z
from trackside.loop.drawing import Batch, Beliefs, draw_batch, influences
from trackside.loop.estimating import Look, look
from trackside.loop.orders import DRAWN, pair_order
from trackside.loop.targets import Target
from trackside.statistics.correlation import kendall_tau_b

SAME = 1e-12


@dataclass(frozen=True)
class Point:
    """Means over replays after so many judgments. Without chances there is no half-width and no coverage.

    ``top`` is how often the first places are in their true order, ``first`` how often the first run is the
    best. ``cover`` and ``cover_gaps`` are those of 95 % intervals of means and of differences.
    """

    judged: float
    tau: float
    error: float
    bias: float
    top: float
    first: float
    half_width: float = np.nan
    half_gap: float = np.nan
    cover: float = np.nan
    cover_gaps: float = np.nan


def replayed(
    target: Target, grades: Ints, scores: Floats, sizes: Sequence[int], recipe: str, seed: int, top: int
) -> list[Point]:
    """One replay of one recipe: a point after each batch. ``grades`` [pair] are people's, all of them; scores
    [judge, pair] have no row without a judge.
    """
    truth = target.values(grades).mean(axis=0)
    if recipe in DRAWN:
        looks = replayed_looks(target, grades, scores, sizes, np.random.default_rng(seed), recipe=recipe)
        return [point_of(target, truth, found.means, found, top, count) for count, found in looks]
    order, points = pair_order(target.universe, recipe, grades, seed), []
    for count in np.minimum(np.cumsum(sizes), len(grades)).tolist():
        known = np.full(len(grades), -1)
        known[order[:count]] = grades[order[:count]]
        points.append(point_of(target, truth, target.values(known).mean(axis=0), None, top, count))
    return points


def replayed_looks(
    target: Target,
    grades: Ints,
    scores: Floats,
    sizes: Sequence[int],
    rng: np.random.Generator,
    *,
    recipe: str = "influence",
    after: Sequence[int] = (),
) -> Iterator[tuple[int, Look]]:
    """Draw and grade batch by batch; the number of graded pairs and the look after each, or only ``after``
    these numbers of batches.
    """
    beliefs = Beliefs(target.universe, scores, len(target.gains) - 1)
    seen, batches = np.full(len(grades), -1), list[Batch]()
    for number, size in enumerate(sizes, 1):
        if (seen >= 0).all():
            return
        is_even = recipe == "uniform"
        influence = np.ones(len(grades)) if is_even else influences(beliefs, target, seen, rng)
        batches.append(draw_batch(influence, seen < 0, size, rng))
        seen[batches[-1].order] = grades[batches[-1].order]
        beliefs.learn(seen)
        if not after or number in after:
            found = look([beliefs], target, seen, batches, [len(batch.order) for batch in batches], rng)
            if found is not None:
                yield int((seen >= 0).sum()), found


def point_of(
    target: Target, truth: Floats, means: Floats, found: Look | None, top: int, judged: int
) -> Point:
    """One look beside the truth; runs with identical lists are one run."""
    kept = np.flatnonzero(target.universe.is_first)
    order = kept[np.argsort(-means[kept], kind="stable")]
    best = truth[order][:top]
    error = (means - truth)[kept]
    tau = kendall_tau_b(means[kept], truth[kept])
    ends = {
        "tau": 1.0 if tau is None else tau,
        "error": float(np.sqrt((error**2).mean())),
        "bias": float(error.mean()),
        "top": float(np.allclose(best, -np.sort(-truth[kept])[:top], atol=SAME, rtol=0)),
        "first": float(truth[order[0]] >= truth.max() - SAME),
    }
    if found is None:
        return Point(judged, **ends)
    claims = Claims(found, Z, target.universe.is_first)
    upper = np.triu_indices(len(kept), 1)
    gaps, errors = (table[np.ix_(kept, kept)][upper] for table in (claims.gaps, found.gap_errors))
    true_gaps = (truth[:, None] - truth)[np.ix_(kept, kept)][upper]
    is_gap = np.abs(true_gaps) > SAME
    widths = Z * found.errors[kept]
    is_held = np.abs(gaps - true_gaps) <= Z * errors + SAME
    return Point(
        judged,
        **ends,
        half_width=float(widths.mean()),
        half_gap=float(Z * errors[is_gap].mean()) if is_gap.any() else np.nan,
        cover=float((np.abs(error) <= widths + SAME).mean()),
        cover_gaps=float(is_held[is_gap].mean()) if is_gap.any() else np.nan,
    )


def averaged(replays: Sequence[Sequence[Point]]) -> tuple[list[Point], list[Point]]:
    """Means of each point over replays, and their standard errors."""
    count = min(map(len, replays), default=0)
    means, errors = [], []
    for number in range(count):
        rows = np.array(
            [[getattr(points[number], field.name) for field in fields(Point)] for points in replays]
        )
        means.append(Point(*rows.mean(axis=0).tolist()))
        errors.append(Point(*(rows.std(axis=0) / np.sqrt(len(rows))).tolist()))
    return means, errors


def judgments_for(points: Sequence[Point], tau: float) -> float | None:
    """The judgments at which the line through the points first has this tau; None if it never does, and the
    first point's if that has it.
    """
    before: Point | None = None
    for point in points:
        if point.tau >= tau:
            if before is None:
                return point.judged
            return float(np.interp(tau, (before.tau, point.tau), (before.judged, point.judged)))
        before = point
    return None
