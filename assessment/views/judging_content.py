"""One item by itself, for the screen to have ready before it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from assessment.views.finding import find_open_document
from assessment.views.screen import item_context

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@never_cache
@require_safe
def judging_content(request: SignedInRequest, assignment: int, place: int) -> HttpResponse:
    """The part of the judging screen that changes with the item: the same markup as on the whole page."""
    document = find_open_document(request, assignment, place)
    return render(request, "assessment/judging_content.html", item_context(document, place))
