"""The page on the progress of judging, the publication of judgments, and their file."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.db.models import Exists, Q, TextField, Value
from django.db.models.functions import Cast, NullIf
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render

from assessment.assigning.counts import count_assignments
from assessment.core.consolidation import ConsolidationRule
from assessment.dashboard.progress import (
    PAGE_SIZE,
    progress_by_assessor,
    progress_by_queue,
    progress_by_topic,
)
from assessment.form_errors import error_line
from assessment.models.aggregates import JudgedItem
from assessment.models.exclusion import Exclusion
from assessment.models.judgment import Judgment
from assessment.models.remark import Remark
from assessment.preparing.steps import trained_in
from assessment.publishing.actions import find_pseudonyms, request_publication
from evaluation.platform.access.limits.views import page_view, post_view
from evaluation.platform.access.people import Membership, Role, User
from evaluation.platform.access.requests import SignedInRequest, error_shown
from evaluation.results.qrels.models import Qrels, QrelsKind
from evaluation.submissions.pools.models import Pool, PoolKind
from evaluation.tracks.lookups import find_judged_task
from evaluation.tracks.models import Task
from evaluation.tracks.work.operations.models import Operation
from trackside.text.csv_cells import csv_parts
from trackside.text.json_lines import json_parts


class PublishForm(forms.Form):
    """The rule that makes one grade of several."""

    rule = forms.TypedChoiceField(
        label="Where several people graded an item",
        choices=[(rule.value, rule.words) for rule in ConsolidationRule],
        coerce=ConsolidationRule,
        empty_value=ConsolidationRule.OWNER,
        required=False,
    )


@page_view
def judging_progress(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Show the progress by assessor and topic, with links to assign topics and to publish."""
    track_task = find_judged_task(request, track, task)
    people = [QrelsKind.HUMAN, QrelsKind.SECOND]
    counts = count_assignments(track_task)
    assessors = Membership.objects.filter(track=track_task.track, role=Role.ASSESSOR, user__is_active=True)
    context = {
        "task": track_task,
        "assessors": _page(
            len({count.assessor for count in counts.values()}),
            request.GET.get("assessors"),
            lambda page: progress_by_assessor(track_task, counts, page=page),
        ),
        "topics": _page(
            len({count.topic for count in counts.values()}),
            request.GET.get("topics"),
            lambda page: progress_by_topic(track_task, counts, page=page),
        ),
        "queues": progress_by_queue(track_task),
        "training": trained_in(track_task),
        "unseen_count": JudgedItem.objects.filter(task=track_task).disputed().filter(is_unseen=True).count(),
        "pool_count": Pool.objects.filter(task=track_task).count(),
        "has_assessors": assessors.exists(),
        "has_judgments": any(count.judged_count for count in counts.values()),
        "has_sample": Pool.objects.filter(task=track_task, kind=PoolKind.SAMPLE).exists(),
        "operations": Operation.objects.recent(track_task),
        "publish_form": PublishForm(),
        "qrels": Qrels.objects.filter(task=track_task, kind__in=people).current(),
    }
    return render(request, "assessment/publishing/judging_progress.html", context)


def _page(count: int, number: str | None, read: Callable[[slice], Sequence[Any]]) -> Page[Any]:
    """Return a page of a list without reading the other pages."""
    page = Paginator(range(count), PAGE_SIZE).get_page(number)
    start = PAGE_SIZE * (page.number - 1)
    return Page(read(slice(start, start + PAGE_SIZE)), page.number, page.paginator)


