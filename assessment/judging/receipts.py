"""JSON responses to the judging screen's script about a judgment that it sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import JsonResponse

from assessment.faults import faults_of
from assessment.judging.actions import AssignmentPaused, JudgingNotOpen, LeaseLost
from assessment.judging.screen import day_line
from assessment.models.remark import Remark
from assessment.training.actions import ExamNotPassed

if TYPE_CHECKING:
    from django.forms import Form
    from django.http import HttpRequest

    from assessment.models.judgment import Judgment
    from evaluation.core.errors import InputError

LOCKED = 423  # WebDAV's status for a resource that cannot be changed now
REFUSED = 409
PASSING = (JudgingNotOpen, AssignmentPaused, ExamNotPassed)


def wants_json(request: HttpRequest) -> bool:
    """Return whether the script sent the request; a plain form expects a page."""
    return request.headers.get("Accept") == "application/json"


def receipt(event: Judgment | Remark) -> JsonResponse:
    """Confirm a stored event by its UUID, so that the browser can delete its copy, and its time."""
    stored_at = event.made_at if isinstance(event, Remark) else event.judged_at
    return JsonResponse(
        {
            "client_uuid": str(event.client_uuid),
            "judged_at": stored_at.isoformat(),
            "today": day_line(event.assessor),
        }
    )


def refusal(form: Form, fault: InputError | None) -> JsonResponse:
    """Report an event that is not stored, with how to fix it. ``fault`` is null if only the form is invalid.

    423: the event may be accepted unchanged later, so the browser keeps it. 409: it will never be, and
    ``is_lost`` is true if the item is assigned to somebody else.
    """
    status = LOCKED if isinstance(fault, PASSING) else REFUSED
    return JsonResponse({"error": faults_of(form), "is_lost": isinstance(fault, LeaseLost)}, status=status)
