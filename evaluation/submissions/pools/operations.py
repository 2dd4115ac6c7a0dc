"""Operations on pools: freeze one, and preview what would be drawn."""

from dataclasses import asdict
from typing import Any

from django.db.models import F
from django.urls import reverse

from evaluation.platform.access.people import User
from evaluation.submissions.pools.actions import (
    build_pool,
    check_freezable,
    draw_pool,
    find_depths,
    find_judged,
    is_unpooled,
)
from evaluation.submissions.pools.forms import PoolBuildForm, PoolingMethod
from evaluation.submissions.pools.models import Pool, PoolItem
from evaluation.submissions.pools.preview import preview_draw
from evaluation.submissions.runs.models import RunQuerySet
from evaluation.tracks.models import Task, TaskKind
from evaluation.tracks.panels import workload_of
from evaluation.tracks.work.operations.actions import (
    OperationKind,
    OperationResult,
    register_operation,
    start_operation,
)
from evaluation.tracks.work.operations.models import Operation
from trackside.errors import InputError
from trackside.pooling.recipes import check_strata

FREEZE, PREVIEW = "pool_freeze", "pool_preview"


def find_runs(task: Task) -> RunQuerySet:
    """Return the runs that a pool of the task can be drawn from."""
    runs = task.runs.accepted().select_related("team")  # each run has the task itself
    conditions = {"is_unpooled": is_unpooled(task)}
    return runs.annotate(**conditions).order_by("team__name", F("pool_priority").asc(nulls_last=True), "tag")


def request_pool(*, task: Task, form: PoolBuildForm, by: User, is_preview: bool = False) -> Operation:
    """Queue the freezing of a pool, or its preview, by a checked form.

    Raises pool-name-taken, late-runs-expected, no-runs-to-pool, strata-do-not-rise, OperationUnderWay.
    """
    name = form.cleaned_data["name"]
    if not is_preview:
        check_freezable(task, name, without_waiting=form.cleaned_data["without_waiting"])
    find_depths(task, form.depths)
    if form.cleaned_data["method"] == PoolingMethod.STRATA:
        check_strata(form.stratum_list)
    kind = PREVIEW if is_preview else FREEZE
    return start_operation(task=task, kind=kind, about=name, options=form.options, by=by)


def _freeze(operation: Operation) -> OperationResult:
    name = operation.options["name"]
    pool = build_pool(
        **_drawn_from(operation),
        name=name,
        by=operation.requested_by,
        without_waiting=operation.options.get("without_waiting", False),
    )
    return OperationResult(
        f"Pool {pool.name} is frozen: {pool.items.count():,} items.{_missing_content(pool)}"
    )


def _missing_content(pool: Pool) -> str:
    """Return a sentence on the items without what is graded; empty if there are none."""
    count = PoolItem.objects.bare(pool.task).filter(pool=pool).count()
    what = "picture" if TaskKind(pool.task.kind).retrieves_images else "text"
    return f" {count:,} of them have no {what}. Import it before they are graded." if count else ""


def _preview(operation: Operation) -> OperationResult:
    draw = draw_pool(**_drawn_from(operation))
    pooled = PoolItem.objects.filter(pool__task=operation.task_id).values_list("topic", "docno")
    preview = preview_draw(draw, pooled, workload_of(operation.task))
    return OperationResult(f"{preview.size:,} items would be drawn.", asdict(preview))


def _drawn_from(operation: Operation) -> dict[str, Any]:
    """Return the arguments of ``draw_pool``; without a method, the defaults. Raises runs-changed."""
    if "method" not in operation.options:
        return {"task": operation.task, "seed": operation.options["seed"]}
    form = PoolBuildForm(operation.options, runs=find_runs(operation.task))
    if not form.is_valid():
        raise InputError(
            "The accepted runs have changed since the form was sent. Set their depths again.",
            code="runs-changed",
        )
    return {
        "task": operation.task,
        "seed": form.cleaned_data["seed"],
        "depths": form.depths,
        "recipe": form.recipe(*find_judged(task=operation.task)),
        "leaves_out_bare": form.cleaned_data["leaves_out_bare"],
    }


def _page_of_pools(operation: Operation) -> str:
    return reverse("pool_build", args=[operation.task.track.slug, operation.task.slug])


def _page_of_preview(operation: Operation) -> str:
    return reverse("pool_preview", args=[operation.task.track.slug, operation.task.slug, operation.pk])


def register_operations() -> None:
    """Register the kinds of operations on pools."""
    register_operation(OperationKind(FREEZE, "Freeze a pool", _freeze, _page_of_pools, "Frozen pools"))
    register_operation(
        OperationKind(PREVIEW, "Preview a pool", _preview, _page_of_preview, "Show the preview")
    )