@post_view()
def judgments_publish(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Queue the publication of people's judgments as the next version of the qrels."""
    track_task = find_judged_task(request, track, task)
    form = PublishForm(request.POST)
    if not form.is_valid():
        messages.error(request, error_line(form))
        return redirect("judging_progress", track, task)
    with error_shown(request):
        request_publication(task=track_task, rule=form.cleaned_data["rule"], by=request.user)
    return redirect("judging_progress", track, task)


Row = dict[str, Any]
People = Mapping[int, dict[str, str]]  # name and email, if the file has them

COLUMNS: dict[str, Any] = {  # of the file, with the expression for each on a judgment
    "event": Cast("client_uuid", TextField()),
    "assessor": "assessor",
    "topic": "topic",
    "docno": "docno",
    "purpose": "purpose",
    "grade": "grade",
    "reason": NullIf("reason", Value("")),
    "undoes": Cast("undoes__client_uuid", TextField()),
    "comment": "comment",
    "is_flagged": "is_flagged",
    "replies": "replies",
    "criteria": "criteria__version",
    "image_sha256": NullIf("image_sha256", Value("")),
    "shown_at": "shown_at",
    "judged_at": "judged_at",
    "active_seconds": "active_seconds",
    "looks_back": "looks_back",
    "mode": NullIf("mode", Value("")),
    "wall": "wall",
    "cell": "cell",
    "is_opened": "is_opened",
    "is_by_rest": "is_by_rest",
    "is_excluded": Exists(Exclusion.objects.covering()),
    "replaces": Cast("replaces", TextField()),
    "replaces_rule": "replaces_rule",
    "given_at": "given_at",
    "shown_sha256": NullIf("shown_sha256", Value("")),
    "seen": NullIf("seen", Value("")),
    "copied_from": Cast("copied_from", TextField()),
}
CHUNK = 2_000  # rows
TYPES = {"csv": "text/csv; charset=utf-8", "jsonl": "application/jsonl"}


@page_view
def judgments_export(request: SignedInRequest, track: str, task: str, form: str) -> StreamingHttpResponse:
    """Export every event by pseudonym; ``?names=yes`` adds name and email.

    Judgments and undos come first, in order, then the remarks: rows without grade, reason and undoes.
    A person without a judgment has no pseudonym yet.
    """
    if form not in TYPES:
        raise Http404
    track_task = find_judged_task(request, track, task)
    judging = Q(pk__in=Judgment.objects.filter(task=track_task).values("assessor"))
    judging |= Q(pk__in=Remark.objects.filter(task=track_task).values("assessor"))
    names = ("name", "email") if request.GET.get("names") == "yes" else ()
    people: People = {
        user.pk: {name: getattr(user, name) for name in names} for user in User.objects.filter(judging)
    }
    rows = chain(_events(track_task, people), _remarks(track_task, people))
    lines = _csv_lines(rows, [*COLUMNS, *names]) if form == "csv" else json_parts(rows)
    file_name = f"{track}-{task}-judgments.{form}"
    headers = {"Content-Disposition": f'attachment; filename="{file_name}"'}
    return StreamingHttpResponse(lines, content_type=TYPES[form], headers=headers)


def _events(task: Task, people: People) -> Iterator[Row]:
    """Yield a row per judgment or undo of these people. Rows take a fifth of the time of model objects."""
    pseudonyms = find_pseudonyms(task=task)
    events = Judgment.objects.filter(task=task, assessor__in=people).order_by("pk")
    for cells in events.values_list(*COLUMNS.values()).iterator(chunk_size=CHUNK):
        row = dict(zip(COLUMNS, cells, strict=True))
        times = {name: row[name] and row[name].isoformat() for name in ("shown_at", "judged_at", "given_at")}
        yield row | times | {"assessor": pseudonyms[row["assessor"]]} | people[row["assessor"]]


def _remarks(task: Task, people: People) -> Iterator[Row]:
    pseudonyms = find_pseudonyms(task=task)
    remarks = Remark.objects.filter(task=task, assessor__in=people).order_by("pk")
    for remark in remarks.iterator(chunk_size=CHUNK):
        row = {
            "event": str(remark.client_uuid),
            "assessor": pseudonyms.get(remark.assessor_id),
            "topic": remark.topic,
            "docno": remark.docno,
            "purpose": remark.purpose,
            "comment": remark.comment,
            "is_flagged": remark.is_flagged,
            "judged_at": remark.made_at.isoformat(),
        }
        yield dict.fromkeys(COLUMNS) | row | people[remark.assessor_id]


def _csv_lines(rows: Iterable[Row], columns: list[str]) -> Iterator[str]:
    def cells(row: Row) -> list[object]:
        replies = json.dumps(row["replies"], ensure_ascii=False) if row["replies"] else None
        return [*(row | {"replies": replies}).values()]

    return csv_parts(chain([columns], map(cells, rows)))
