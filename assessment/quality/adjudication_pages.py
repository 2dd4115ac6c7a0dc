"""Adjudication on the judging surface: an organizer settles items one by one and sees their grades."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from assessment.form_errors import error_line
from assessment.judging.forms import UndoForm
from assessment.judging.news import news_asked
from assessment.judging.saving import attempt
from assessment.models.judgment import Judgment
from assessment.models.remark import Remark
from assessment.models.replacing import JudgmentConflict
from assessment.quality.actions import adjudicate_item, comment_adjudication, settled_by, undo_adjudication
from assessment.quality.forms import AdjudicateForm, ReasonForm
from assessment.quality.screen import CaseList, settled_news, shown_context, surface_context
from assessment.surface.context import judging_event, judging_page, refused
from evaluation.collections.models import Document, Topic
from evaluation.platform.access.requests import SignedInRequest, wants_json
from evaluation.tracks.models import Task
from trackside.errors import InputError

NOWHERE = 0  # place of an item that the script loads: the script knows it


def _find_pair(task: Task, topic: int, document: int) -> tuple[Topic, Document]:
    documents = Document.objects.filter(collection=task.collection_id).select_related("image")
    return get_object_or_404(Topic, task=task, pk=topic), get_object_or_404(documents, pk=document)


@judging_page
def adjudication_next(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Redirect to the first item that is not settled, or to the list."""
    cases = CaseList.of(request, track, task)
    open_items = list(cases.items.filter(is_settled=False)[:1])
    if not open_items:
        return redirect(cases.list_url)
    [key] = cases.keys_of(open_items)
    return redirect(cases.item_url(key))


@judging_page
def adjudication_item(
    request: SignedInRequest, track: str, task: str, topic: int, document: int
) -> HttpResponse:
    """Show one item; works as a plain form without scripts."""
    cases = CaseList.of(request, track, task)
    pair = _find_pair(cases.task, topic, document)
    context = surface_context(cases, *pair, request.user)
    return render(request, "assessment/quality/adjudication_item.html", context)


@judging_page
def adjudication_content(
    request: SignedInRequest, track: str, task: str, topic: int, document: int
) -> HttpResponse:
    """Return the parts of the surface that change with the item, and with ``?since=`` the person's news."""
    cases = CaseList.of(request, track, task)
    pair = _find_pair(cases.task, topic, document)
    context = shown_context(cases, *pair, NOWHERE, request.user)
    context |= news_asked(request, partial(settled_news, cases, request.user))
    return render(request, "assessment/quality/adjudication_content.html", context)


@judging_event
def item_adjudicate(
    request: SignedInRequest, track: str, task: str, topic: int, document: int
) -> HttpResponse:
    """Settle one item; return a receipt to the script, or redirect a form to the next open item."""
    return _store(request, (track, task), (topic, document), AdjudicateForm(request.POST), adjudicate_item)


@judging_event
def adjudication_undo(
    request: SignedInRequest, track: str, task: str, topic: int, document: int
) -> HttpResponse:
    """Undo the person's own grade."""
    return _store(request, (track, task), (topic, document), UndoForm(request.POST), undo_adjudication)


@judging_event
def adjudication_remark(
    request: SignedInRequest, track: str, task: str, topic: int, document: int
) -> HttpResponse:
    """Store the reason of a grade."""
    return _store(request, (track, task), (topic, document), ReasonForm(request.POST), comment_adjudication)


def _store(
    request: SignedInRequest,
    names: tuple[str, str],
    pair: tuple[int, int],
    form: forms.Form,
    action: Callable[..., Any],
) -> HttpResponse:
    """Call the action with the values of the form."""
    cases = CaseList.of(request, *names)
    topic, document = _find_pair(cases.task, *pair)
    pair_names = {"task": cases.task, "topic": topic.number, "docno": document.docno, "by": request.user}
    event, fault = attempt(form, partial(action, **pair_names))
    if wants_json(request):
        return _receipt(event) if event else _refusal(form, fault, pair_names)
    if event is None:
        messages.error(request, error_line(form))
        return redirect(cases.item_url(f"{pair[0]}-{pair[1]}"))
    return redirect(reverse("adjudication_next", args=names) + cases.suffix)


def _refusal(form: forms.Form, fault: InputError | None, pair_names: dict[str, Any]) -> JsonResponse:
    """Report why an event is not stored; in a conflict also that the item is settled, without the grade."""
    if not isinstance(fault, JudgmentConflict):
        return refused(form)
    own = settled_by(**pair_names)
    current: dict[str, Any] | None = (
        None if own is None else {"client_uuid": str(own.client_uuid), "mark": None, "replies": {}}
    )
    answer = {"error": error_line(form), "is_lost": False, "is_conflict": True, "current": current}
    return JsonResponse(answer, status=HTTPStatus.CONFLICT)


def _receipt(event: Judgment | Remark) -> JsonResponse:
    stored_at = event.made_at if isinstance(event, Remark) else event.judged_at
    return JsonResponse({"client_uuid": str(event.client_uuid), "judged_at": stored_at.isoformat()})
