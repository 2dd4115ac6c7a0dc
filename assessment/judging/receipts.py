"""JSON responses to the judging screen's script about a judgment that it sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import JsonResponse
from django.utils.translation import gettext

from assessment.form_errors import error_line
from assessment.judging.actions import AssignmentPaused, JudgingNotOpen
from assessment.judging.screen import day_line
from assessment.models.assignment import Purpose
from assessment.models.remark import Remark
from assessment.surface.responses import LOCKED, REFUSED
from assessment.training.actions import ExamNotPassed

if TYPE_CHECKING:
    from django.forms import Form

    from assessment.models.judgment import Judgment
    from evaluation.core.errors import InputError

PASSING = (JudgingNotOpen, AssignmentPaused, ExamNotPassed)


def receipt(event: Judgment | Remark) -> JsonResponse:
    """Confirm a stored event by its UUID, so that the browser can delete its copy, and its time."""
    stored_at = event.made_at if isinstance(event, Remark) else event.judged_at
    return JsonResponse(
        {
            "client_uuid": str(event.client_uuid),
            "judged_at": stored_at.isoformat(),
            "today": day_line(event.assessor),
            "note": note_on(event),
        }
    )


def refusal(form: Form, fault: InputError | None) -> JsonResponse:
    """Report an event that is not stored, with how to fix it. ``fault`` is null if only the form is invalid.

    423: the event may be accepted unchanged later, so the browser keeps it. 409: it will never be.
    """
    status = LOCKED if isinstance(fault, PASSING) else REFUSED
    return JsonResponse({"error": error_line(form), "is_lost": False}, status=status)


def note_on(event: Judgment | Remark) -> str:
    """Return a note to the assessor about a stored event; empty for most."""
    if event.purpose != Purpose.EXTRA:
        return ""
    return gettext(
        "Your time for this item had run out and somebody else had it. Your judgment is kept for the "
        "organizers; it does not count for the item."
    )
