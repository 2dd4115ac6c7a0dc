"""Tables of a task for organizers: runs, teams, faults and pools."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from evaluation.core.text.csv_cells import escape_formula
from evaluation.pools.models import PoolRun
from evaluation.runs.models import Run
from evaluation.runs.submission import SubmissionQuestion, TeamLimit, with_submissions
from evaluation.teams.models import Team
from evaluation.tracks.lookups import find_organized_task

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from evaluation.access.requests import SignedInRequest
    from evaluation.tracks.models import Task

    Row = dict[str, Any]


CHUNK = 200  # runs per query, with their verdicts


@require_safe
@login_required
def task_file(request: SignedInRequest, track: str, task: str, rows: str, form: str) -> HttpResponse:
    """Send one table as CSV, its lists joined by blanks, or as JSON."""
    found = find_organized_task(request, track, task)
    if rows not in TABLES or form not in WRITERS:
        raise Http404
    content_type, write = WRITERS[form]
    return HttpResponse(
        write(list(TABLES[rows](found))),
        content_type=f"{content_type}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{track}-{task}-{rows}.{form}"'},
    )


def _runs(task: Task) -> Iterator[Row]:
    runs = Run.objects.filter(task=task).select_related(
        "task", "team", "upload", "received_by", "replaces", "verdict"
    )
    names = list(SubmissionQuestion.objects.filter(task=task).values_list("name", flat=True))
    for run in runs.prefetch_related("families").order_by("pk").iterator(chunk_size=CHUNK):
        verdict = run.verdict.content if run.verdict else {"faults": [], "warnings": [], "summary": {}}
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
            "checked_at": _moment(run.checked_at),
            "replaces": run.replaces_id,
            "faults": [fault["code"] for fault in verdict["faults"]],
            "warnings": [fault["code"] for fault in verdict["warnings"]],
            "lines": verdict["summary"].get("line_count"),
            "topics": verdict["summary"].get("topic_count"),
            "documents": verdict["summary"].get("docno_count"),
            **{f"reply_{name}": run.replies.get(name, "") for name in names},
        }


def _teams(task: Task) -> Iterator[Row]:
    teams = with_submissions(Team.objects.filter(track=task.track), task)
    for team in teams.prefetch_related("memberships__user"):
        yield {
            "team": team.name,
            "is_baseline": team.is_baseline,
            "members": [membership.user.email for membership in team.memberships.all()],
            "runs_allowed": TeamLimit.objects.runs_allowed(task, team),
            **{
                state: getattr(team, f"{state}_count")
                for state in ("received", "parked", "accepted", "replaced", "rejected", "withdrawn")
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


def _csv(rows: list[Row]) -> str:
    lines = io.StringIO()
    if rows:
        writer = csv.DictWriter(lines, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            texts = {name: " ".join(cell) if isinstance(cell, list) else cell for name, cell in row.items()}
            writer.writerow({name: escape_formula(text) for name, text in texts.items()})
    return lines.getvalue()


def _json(rows: list[Row]) -> str:
    return json.dumps(rows, ensure_ascii=False, indent=1) + "\n"


TABLES: dict[str, Callable[[Task], Iterator[Row]]] = {
    "runs": _runs,
    "teams": _teams,
    "faults": _faults,
    "pools": _pools,
}
WRITERS: dict[str, tuple[str, Callable[[list[Row]], str]]] = {
    "csv": ("text/csv", _csv),
    "json": ("application/json", _json),
}
