"""Pages of a wall, up to 24 items of a topic at once, and the view that stores its events."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any

from django import forms
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext

from assessment.assigning.alike import sight_of
from assessment.assigning.lookups import find_assignment, find_open_assignment, walls_of
from assessment.core.alike import group_alike
from assessment.core.arranging import WALL_SIZE
from assessment.core.snippets import make_snippet, words_of
from assessment.judging.actions import record_judgment, undo_judgment
from assessment.judging.forms import AgeField, JudgmentForm, UndoForm
from assessment.judging.news import news_asked, own_news
from assessment.judging.saving import attempt, receipt_of, refusal, refusal_of, storing
from assessment.judging.screen import day_line, own_context
from assessment.models.assignment import AssignedItem, Assignment
from assessment.models.marks import CannotJudge
from assessment.models.plan import JudgingPlan, Surface
from assessment.surface.context import judging_event, judging_page, topic_context, wall_keys
from assessment.wall.control import review_walls
from evaluation.collections.chosen_fields import ChosenFields
from evaluation.collections.models import Document, Topic
from evaluation.collections.seen import Seen
from evaluation.platform.access.forms import JSONTextField
from evaluation.platform.access.people import User
from evaluation.platform.access.requests import SignedInRequest

NO_PLACE = 0  # no single item is on the screen
MOST_EVENTS = 8 * WALL_SIZE  # of one request; a browser sends more in several
MOST_PLACES = 2**31  # of the database column
FORMS: dict[str, type[JudgmentForm | UndoForm]] = {"judgment": JudgmentForm, "undo": UndoForm}


class EventsForm(forms.Form):
    """Events in order, each with the place of its item, its kind and the fields of that kind's form."""

    events = JSONTextField()
    since = AgeField(required=False)

    def clean_events(self) -> list[dict[str, Any]]:
        """Check the shape; the forms of the kinds check the fields."""
        events = self.cleaned_data["events"]
        if not isinstance(events, list) or len(events) > MOST_EVENTS or not all(map(_is_event, events)):
            raise forms.ValidationError(gettext("The judgments cannot be read. Load the page again."))
        return events


def _is_event(event: object) -> bool:
    if not isinstance(event, dict) or not isinstance(event.get("fields"), dict):
        return False
    place = event.get("place")
    has_item = isinstance(place, int) and 0 < place < MOST_PLACES and event.get("kind") in FORMS
    return has_item and all(isinstance(value, str) for value in event["fields"].values())


@judging_page
def judging_wall(request: SignedInRequest, assignment: int, wall: int) -> HttpResponse:
    """Show a wall beside its topic; without scripts its items are links to the one-item screen."""
    own_assignment = find_open_assignment(request, assignment)
    context = topic_context(own_assignment.pool.task, own_assignment.topic) | _cells(own_assignment, wall)
    own_parts = own_context(own_assignment, NO_PLACE)
    own_parts["state"] |= {"place": wall}
    context |= own_parts | {
        "assignment": own_assignment,
        "place": own_parts["judged_count"],
        "total": own_parts["own_total"],
        "reasons": CannotJudge.choices,
        "list_url": reverse("judging_items", args=[own_assignment.pk]),
        "is_by_choice": JudgingPlan.objects.of(own_assignment.pool.task).surface == Surface.BOTH,
        "key_sets": wall_keys(context["criteria"]),
    }
    return render(request, "assessment/wall/judging_wall.html", context)


@judging_page
def wall_content(request: SignedInRequest, assignment: int, wall: int) -> HttpResponse:
    """Return the cells of a wall, with the page's markup, and with ``?since=`` the assessor's news."""
    own_assignment = find_open_assignment(request, assignment)
    context = _cells(own_assignment, wall) | news_asked(request, partial(own_news, own_assignment))
    return render(request, "assessment/wall/cells.html", context)


def _cells(assignment: Assignment, number: int) -> dict[str, Any]:
    """Return the wall's number and the content of its cells, without docnos; 404 if it is empty."""
    walls = walls_of(assignment)
    places = walls[number - 1] if 0 < number <= len(walls) else []
    items = {item.place: item for item in assignment.items.filter(place__in=places)}
    documents = Document.objects.filter(
        collection=assignment.pool.task.collection_id, docno__in=[item.docno for item in items.values()]
    )
    contents = {document.docno: document for document in documents.select_related("image")}
    roles = ChosenFields.objects.document_roles(assignment.pool.task.collection_id)
    words = _topic_words(assignment)
    cells = [
        {"place": place, "item_url": reverse("judging_item", args=[assignment.pk, place])}
        | _content(contents[items[place].docno], roles, words, is_alone=items[place].is_single)
        for place in places
        if items[place].docno in contents
    ]
    if not cells:
        raise Http404
    _note_alike(cells, contents, items)
    return {"wall": number, "cells": cells, "is_of_texts": not any(cell["image"] for cell in cells)}


