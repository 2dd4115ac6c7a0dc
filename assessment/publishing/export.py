"""Export every judgment of a task as a file."""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from django.contrib.auth.decorators import login_required
from django.db.models import Q, QuerySet, TextField, Value
from django.db.models.functions import Cast, NullIf
from django.http import Http404, StreamingHttpResponse
from django.views.decorators.http import require_safe

from assessment.models.judgment import Judgment
from assessment.models.remark import Remark
from assessment.publishing.actions import find_pseudonyms
from evaluation.access.people import User
from evaluation.access.requests import SignedInRequest
from evaluation.tracks.lookups import find_organized_task
from evaluation.tracks.models import Task
from trackside.text.csv_cells import csv_parts
from trackside.text.json_lines import json_parts

Row = tuple[object, ...]
People = Mapping[int, tuple[str, ...]]

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
    "looks_back",
    "mode",
    "wall",
    "cell",
    "is_opened",
    "is_by_rest",
)
NAMED = ("name", "email")
OF_EVENT = (
    Cast("client_uuid", TextField()),
    "assessor",
    "topic",
    "docno",
    "purpose",
    "grade",
    NullIf("reason", Value("")),
    Cast("undoes__client_uuid", TextField()),
    "comment",
    "is_flagged",
    "replies",
    "criteria__version",
    NullIf("image_sha256", Value("")),
    "shown_at",
    "judged_at",
    "active_seconds",
    "looks_back",
    NullIf("mode", Value("")),
    "wall",
    "cell",
    "is_opened",
    "is_by_rest",
)
CHUNK = 2_000  # rows
TYPES = {"csv": "text/csv; charset=utf-8", "jsonl": "application/jsonl"}


@login_required
@require_safe
def judgments_export(request: SignedInRequest, track: str, task: str, form: str) -> StreamingHttpResponse:
    """Export every event by pseudonym; ``?names=yes`` adds name and email.

    Judgments and undos come first, in order, then the remarks: rows without grade, reason and undoes.
    A person without a judgment has no pseudonym yet.
    """
    if form not in TYPES:
        raise Http404
    found = find_organized_task(request, track, task)
    has_names = request.GET.get("names") == "yes"
    people = {user.pk: (user.name, user.email) if has_names else () for user in _judging(found)}
    rows = chain(_events(found, people), _remarks(found, people))
    columns = [*COLUMNS, *(NAMED if has_names else ())]
    lines = (
        _csv_lines(rows, columns)
        if form == "csv"
        else json_parts(dict(zip(columns, row, strict=True)) for row in rows)
    )
    file_name = f"{track}-{task}-judgments.{form}"
    headers = {"Content-Disposition": f'attachment; filename="{file_name}"'}
    return StreamingHttpResponse(lines, content_type=TYPES[form], headers=headers)


def _judging(task: Task) -> QuerySet[User]:
    """Return the people with judgments or remarks."""
    judging = Q(pk__in=Judgment.objects.filter(task=task).values("assessor"))
    return User.objects.filter(judging | Q(pk__in=Remark.objects.filter(task=task).values("assessor")))


def _events(task: Task, people: People) -> Iterator[Row]:
    """Yield a row per judgment or undo of these people. Rows take a fifth of the time of model objects."""
    pseudonyms = find_pseudonyms(task=task)
    events = Judgment.objects.filter(task=task, assessor__in=people).order_by("pk")
    rows = events.values_list(*OF_EVENT).iterator(chunk_size=CHUNK)
    shown, judged = COLUMNS.index("shown_at"), COLUMNS.index("judged_at")
    for row in rows:
        cells = list(row)
        cells[1] = pseudonyms[row[1]]
        cells[shown] = row[shown] and row[shown].isoformat()
        cells[judged] = row[judged].isoformat()
        yield *cells, *people[row[1]]


def _remarks(task: Task, people: People) -> Iterator[Row]:
    pseudonyms = find_pseudonyms(task=task)
    remarks = Remark.objects.filter(task=task, assessor__in=people).order_by("pk")
    for remark in remarks.iterator(chunk_size=CHUNK):
        yield *_remark_values(remark, pseudonyms), *people[remark.assessor_id]


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


def _csv_lines(rows: Iterable[Row], columns: list[str]) -> Iterator[str]:
    replies = columns.index("replies")
    cells = ((*row[:replies], _json_or_none(row[replies]), *row[replies + 1 :]) for row in rows)
    return csv_parts(chain([columns], cells))


def _json_or_none(replies: object) -> str | None:
    return json.dumps(replies, ensure_ascii=False) if replies else None
