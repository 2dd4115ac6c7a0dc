"""What a pool would hold at several depths, before anybody freezes it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import F, Func, TextField, Value

from evaluation.core.pooling import depth_pool
from evaluation.models import Ranking

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from evaluation.core.pooling import DepthPool
    from evaluation.models import Run

DEPTHS = (5, 10, 20, 25, 30, 40, 50, 100)  # PostgreSQL's regular expressions count to 255 at most


@dataclass(frozen=True)
class PreviewRow:
    """A pool of one depth for all runs: items, those not pooled yet, and those from one run alone."""

    depth: int
    size: int
    new_count: int
    unique_share: float | None
    width: float  # of the bar, per cent of the largest pool


@dataclass(frozen=True)
class Preview:
    """Pools by depth, and what each run alone would give at its own depth, by its primary key."""

    rows: tuple[PreviewRow, ...]
    unique_counts: Mapping[str, int]


def preview_pools(runs: Sequence[Run], pooled: Iterable[tuple[str, str]]) -> Preview:
    """Count the items of pools of the runs; ``pooled`` are the pairs (topic, docno) frozen before."""
    rankings = _top_docnos(runs)
    old = set(pooled)
    pools = {depth: depth_pool(rankings, dict.fromkeys(rankings, depth)) for depth in DEPTHS}
    largest = max(pool.size for pool in pools.values())
    rows = tuple(_row(depth, pool, old, largest) for depth, pool in pools.items() if pool.size)
    own_depths = {str(run.pk): min(run.depth_in_pool, DEPTHS[-1]) for run in runs if str(run.pk) in rankings}
    return Preview(rows, _unique_counts(depth_pool(rankings, own_depths)))


def _row(depth: int, pool: DepthPool, old: set[tuple[str, str]], largest: int) -> PreviewRow:
    pairs = {(topic, docno) for topic, docnos in pool.topics.items() for docno in docnos}
    unique_share = sum(_unique_counts(pool).values()) / pool.size
    return PreviewRow(depth, pool.size, len(pairs - old), unique_share, round(100 * pool.size / largest, 1))


def _unique_counts(pool: DepthPool) -> dict[str, int]:
    return {run: sum(map(len, topics.values())) for run, topics in pool.unique_to_runs().items()}


def _top_docnos(runs: Sequence[Run]) -> dict[str, dict[str, list[str]]]:
    # Cut in the database: a run of 1,000 results a topic would come over ten times as long.
    beginning = Value(rf"^(?:[^\n]*\n){{0,{DEPTHS[-1] - 1}}}[^\n]*")
    top = Func(F("docnos"), beginning, function="substring", output_field=TextField())
    found: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for run, topic, docnos in Ranking.objects.filter(run__in=runs).values_list("run", "topic", top):
        found[str(run)][topic] = docnos.split("\n")
    return dict(found)
