"""What the judging screen's script is told about a judgment that it sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import JsonResponse

from assessment.actions.check_exam import ExamNotPassed
from assessment.actions.record_judgment import AssignmentPaused, JudgingNotOpen, LeaseLost
from assessment.views.screen import day_line

if TYPE_CHECKING:
    from django.forms import Form
    from django.http import HttpRequest

    from assessment.models import Judgment
    from evaluation.core.errors import InputError

LOCKED = 423  # WebDAV's status for what is there and cannot be changed now
REFUSED = 409
PASSING = (JudgingNotOpen, AssignmentPaused, ExamNotPassed)


def wants_json(request: HttpRequest) -> bool:
    """Whether the script asks; a plain form wants a page."""
    return request.headers.get("Accept") == "application/json"


def receipt(event: Judgment) -> JsonResponse:
    """The event is stored: its UUID, so that the browser may forget its copy, and when."""
    return JsonResponse(
        {
            "client_uuid": str(event.client_uuid),
            "judged_at": event.judged_at.isoformat(),
            "today": day_line(event.assessor),
        }
    )


def refusal(form: Form, fault: InputError | None) -> JsonResponse:
    """The event is not stored; the text says what to do. ``fault`` is null where the form alone is wrong.

    423: it may be taken later as it stands, so the browser keeps it. 409: it never will be, and ``is_lost``
    says whether the item has gone to somebody else.
    """
    status = LOCKED if isinstance(fault, PASSING) else REFUSED
    return JsonResponse({"error": faults_of(form), "is_lost": isinstance(fault, LeaseLost)}, status=status)


def faults_of(form: Form) -> str:
    """All that is wrong with a form, in one line."""
    fields = [
        f"{name}: {fault}" for name, faults in form.errors.items() if name != "__all__" for fault in faults
    ]
    return " ".join([*form.non_field_errors(), *fields])
