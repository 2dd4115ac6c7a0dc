"""The judging screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from assessment.views.finding import find_open_assignment, find_open_document
from assessment.views.screen import item_context, own_context, topic_context

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@never_cache
@require_safe
def judging_item(request: SignedInRequest, assignment: int, place: int) -> HttpResponse:
    """Show one item beside its topic; without scripts it is a plain form."""
    found = find_open_assignment(request, assignment)
    document = find_open_document(request, assignment, place)
    context = topic_context(found) | item_context(document, place) | own_context(found, place)
    return render(request, "assessment/judging_item.html", context | {"assignment": found})
