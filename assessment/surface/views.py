"""What the views of all judging pages share."""

from http import HTTPStatus

from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from assessment.form_errors import error_line
from evaluation.access.languages import View, translated


def judging_page(view: View) -> View:
    """Decorate a page for people who judge: signed in, translated, never cached."""
    return translated(login_required(never_cache(require_safe(view))))


def judging_event(view: View) -> View:
    """Decorate a view that stores what such a page sends."""
    return translated(login_required(never_cache(require_POST(view))))


def refused(form: Form, *, status: HTTPStatus = HTTPStatus.CONFLICT, is_lost: bool = False) -> JsonResponse:
    """Report to the script why an event is not stored."""
    return JsonResponse({"error": error_line(form), "is_lost": is_lost}, status=status)
