"""Going on where one left a topic, on whatever machine that was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from assessment.views.finding import find_open_assignment, redirect_onwards

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@never_cache
@require_safe
def judging_resume(request: SignedInRequest, assignment: int) -> HttpResponse:
    """Go to the topic's first item without a judgment, or to the list of its items when all have one."""
    found = find_open_assignment(request, assignment)
    return redirect_onwards(found, after=0)
