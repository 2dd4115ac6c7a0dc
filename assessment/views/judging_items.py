"""The items of one topic with the assessor's own marks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from assessment.views.finding import find_open_assignment
from assessment.views.screen import own_history, place_count, topic_context

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@never_cache
@require_safe
def judging_items(request: SignedInRequest, assignment: int) -> HttpResponse:
    """List the topic's items in the order in which they are shown, to go back to any of them."""
    found = find_open_assignment(request, assignment)
    standing = {each["place"]: each for each in own_history(found)}
    open_places = set(found.open_places())
    rows = [
        {"place": place, "standing": standing.get(place), "is_open": place in open_places}
        for place in range(1, place_count(found) + 1)
    ]
    context = topic_context(found) | {"assignment": found, "rows": rows, "open_count": len(open_places)}
    return render(request, "assessment/judging_items.html", context)
