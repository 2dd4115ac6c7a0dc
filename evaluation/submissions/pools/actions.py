"""Draw and freeze pools."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Now

from evaluation.collections.actions import find_bare
from evaluation.platform.access.people import User
from evaluation.submissions.pools.models import Pool, PoolItem, PoolKind, PoolRun, UndrawnPair
from evaluation.submissions.runs.late_exceptions import LateException
from evaluation.submissions.runs.models import Run, RunQuerySet, RunState
from evaluation.submissions.runs.rankings import Ranking
from evaluation.tracks.models import Task
from evaluation.tracks.work.table_rows import copy_rows
from trackside.errors import InputError
from trackside.pooling.depth import presentation_order
from trackside.pooling.recipes import (
    AdaptiveRecipe,
    BudgetRecipe,
    DepthRecipe,
    Rankings,
    Recipe,
    SampledItem,
    SampleRecipe,
)
from trackside.text.time_zones import format_in_zone


def find_judged(*, task: Task) -> tuple[dict[tuple[str, str], bool], dict[str, Any]]:
    """Return whether each pooled (topic, docno) is relevant in the latest qrels from people, and a log.

    Pairs without a grade count as not relevant. The log names the qrels by version and hash (null if none
    are published) and the pools in the order in which they were frozen.
    """
    qrels = task.qrels.filter(kind="human").order_by("-created_at", "-pk").first()
    pairs = set(PoolItem.objects.filter(pool__task=task).values_list("topic", "docno"))
    relevant: set[tuple[str, str]] = set()
    if qrels:
        graded = qrels.pairs.filter(grade__gte=task.relevance_level)
        relevant = set(graded.values_list("topic", "docno"))
    log = {
        "qrels": {"name": qrels.name, "version": qrels.version, "sha256": qrels.sha256} if qrels else None,
        "relevance_level": task.relevance_level,
        "pools": list(task.pools.order_by("created_at", "pk").values_list("name", flat=True)),
    }
    return {pair: pair in relevant for pair in pairs}, log


@dataclass(frozen=True)
class Draw:
    """The runs with their depths, and every document, drawn or not, by topic in byte order.

    ``empty_count`` counts pairs excluded because nobody can grade them: neither text nor picture.
    ``bare_count`` counts pairs without what the task retrieves, a picture or a text; ``is_bare_left_out``
    is true if they were excluded.
    """

    depth_of: dict[Run, int]
    recipe: Recipe
    items: dict[str, list[SampledItem]]
    empty_count: int = 0
    bare_count: int = 0
    is_bare_left_out: bool = False

    @property
    def drawn(self) -> dict[str, list[SampledItem]]:
        """Return the drawn documents by topic; topics without any are absent."""
        drawn = {topic: [item for item in items if item.is_drawn] for topic, items in self.items.items()}
        return {topic: items for topic, items in drawn.items() if items}


def draw_pool(
    *,
    task: Task,
    seed: int,
    depths: Mapping[int, int] | None = None,
    recipe: Recipe | None = None,
    leaves_out_bare: bool = False,
) -> Draw:
    """Draw from the task's accepted runs, excluding draft topics and documents without any content.

    Equal arguments draw the same while runs, topics and judgments do not change.
    ``depths`` gives the depth by the run's primary key and excludes other runs; None takes each run to the
    depth set for it. ``recipe`` draws from the results down to these depths; None takes all of them. ``seed``
    fixes random choices. ``leaves_out_bare`` also excludes documents without what the task retrieves: a
    picture, or a text. Raises no-runs-to-pool, nothing-drawn, strata-do-not-rise.
    """
    recipe = recipe or DepthRecipe()
    depth_of = find_depths(task, depths)
    rankings = _rankings(depth_of)
    pairs = {(topic, docno) for topic, runs in rankings.items() for head in runs.values() for docno in head}
    empty, bare = find_bare(task=task, docnos=(docno for _, docno in pairs))
    left_out = empty | bare if leaves_out_bare else empty
    allowed = {topic: _without(runs, left_out) for topic, runs in rankings.items()}
    draw = Draw(
        depth_of,
        recipe,
        {topic: recipe.draw(allowed[topic], topic=topic, seed=seed) for topic in sorted(allowed)},
        empty_count=sum(docno in empty for _, docno in pairs),
        bare_count=sum(docno in bare - empty for _, docno in pairs),
        is_bare_left_out=leaves_out_bare,
    )
    if not draw.drawn:
        words = f" {len(left_out):,} documents without content were left out." if left_out else ""
        raise InputError(
            f"{task}: the runs have nothing more to draw.{words} Give the runs greater depths.",
            code="nothing-drawn",
        )
    return draw


def _without(rankings: Rankings, left_out: set[str]) -> dict[str, list[str]]:
    """Return the rankings of one topic without some documents; runs with no document left are absent."""
    kept = {run: [docno for docno in docnos if docno not in left_out] for run, docnos in rankings.items()}
    return {run: docnos for run, docnos in kept.items() if docnos}


def find_depths(task: Task, depths: Mapping[int, int] | None) -> dict[Run, int]:
    """Return the runs to draw from with depths; ``depths`` as in ``draw_pool``. Raises no-runs-to-pool."""
    runs = task.runs.accepted().select_related("team").order_by("pk")
    wanted = {run.pk: run.depth_in_pool for run in runs} if depths is None else depths
    depth_of = {run: wanted[run.pk] for run in runs if wanted.get(run.pk)}
    if not depth_of:
        raise InputError(
            f"{task}: no accepted run to pool. Wait for runs, or give one of them a depth.",
            code="no-runs-to-pool",
        )
    return depth_of


def _rankings(depth_of: Mapping[Run, int]) -> Mapping[str, Rankings]:
    """Return each run's documents down to its depth, by topic; runs without results for it are absent."""
    depth_by_key = {run.pk: depth for run, depth in depth_of.items()}
    rankings: dict[str, dict[str, list[str]]] = defaultdict(dict)
    rows = Ranking.objects.filter(run__in=depth_of).without_drafts()
    for run, topic, docnos in rows.top_docnos(max(depth_by_key.values())):
        rankings[topic][str(run)] = docnos[: depth_by_key[run]]
    return rankings


