"""Tables of a task for organizers: runs, teams, faults and pools."""

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import chain
from typing import Any

from django.db.models import F, Func, JSONField, Value
from django.db.models.functions import Coalesce
from django.http import Http404, StreamingHttpResponse

from evaluation.platform.access.limits.views import page_view
from evaluation.platform.access.requests import SignedInRequest
from evaluation.submissions.pools.models import PoolRun
from evaluation.submissions.runs.models import Run
from evaluation.submissions.runs.submission import SubmissionQuestion, TeamLimit, with_submissions
from evaluation.submissions.teams.models import Team
from evaluation.tracks.lookups import find_organized_task
from evaluation.tracks.models import Task
from trackside.text.csv_cells import csv_parts

Row = dict[str, Any]


CHUNK = 200  # runs per query
ALL, FIRST = "jsonb_path_query_array", "jsonb_path_query_first"
OF_VERDICT = {
    "faults": (ALL, "$.faults[*].code"),
    "warnings": (ALL, "$.warnings[*].code"),
    "lines": (FIRST, "$.summary.line_count"),
    "topics": (FIRST, "$.summary.topic_count"),
    "documents": (FIRST, "$.summary.docno_count"),
}


@page_view
def task_file(request: SignedInRequest, track: str, task: str, rows: str, form: str) -> StreamingHttpResponse:
    """Send one table as CSV, its lists joined by blanks, or as JSON."""
    track_task = find_organized_task(request, track, task)
    if rows not in TABLES or form not in WRITERS:
        raise Http404
    content_type, write = WRITERS[form]
    return StreamingHttpResponse(
        write(TABLES[rows](track_task)),
        content_type=f"{content_type}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{track}-{task}-{rows}.{form}"'},
    )


def _runs(task: Task) -> Iterator[Row]:
    """Yield one row per run; read only the shown parts of its verdict, which can have 64 kB."""
    runs = Run.objects.filter(task=task).select_related("task", "team", "upload", "received_by")
    runs = runs.annotate(**{f"{name}_found": _found(*path) for name, path in OF_VERDICT.items()})
    names = list(SubmissionQuestion.objects.filter(task=task).values_list("name", flat=True))
    for run in runs.prefetch_related("families").order_by("pk").iterator(chunk_size=CHUNK):
        yield {
            "run": run.pk,
            "tag": run.tag,
            "team": run.team.name,
            "is_baseline": run.team.is_baseline,
            "state": run.state,
            "type": run.type,
            "description": run.description,
            "backbone": run.backbone,
            "suggested_family": run.suggested_family,
            "families": [family.name for family in run.families.all()],
            "pool_depth": run.depth_in_pool,
            "pool_priority": run.pool_priority,
            "file_name": run.file_name,
            "sha256": run.upload_id,
            "size": run.upload.size,
            "received_at": _moment(run.received_at),
            "received_by": run.received_by.email,
            "is_late": run.is_late,
            "has_exception": run.late_exception_id is not None,
            "checked_at": _moment(run.checked_at),
            "replaces": run.replaces_id,
            **{name: getattr(run, f"{name}_found") for name in OF_VERDICT},
            **{f"reply_{name}": run.replies.get(name, "") for name in names},
        }


def _found(function: str, path: str) -> Func:
    """Return an expression for the value at a JSON path of PostgreSQL in the run's verdict."""
    content = Coalesce(F("verdict__content"), Value({}, JSONField()))
    return Func(content, Value(path), function=function, output_field=JSONField())


def _teams(task: Task) -> Iterator[Row]:
    teams = with_submissions(Team.objects.filter(track=task.track), task)
    listed = list(teams.prefetch_related("memberships__user"))
    allowed = TeamLimit.objects.runs_allowed_each(task, listed)
    for team in listed:
        yield {
            "team": team.name,
            "is_baseline": team.is_baseline,
            "members": [membership.user.email for membership in team.memberships.all()],
            "runs_allowed": allowed[team.pk],
            **{
                state: getattr(team, f"{state}_count")
                for state in ("received", "parked", "asked", "accepted", "replaced", "rejected", "withdrawn")
            },
            "last_at": _moment(getattr(team, "last_at", None)),
        }


def _faults(task: Task) -> Iterator[Row]:
    runs = Run.objects.filter(task=task, verdict__isnull=False).select_related("team", "verdict")
    for run in runs.order_by("pk").iterator(chunk_size=CHUNK):
        verdict = run.verdict.content if run.verdict else {}
        for fault in [*verdict["faults"], *verdict["warnings"]]:
            yield {
                "run": run.pk,
                "tag": run.tag,
                "team": run.team.name,
                "file_name": run.file_name,
                "received_at": _moment(run.received_at),
                "state": run.state,
                "severity": fault["severity"],
                "code": fault["code"],
                "title": fault["title"],
                "count": fault["count"],
                "unit": fault["unit"],
                "first_line": fault["first_line"],
                "first_topic": fault["first_topic"],
                "topics": fault["topic_count"],
                "note": fault["note"],
            }


def _pools(task: Task) -> Iterator[Row]:
    """Yield one row per run of each pool; a pool without runs gets one row with neither run nor depth."""
    rows = (
        PoolRun.objects.filter(pool__task=task)
        .order_by("pool", "run")
        .values_list("pool", "run", "run__tag", "run__team__name", "depth")
    )
    runs: dict[int, list[tuple[Any, ...]]] = {}
    for key, *run in rows:
        runs.setdefault(key, []).append(tuple(run))
    for pool in task.pools.with_size().select_related("created_by").order_by("pk"):
        for number, tag, team, depth in runs.get(pool.pk, [(None, "", "", None)]):
            yield {
                "pool": pool.name,
                "kind": pool.kind,
                "recipe": json.dumps(pool.recipe),
                "seed": pool.seed,
                "created_at": _moment(pool.created_at),
                "created_by": pool.created_by.email,
                "topics": pool.topic_count,
                "items": pool.item_count,
                "run": number,
                "tag": tag,
                "team": team,
                "depth": depth,
            }


def _moment(moment: datetime | None) -> str | None:
    return moment.isoformat(timespec="microseconds") if moment else None


def _csv(rows: Iterator[Row]) -> Iterator[str]:
    first = next(rows, None)
    if first is not None:
        cells = ([_cell(row[name]) for name in first] for row in chain([first], rows))
        yield from csv_parts(chain([list(first)], cells), line_end="\n")


def _cell(value: object) -> object:
    return " ".join(value) if isinstance(value, list) else value


def _json(rows: Iterator[Row]) -> Iterator[str]:
    yield json.dumps(list(rows), ensure_ascii=False, indent=1) + "\n"


TABLES: dict[str, Callable[[Task], Iterator[Row]]] = {
    "runs": _runs,
    "teams": _teams,
    "faults": _faults,
    "pools": _pools,
}
WRITERS: dict[str, tuple[str, Callable[[Iterator[Row]], Iterator[str]]]] = {
    "csv": ("text/csv", _csv),
    "json": ("application/json", _json),
}
