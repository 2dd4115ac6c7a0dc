"""Views that store judgments, remarks and undos, and lease more items."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any, TypeVar

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext

from assessment.assigning.lookups import (
    find_assignment,
    find_given_item,
    find_open_assignment,
    redirect_onwards,
)
from assessment.form_errors import error_line
from assessment.judging.actions import AssignmentPaused, JudgingNotOpen, record_judgment, undo_judgment
from assessment.judging.forms import JudgmentForm, RemarkForm, UndoForm
from assessment.judging.leases import extend_lease, lease_items
from assessment.judging.remarks import record_remark
from assessment.judging.screen import current_on, day_line, given, item_counts
from assessment.models.assignment import AssignedItem
from assessment.models.judgment import Judgment
from assessment.models.purposes import Purpose
from assessment.models.remark import Remark
from assessment.models.replacing import JudgmentConflict
from assessment.models.slot import Slot
from assessment.surface.context import judging_event
from assessment.training.actions import ExamNotPassed
from evaluation.platform.access.people import User
from evaluation.platform.access.requests import SignedInRequest, key_in, wants_json
from trackside.errors import InputError

Event = TypeVar("Event", Judgment, Remark)
PASSING = (JudgingNotOpen, AssignmentPaused, ExamNotPassed)


@judging_event
def judgment_record(request: SignedInRequest, assignment: int, place: int) -> HttpResponse:
    """Store a grade or a reason; return a receipt to the script, or redirect a form to the next item."""
    item = find_given_item(request, assignment, place)
    form = JudgmentForm(request.POST)
    event, fault = attempt(form, storing(record_judgment, item, by=request.user))
    if wants_json(request):
        return receipt(event, form) if event else refusal(form, fault, item)
    if not event:
        messages.error(request, error_line(form))
        return redirect("judging_item", assignment, place)
    if note := note_on(event):
        messages.warning(request, note)
    return redirect_onwards(item.assignment, after=place)


@judging_event
def remark_record(request: SignedInRequest, assignment: int, place: int) -> HttpResponse:
    """Store a comment and a flag; return a receipt. Only the script sends them without a grade."""
    item = find_given_item(request, assignment, place)
    form = RemarkForm(request.POST)
    event, fault = attempt(form, storing(record_remark, item, by=request.user))
    return receipt(event, form) if event else refusal(form, fault, None)


@judging_event
def judgment_undo(request: SignedInRequest, assignment: int, place: int) -> HttpResponse:
    """Undo a judgment; return a receipt to the script, or redirect a plain form to the item."""
    own_assignment = find_assignment(request, assignment)
    item = get_object_or_404(AssignedItem, assignment=own_assignment, place=place)
    form = UndoForm(request.POST)
    event, fault = attempt(form, partial(undo_judgment, assignment=own_assignment, by=request.user))
    if wants_json(request):
        return receipt(event, form) if event else refusal(form, fault, item)
    if not event:
        messages.error(request, error_line(form))
    return redirect("judging_item", own_assignment.pk, place)


def attempt(form: Form, store: Callable[..., Event]) -> tuple[Event | None, InputError | None]:
    """Store a valid form and return the event; otherwise add the error to the form, and return it."""
    if not form.is_valid():
        return None, None
    try:
        return store(**form.cleaned_data), None
    except InputError as error:
        form.add_error(None, str(error))
        return None, error


def storing(record: Callable[..., Event], item: AssignedItem, *, by: User) -> Callable[..., Event]:
    """Return the action with the item to store and the person."""
    return partial(record, assignment=item.assignment, docno=item.docno, purpose=Purpose(item.purpose), by=by)


@judging_event
def lease_extend(request: SignedInRequest, assignment: int) -> HttpResponse:
    """Renew and extend the lease of a topic judged item by item; return the counts that the screen shows."""
    own_assignment = find_open_assignment(request, assignment)
    if not own_assignment.is_by_items:
        raise Http404
    try:
        extend_lease(assignment=own_assignment, by=request.user, is_held="is_held" in request.POST)
    except InputError as error:
        return JsonResponse({"error": str(error)}, status=HTTPStatus.CONFLICT)
    return JsonResponse(item_counts(own_assignment))


@judging_event
def items_take(request: SignedInRequest) -> HttpResponse:
    """Lease the next items and redirect to the first of them, or to the list if there are none."""
    pool = get_object_or_404(Slot.objects.queued_pools(request.user), pk=key_in(request.POST, "pool"))
    try:
        assignment = lease_items(pool=pool, by=request.user)
    except InputError as error:
        messages.error(request, str(error))
        return redirect("judging_list")
    return redirect_onwards(assignment, after=0)


def receipt(event: Judgment | Remark, form: Form) -> JsonResponse:
    """Return the receipt of the form's event, with the assessor's day, as a response."""
    return JsonResponse(receipt_of(event, form) | {"today": day_line(event.assessor)})


def receipt_of(event: Judgment | Remark, form: Form) -> dict[str, Any]:
    """Return the UUID and the time of the form's event, so that the browser can delete its copy.

    ``current`` is the earlier judgment that stays in its place, if one does. With the latest version of the
    criteria the page notices that its own are older.
    """
    stored_at = event.made_at if isinstance(event, Remark) else event.judged_at
    sent = form.cleaned_data["client_uuid"]
    kept = event if isinstance(event, Judgment) and event.client_uuid != sent else None
    return ({"current": given(kept)} if kept else {}) | {
        "client_uuid": str(sent),
        "judged_at": stored_at.isoformat(),
        "note": note_on(event),
        "latest_version": None if isinstance(event, Remark) else event.latest_version,
    }


def refusal(form: Form, fault: InputError | None, item: AssignedItem | None) -> JsonResponse:
    """Report an event that is not stored, and why. ``fault`` is null if only the form is invalid."""
    answer = refusal_of(form, fault, item)
    return JsonResponse(answer, status=answer.pop("status"))


def refusal_of(form: Form, fault: InputError | None, item: AssignedItem | None) -> dict[str, Any]:
    """Return the status, why an event is not stored, and, if that is final, the item's current judgment.

    In a conflict the assessor chooses between the two. Of an adjudication it tells only that there is one.
    """
    status = HTTPStatus.LOCKED if isinstance(fault, PASSING) else HTTPStatus.CONFLICT
    answer = {"status": status, "error": error_line(form), "is_lost": False}
    if item is None or status == HTTPStatus.LOCKED:
        return answer
    current = current_on(item)
    if current and item.purpose == Purpose.ADJUDICATION:
        current |= {"mark": None, "replies": {}}
    return answer | {"current": current, "is_conflict": isinstance(fault, JudgmentConflict)}


def note_on(event: Judgment | Remark) -> str:
    """Return a note to the assessor if the stored event does not count, else the empty text."""
    if event.purpose != Purpose.EXTRA:
        return ""
    if isinstance(event, Judgment) and event.is_withdrawn:
        return gettext(
            "The organizers had withdrawn the topic before your judgment came in. They can see it, but it "
            "does not count."
        )
    return gettext(
        "Your time for this item was over, and somebody else got it. The organizers can see your judgment, "
        "but it does not count."
    )
