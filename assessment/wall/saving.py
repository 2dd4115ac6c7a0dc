"""The view that stores the events of a wall in one request."""

from collections import defaultdict
from collections.abc import Iterable
from functools import partial
from http import HTTPStatus
from typing import Any

from django.http import JsonResponse
from django.utils.translation import gettext

from assessment.assigning.lookups import find_assignment
from assessment.form_errors import error_line
from assessment.judging.actions import record_judgment, undo_judgment
from assessment.judging.forms import JudgmentForm, UndoForm
from assessment.judging.saving import attempt, receipt_of, refusal, refusal_status, storing
from assessment.judging.screen import day_line
from assessment.models.assignment import AssignedItem, Assignment
from assessment.surface.views import judging_event
from assessment.wall.control import append_control
from assessment.wall.forms import EventsForm
from evaluation.access.people import User
from evaluation.access.requests import SignedInRequest


@judging_event
def events_record(request: SignedInRequest, assignment: int) -> JsonResponse:
    """Store judgments and undos in order, each by itself; return the status and receipt or error of each."""
    own_assignment = find_assignment(request, assignment)
    request_form = EventsForm(request.POST)
    if not request_form.is_valid():
        return refusal(request_form, None)
    events = request_form.cleaned_data["events"]
    forms = [(JudgmentForm if event["kind"] == "judgment" else UndoForm)(event["fields"]) for event in events]
    share_seconds(form for form in forms if isinstance(form, JudgmentForm))
    places = {event["place"] for event in events}
    items = {item.place: item for item in own_assignment.items.filter(place__in=places)}
    results: list[dict[str, Any]] = []
    for event, form in zip(events, forms, strict=True):
        if results and results[-1]["status"] == HTTPStatus.LOCKED:
            results.append(results[-1])  # an undo must not come before its judgment
        else:
            results.append(_store(items.get(event["place"]), form, own_assignment, request.user))
    append_control(assignment=own_assignment)
    today = day_line(request.user)
    return JsonResponse({"results": [result | {"today": today} for result in results]})


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
        return {"status": refusal_status(fault), "error": error_line(form), "is_lost": False}
    return {"status": HTTPStatus.OK, **receipt_of(event, today="")}
