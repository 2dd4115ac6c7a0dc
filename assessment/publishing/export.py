"""Export every judgment of a task as a file."""

from __future__ import annotations

import json
from itertools import chain
from typing import TYPE_CHECKING, Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, StreamingHttpResponse
from django.views.decorators.http import require_safe

from assessment.models.judgment import Judgment
from assessment.models.remark import Remark
from assessment.publishing.actions import find_pseudonyms
from evaluation.core.text.csv_cells import csv_parts
from evaluation.tracks.lookups import find_organized_task

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from evaluation.access.people import User
    from evaluation.access.requests import SignedInRequest
    from evaluation.tracks.models import Task

    Row = dict[str, Any]

COLUMNS = (
    "event",
    "assessor",
    "topic",
    "docno",
    "purpose",
    "grade",
    "reason",
    "undoes",
    "comment",
    "is_flagged",
    "replies",
    "criteria",
    "image_sha256",
    "shown_at",
    "judged_at",
    "active_seconds",
)
NAMED = ("name", "email")
TYPES = {"csv": "text/csv; charset=utf-8", "jsonl": "application/jsonl"}


@login_required
@require_safe
def judgments_export(request: SignedInRequest, track: str, task: str, form: str) -> StreamingHttpResponse:
    """Export every event by pseudonym; ``?names=yes`` adds name and email.

    Judgments and undos come first, in order, then the remarks: rows without grade, reason and undoes.
    A person with remarks only has no pseudonym yet.
    """
    if form not in TYPES:
        raise Http404
    found = find_organized_task(request, track, task)
    has_names = request.GET.get("names") == "yes"
    rows = _rows(found, has_names=has_names)
    columns = [*COLUMNS, *(NAMED if has_names else ())]
    lines = _csv_lines(rows, columns) if form == "csv" else _json_lines(rows)
    file_name = f"{track}-{task}-judgments.{form}"
    headers = {"Content-Disposition": f'attachment; filename="{file_name}"'}
    return StreamingHttpResponse(lines, content_type=TYPES[form], headers=headers)


def _rows(task: Task, *, has_names: bool) -> Iterator[Row]:
    pseudonyms = find_pseudonyms(task=task)
    events = Judgment.objects.filter(task=task).select_related("assessor", "criteria", "undoes")
    for each in events.order_by("pk").iterator(chunk_size=2_000):
        values = (
            str(each.client_uuid),
            pseudonyms[each.assessor_id],
            each.topic,
            each.docno,
            each.purpose,
            each.grade,
            each.reason or None,
            str(each.undoes.client_uuid) if each.undoes else None,
            each.comment,
            each.is_flagged,
            each.replies,
            each.criteria.version,
            each.image_sha256 or None,
            each.shown_at.isoformat() if each.shown_at else None,
            each.judged_at.isoformat(),
            each.active_seconds,
        )
        yield _row(values, each.assessor, has_names=has_names)
    for remark in Remark.objects.filter(task=task).select_related("assessor").order_by("pk").iterator():
        yield _row(_remark_values(remark, pseudonyms), remark.assessor, has_names=has_names)


def _remark_values(remark: Remark, pseudonyms: dict[int, str]) -> tuple[object, ...]:
    said = {
        "event": str(remark.client_uuid),
        "assessor": pseudonyms.get(remark.assessor_id),
        "topic": remark.topic,
        "docno": remark.docno,
        "purpose": remark.purpose,
        "comment": remark.comment,
        "is_flagged": remark.is_flagged,
        "judged_at": remark.made_at.isoformat(),
    }
    return tuple(said.get(column) for column in COLUMNS)


def _row(values: tuple[object, ...], assessor: User, *, has_names: bool) -> Row:
    row = dict(zip(COLUMNS, values, strict=True))
    return row | ({"name": assessor.name, "email": assessor.email} if has_names else {})


def _json_lines(rows: Iterable[Row]) -> Iterator[str]:
    for row in rows:
        yield json.dumps(row, ensure_ascii=False) + "\n"


def _csv_lines(rows: Iterable[Row], columns: list[str]) -> Iterator[str]:
    return csv_parts(chain([columns], ([_cell(row[column]) for column in columns] for row in rows)))


def _cell(value: object) -> object:
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False) if value else None
    return value