@transaction.atomic
def freeze_pairs(
    *, task: Task, name: str, pairs: Iterable[tuple[str, str]], reason: dict[str, Any], seed: int, by: User
) -> Pool:
    """Freeze a pool of kind `check` of these (topic, docno) pairs, topic by topic in the seed's order.

    ``reason`` holds JSON values that describe how they were chosen. Raises pool-name-taken.
    """
    task = Task.objects.select_for_update(no_key=True).get(pk=task.pk)
    if task.pools.filter(name=name).exists():
        raise InputError(f"{task} has a pool {name} already, and pools are frozen.", code="pool-name-taken")
    by_topic: dict[str, list[str]] = defaultdict(list)
    for topic, docno in pairs:
        by_topic[topic].append(docno)
    pool = Pool.objects.create(
        task=task, name=name, kind=PoolKind.CHECK, recipe=reason, seed=seed, created_by=by
    )
    ordered = [
        (topic, docno)
        for topic in sorted(by_topic)
        for docno in presentation_order(by_topic[topic], topic=topic, seed=seed)
    ]
    PoolItem.objects.bulk_create(
        PoolItem(pool=pool, topic=topic, docno=docno, position=position)
        for position, (topic, docno) in enumerate(ordered)
    )
    return pool


MOST_NAMED = 5  # imports in a sentence
WAITING = {
    RunState.RECEIVED: "uploads that wait for their check",
    RunState.PARKED: "uploads whose check has stopped",
    RunState.ASKED: "uploads that their teams must confirm",
}
KINDS: dict[type[Recipe], PoolKind] = {
    DepthRecipe: PoolKind.DEPTH,
    BudgetRecipe: PoolKind.BUDGET,
    SampleRecipe: PoolKind.SAMPLE,
    AdaptiveRecipe: PoolKind.ADAPTIVE,
}


@transaction.atomic
def build_pool(
    *,
    task: Task,
    name: str,
    seed: int,
    by: User,
    depths: Mapping[int, int] | None = None,
    recipe: Recipe | None = None,
    leaves_out_bare: bool = False,
    without_waiting: bool = False,
) -> Pool:
    """Freeze what ``draw_pool`` draws; ``seed`` also fixes the order of the items.

    ``without_waiting`` freezes although imports or uploads of runs have not ended.

    Raises no-runs-to-pool, nothing-drawn, pool-name-taken, late-runs-expected, runs-not-checked,
    strata-do-not-rise.
    """
    task = Task.objects.select_for_update(no_key=True).get(pk=task.pk)
    check_freezable(task, name, without_waiting=without_waiting)
    # Locked runs stay accepted until the pool is frozen; later only organizers may withdraw them.
    list(Run.objects.accepted().filter(task=task).select_for_update(no_key=True).values_list("pk"))
    draw = draw_pool(task=task, seed=seed, depths=depths, recipe=recipe, leaves_out_bare=leaves_out_bare)
    kind = KINDS[type(draw.recipe)]
    pool = Pool.objects.create(
        task=task, name=name, kind=kind, recipe=_recipe(draw), seed=seed, created_by=by
    )
    runs = draw.depth_of.items()
    PoolRun.objects.bulk_create(PoolRun(pool=pool, run=run, depth=depth) for run, depth in runs)
    _copy_items(pool, _ordered(draw.drawn, seed))
    _copy_undrawn(pool, draw.items)
    return pool


