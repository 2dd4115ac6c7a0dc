"""Preview pools at several depths before one is frozen."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast

import numpy as np
from django.core.cache import caches
from django.db import connection
from numpy.typing import NDArray

from evaluation.collections.models import Document
from evaluation.submissions.pools.actions import Draw
from evaluation.submissions.runs.models import Run
from evaluation.submissions.runs.rankings import DOCUMENT_NUMBER, HEAD, Ranking
from evaluation.tracks.models import Task, TaskKind
from evaluation.tracks.panels import Workload
from trackside.arrays import Ints
from trackside.pooling.heads import DepthCounts, HeadCounts

DEPTHS = (5, 10, 20, 25, 30, 40, 50, 100)  # at most those of a ranking's head
COUNTS_LAST = 24 * 3600  # seconds in the cache of each process


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
    overlap: float | None  # share of results that add no item, because another run adds it
    hours: float | None  # per assessor, for the new items


@dataclass(frozen=True)
class PoolPreview:
    """Pools by depth, and counts of items from a single run (by primary key) or a single team (by name).

    They are counted at the depths set for the runs, but at most ``deepest``. There ``empty_count`` items have
    neither text nor picture, and ``bare_count`` others lack what is graded.
    """

    rows: tuple[PreviewRow, ...]
    unique_counts: Mapping[str, int]
    team_counts: Mapping[str, int]
    empty_count: int
    bare_count: int
    deepest: int = HEAD


def preview_pools(task: Task, runs: Sequence[Run], workload: Workload) -> PoolPreview:
    """Count the items of pools of the task's runs at several depths, and at the depths that are set."""
    lacking = _lacking(task)
    counted = partial(_count, task, runs, lacking)
    cached = caches["pages"].get_or_set(_cache_key(task, runs, lacking), counted, COUNTS_LAST)
    counts = cast("HeadCounts", cached)
    numbers, teams = _numbers_of_runs(runs), _numbers_of_teams(runs)
    largest = max((sum(count.sizes) for count in counts.by_depth.values()), default=0)
    rows = [
        _row(depth, count, largest, workload) for depth, count in counts.by_depth.items() if sum(count.sizes)
    ]
    return PoolPreview(
        tuple(rows),
        {str(run): int(counts.run_uniques[number]) for run, number in numbers.items()},
        {team: int(counts.team_uniques[number]) for team, number in teams.items()},
        counts.lacking_counts["empty"],
        counts.lacking_counts["bare"],
    )


def _count(task: Task, runs: Sequence[Run], lacking: Mapping[str, NDArray[np.uint64]]) -> HeadCounts:
    numbers, teams = _numbers_of_runs(runs), _numbers_of_teams(runs)
    counts = HeadCounts(
        DEPTHS,
        np.array([run.depth_in_pool for run in runs], dtype=np.int64),
        np.array([teams[run.team.name] for run in runs], dtype=np.int64),
    )
    pooled = _pooled(task)
    for topic, of_topic, lengths, heads in _heads(runs):
        indices = np.array([numbers[run] for run in of_topic], dtype=np.int64)
        counts.add_topic(heads, lengths, indices, pooled.get(topic, NONE), lacking)
    return counts


def _cache_key(task: Task, runs: Sequence[Run], lacking: Mapping[str, NDArray[np.uint64]]) -> str:
    """Return a hash of all that the counts depend on: rankings and pools are immutable."""
    state = {
        "runs": [(run.pk, run.depth_in_pool, run.team.name) for run in runs],
        "pools": list(task.pools.order_by("pk").values_list("pk", flat=True)),
        "drafts": list(task.topics.drafts().order_by("pk").values_list("number", flat=True)),
        "lacking": {name: hashlib.sha256(numbers.tobytes()).hexdigest() for name, numbers in lacking.items()},
    }
    return f"pool-preview-{task.pk}-{hashlib.sha256(json.dumps(state).encode()).hexdigest()}"


def _numbers_of_runs(runs: Sequence[Run]) -> dict[int, int]:
    return {run.pk: number for number, run in enumerate(runs)}


def _numbers_of_teams(runs: Sequence[Run]) -> dict[str, int]:
    return {team: number for number, team in enumerate(dict.fromkeys(run.team.name for run in runs))}


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


def _row(depth: int, counts: DepthCounts, largest: int, workload: Workload) -> PreviewRow:
    size = sum(counts.sizes)
    sizes = [count for count in counts.sizes if count]
    return PreviewRow(
        depth,
        size,
        counts.new_count,
        counts.unique_count / size,
        round(100 * size / largest, 1),
        min(sizes),
        max(sizes),
        1 - size / counts.slot_count,
        workload.hours(counts.new_count),
    )


NUMBER = np.dtype(np.uint64)
NONE = np.array([], dtype=NUMBER)
HEADS = """
    SELECT topic, array_agg(run), array_agg(octet_length(head)), string_agg(head, ''::bytea)
    FROM ({rankings}) AS ranking GROUP BY topic
"""


def _heads(runs: Sequence[Run]) -> Iterable[tuple[str, list[int], Ints, NDArray[np.uint64]]]:
    """Yield each topic with its runs, how many documents the head of each has, and their numbers."""
    if not runs:
        return  # Django writes no statement for them
    rankings = Ranking.objects.filter(run__in=runs).without_drafts().order_by().values("run", "topic", "head")
    statement, parameters = rankings.query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(HEADS.format(rankings=statement), parameters)
        for topic, of_topic, sizes, heads in cursor.fetchall():
            yield topic, of_topic, np.array(sizes, dtype=np.int64) // NUMBER.itemsize, _numbers(heads)


POOLED = """
    SELECT topic, string_agg(numbers, ''::bytea)
    FROM evaluation_pooltopic JOIN evaluation_pool AS pool ON pool.id = pool_id
    WHERE task_id = %s GROUP BY topic
"""
LACKING = f"""
    SELECT string_agg({DOCUMENT_NUMBER.format(docno="docno")}, ''::bytea) FROM ({{documents}}) AS document
"""  # noqa: S608 - our own constant


def _pooled(task: Task) -> dict[str, NDArray[np.uint64]]:
    with connection.cursor() as cursor:
        cursor.execute(POOLED, [task.pk])
        return {topic: np.sort(_numbers(numbers)) for topic, numbers in cursor.fetchall()}


def _lacking(task: Task) -> dict[str, NDArray[np.uint64]]:
    """Return documents, ascending: those with neither text nor picture, others without what is graded."""
    documents = Document.objects.filter(collection=task.collection_id)
    bare = documents.without_what_is_shown(TaskKind(task.kind))
    kinds = {
        "empty": documents.without_content(),
        "bare": bare.exclude(pk__in=documents.without_content().values("pk")),
    }
    lacking = {}
    with connection.cursor() as cursor:
        for name, rows in kinds.items():
            statement, parameters = rows.order_by().values("docno").query.sql_with_params()
            cursor.execute(LACKING.format(documents=statement), parameters)
            ((numbers,),) = cursor.fetchall()
            lacking[name] = np.sort(_numbers(numbers or b""))
    return lacking


def _numbers(content: bytes) -> NDArray[np.uint64]:
    return np.frombuffer(content, dtype=NUMBER)
