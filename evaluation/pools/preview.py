"""Preview pools at several depths before one is frozen."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import F, Func, TextField, Value

from evaluation.core.pooling.depth import depth_pool
from evaluation.runs.rankings import Ranking

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from evaluation.core.pooling.depth import DepthPool, Docnos
    from evaluation.panels import Workload
    from evaluation.pools.actions import Draw
    from evaluation.runs.models import Run

DEPTHS = (5, 10, 20, 25, 30, 40, 50, 100)  # at most 255, the limit of PostgreSQL's regular expressions


@dataclass(frozen=True)
class PreviewRow:
    """A pool of one depth for all runs: items, items not pooled yet, and items from a single run."""

    depth: int
    size: int
    new_count: int
    unique_share: float | None
    width: float  # of the bar, in per cent of the largest pool
    least: int  # items of the smallest topic
    most: int  # items of the largest topic
    overlap: float | None  # share of contributed ranks whose document several runs share
    hours: float | None  # per assessor, for the new items


@dataclass(frozen=True)
class Preview:
    """Pools by depth, and counts of items from a single run (by primary key) or a single team (by name)."""

    rows: tuple[PreviewRow, ...]
    unique_counts: Mapping[str, int]
    team_counts: Mapping[str, int]


def preview_pools(runs: Sequence[Run], pooled: Iterable[tuple[str, str]], workload: Workload) -> Preview:
    """Count the items of pools of the runs; ``pooled`` are the (topic, docno) pairs already frozen."""
    rankings = _top_docnos(runs)
    old = set(pooled)
    pools = {depth: depth_pool(rankings, dict.fromkeys(rankings, depth)) for depth in DEPTHS}
    largest = max(pool.size for pool in pools.values())
    rows = tuple(_row(depth, pool, old, largest, workload) for depth, pool in pools.items() if pool.size)
    own_depths = {str(run.pk): min(run.depth_in_pool, DEPTHS[-1]) for run in runs if str(run.pk) in rankings}
    own = depth_pool(rankings, own_depths)
    teams = {str(run.pk): run.team.name for run in runs}
    return Preview(rows, _counts(own.unique_to_runs()), _counts(own.unique_to(teams)))


@dataclass(frozen=True)
class DrawPreview:
    """Preview of a draw: items and new items, in total and by topic, and hours per assessor."""

    size: int
    new_count: int
    hours: float | None
    topics: tuple[tuple[str, int, int], ...]  # topic, items, new items
    empty_count: int = 0  # pairs excluded: neither text nor picture
    bare_count: int = 0  # pairs without the picture or text to be graded
    is_bare_left_out: bool = False

    @property
    def least(self) -> int:
        """Return the items of the smallest topic."""
        return min(size for _, size, _ in self.topics)

    @property
    def most(self) -> int:
        """Return the items of the largest topic."""
        return max(size for _, size, _ in self.topics)


def preview_draw(draw: Draw, pooled: Iterable[tuple[str, str]], workload: Workload) -> DrawPreview:
    """Count the items of a draw; ``pooled`` are the (topic, docno) pairs already frozen."""
    old = set(pooled)
    topics = tuple(
        (topic, len(items), sum((topic, item.docno) not in old for item in items))
        for topic, items in draw.drawn.items()
    )
    new_count = sum(new for _, _, new in topics)
    return DrawPreview(
        sum(size for _, size, _ in topics),
        new_count,
        workload.hours(new_count),
        topics,
        draw.empty_count,
        draw.bare_count,
        draw.is_bare_left_out,
    )


def _row(
    depth: int, pool: DepthPool, old: set[tuple[str, str]], largest: int, workload: Workload
) -> PreviewRow:
    pairs = {(topic, docno) for topic, docnos in pool.topics.items() for docno in docnos}
    sizes = [len(docnos) for docnos in pool.topics.values()]
    new_count = len(pairs - old)
    return PreviewRow(
        depth,
        pool.size,
        new_count,
        sum(_counts(pool.unique_to_runs()).values()) / pool.size,
        round(100 * pool.size / largest, 1),
        min(sizes),
        max(sizes),
        pool.overlap,
        workload.hours(new_count),
    )


def _counts(unique: Mapping[str, Docnos]) -> dict[str, int]:
    return {owner: sum(map(len, topics.values())) for owner, topics in unique.items()}


def _top_docnos(runs: Sequence[Run]) -> dict[str, dict[str, list[str]]]:
    # Cut rankings in the database: 1,000 results a topic would transfer over ten times as much.
    beginning = Value(rf"^(?:[^\n]*\n){{0,{DEPTHS[-1] - 1}}}[^\n]*")
    top = Func(F("docnos"), beginning, function="substring", output_field=TextField())
    found: dict[str, dict[str, list[str]]] = defaultdict(dict)
    rankings = Ranking.objects.filter(run__in=runs).without_drafts()
    for run, topic, docnos in rankings.values_list("run", "topic", top):
        found[str(run)][topic] = docnos.split("\n")
    return dict(found)