def _note_alike(
    cells: list[dict[str, Any]], contents: Mapping[str, Document], items: Mapping[int, AssignedItem]
) -> None:
    """Number the cells that look alike, but for those that are alone, and note how many others they have."""
    beside = [cell for cell in cells if not cell["alone"]]
    groups = group_alike([sight_of(contents[items[cell["place"]].docno]) for cell in beside])
    sizes = Counter(groups)
    for cell, group in zip(beside, groups, strict=True):
        if sizes[group] > 1:
            cell |= {"alike": group, "alike_count": sizes[group]}


def _topic_words(assignment: Assignment) -> frozenset[str]:
    """Return the words of the topic's title, or of its first text if it has no title."""
    topic = Topic.objects.get(task=assignment.pool.task_id, number=assignment.topic)
    digest = topic.shown(ChosenFields.objects.topic_roles(topic.task_id)).digest
    return words_of(digest.title or digest.lead)


def _content(
    document: Document, roles: Mapping[str, str], topic_words: frozenset[str], *, is_alone: bool
) -> dict[str, Any]:
    """Return what a cell shows; of an item that is alone the large picture, or all of its text."""
    shown = document.shown(roles)
    digest = shown.digest
    is_whole = shown.is_one_picture or (is_alone and document.image is None)
    return {
        "alone": digest if is_alone else None,
        "image": document.image,
        "image_count": document.image_count,
        "title": digest.title,
        "snippet": make_snippet(f"{digest.lead} {digest.rest}", topic_words),
        "shown_sha256": shown.sha256,
        "seen": Seen.WHOLE if is_whole else Seen.PART,
    }


@judging_event
def events_record(request: SignedInRequest, assignment: int) -> JsonResponse:
    """Store judgments and undos in order, each by itself; return the status and receipt or error of each.

    With ``since`` it also returns the assessor's own judgments since then, from this page and others.
    """
    own_assignment = find_assignment(request, assignment)
    request_form = EventsForm(request.POST)
    if not request_form.is_valid():
        return refusal(request_form, None, None)
    events = request_form.cleaned_data["events"]
    event_forms = [FORMS[event["kind"]](event["fields"]) for event in events]
    share_seconds(form for form in event_forms if isinstance(form, JudgmentForm))
    places = {event["place"] for event in events}
    items = {item.place: item for item in own_assignment.items.filter(place__in=places)}
    results: list[dict[str, Any]] = []
    for event, form in zip(events, event_forms, strict=True):
        if results and results[-1]["status"] == HTTPStatus.LOCKED:
            results.append(results[-1])  # an undo must not come before its judgment
        else:
            results.append(_store(items.get(event["place"]), form, own_assignment, request.user))
    review_walls(assignment=own_assignment)
    today = day_line(request.user)
    answer: dict[str, Any] = {"results": [result | {"today": today} for result in results]}
    if since := request_form.cleaned_data["since"]:
        answer["news"] = own_news(own_assignment, since)
    return JsonResponse(answer)


def share_seconds(forms: Iterable[JudgmentForm]) -> None:
    """Share the active time on each wall equally over its judgments: one look takes in many cells."""
    by_wall: dict[int, list[JudgmentForm]] = defaultdict(list)
    for form in forms:
        if form.is_valid() and form.cleaned_data["wall"] and form.cleaned_data["active_seconds"] is not None:
            by_wall[form.cleaned_data["wall"]].append(form)
    for wall_forms in by_wall.values():
        total = sum(form.cleaned_data["active_seconds"] for form in wall_forms)
        for form in wall_forms:
            form.cleaned_data["active_seconds"] = total / len(wall_forms)


def _store(
    item: AssignedItem | None, form: JudgmentForm | UndoForm, assignment: Assignment, by: User
) -> dict[str, Any]:
    if item is None:
        error = gettext("This item of topic {topic} is not assigned to you. Open it from My topics.")
        return {
            "status": HTTPStatus.CONFLICT,
            "error": error.format(topic=assignment.topic),
            "is_lost": False,
        }
    if isinstance(form, JudgmentForm):
        event, fault = attempt(form, storing(record_judgment, item, by=by))
    else:
        event, fault = attempt(form, partial(undo_judgment, assignment=assignment, by=by))
    if event is None:
        return refusal_of(form, fault, item)
    return {"status": HTTPStatus.OK, **receipt_of(event, form)}