def is_unpooled(task: Task | OuterRef) -> CombinedExpression | Q:
    """Return the condition that no pool was drawn from a run although the task has pools."""
    pools = Pool.objects.filter(task=task).exclude(kind=PoolKind.CHECK)
    return Exists(pools) & ~Exists(PoolRun.objects.filter(run=OuterRef("pk")))


def unpooled_runs(task: Task) -> RunQuerySet:
    """Return the accepted runs that no pool was drawn from; none as long as there is no pool."""
    return task.runs.accepted().filter(is_unpooled(task))


def waiting_runs(task: Task) -> list[str]:
    """Return in words what may still bring accepted runs: imports and uploads that have not ended."""
    imports = task.imports.filter(kind="runs", removed_at__isnull=True).exclude(state__in=("done", "failed"))
    states = Run.objects.filter(task=task, state__in=WAITING).order_by().values_list("state")
    counts = dict(states.annotate(Count("pk")))
    words = [f"the import {row} is {row.get_state_display()}" for row in imports.order_by("pk")[:MOST_NAMED]]
    return words + [f"{WAITING[RunState(state)]}: {counts[state]:,}" for state in WAITING if state in counts]


def check_freezable(task: Task, name: str, *, without_waiting: bool = False) -> None:
    """Raise pool-name-taken, late-runs-expected or runs-not-checked if no pool of that name can be frozen."""
    if task.pools.filter(name=name).exists():
        raise InputError(
            f"{task} has a pool {name} already, and pools are frozen. Choose another name.",
            code="pool-name-taken",
        )
    granted = LateException.objects.open_at(Now()).filter(task=task).select_related("team").first()
    if granted:
        raise InputError(
            f"{granted.team} has an exception until {format_in_zone(granted.closes_at, task.time_zone)}: its "
            "runs would miss the pool. Wait until then, or withdraw the exception.",
            code="late-runs-expected",
        )
    if not without_waiting and (waiting := waiting_runs(task)):
        raise InputError(
            f"Runs would miss the pool: {'; '.join(waiting)}. Wait, confirm or remove them, or freeze "
            "without the runs that wait.",
            code="runs-not-checked",
        )


def _recipe(draw: Draw) -> dict[str, Any]:
    """Return the recipe as JSON, with the counts of excluded pairs if there are any."""
    left_out = {"empty": draw.empty_count, "bare": draw.bare_count if draw.is_bare_left_out else 0}
    counts = {name: count for name, count in left_out.items() if count}
    return draw.recipe.to_json() | ({"left_out": counts} if counts else {})


def _ordered(drawn: Mapping[str, Sequence[SampledItem]], seed: int) -> list[tuple[str, SampledItem]]:
    ordered = []
    for topic, items in drawn.items():
        by_docno = {item.docno: item for item in items}
        ordered += [
            (topic, by_docno[docno]) for docno in presentation_order(by_docno, topic=topic, seed=seed)
        ]
    return ordered


def _copy_items(pool: Pool, items: Sequence[tuple[str, SampledItem]]) -> None:
    columns = ("pool_id", "topic", "docno", "position", "stratum", "chance")
    sampled = ((item.stratum, item.chance) if item.stratum else (None, None) for _, item in items)
    named = ((pool.pk, topic, item.docno, position) for position, (topic, item) in enumerate(items))
    copy_rows(PoolItem, columns, ((*row, *drawn) for row, drawn in zip(named, sampled, strict=True)))


def _copy_undrawn(pool: Pool, everything: Mapping[str, Sequence[SampledItem]]) -> None:
    undrawn = (
        (pool.pk, topic, item.docno, item.stratum)
        for topic, items in everything.items()
        for item in items
        if not item.is_drawn
    )
    copy_rows(UndrawnPair, ("pool_id", "topic", "docno", "stratum"), undrawn)
