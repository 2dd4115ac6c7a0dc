"""The items of one topic with the assessor's own marks."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from assessment.views.finding import find_open_assignment
from assessment.views.screen import own_history, place_count, topic_context
from evaluation.models import Criteria

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@never_cache
@require_safe
def judging_items(request: SignedInRequest, assignment: int) -> HttpResponse:
    """List the topic's items in the order in which they are shown, to go back to any of them.

    ``?show=`` keeps those with one mark: a grade, "none" for a reason, "open" for those not judged yet,
    "flagged" for one's flags.
    """
    found = find_open_assignment(request, assignment)
    standing = {each["place"]: each for each in own_history(found)}
    open_places = set(found.open_places())
    rows = [
        {"place": place, "standing": standing.get(place), "is_open": place in open_places}
        for place in range(1, place_count(found) + 1)
    ]
    filters = _filters(rows, Criteria.objects.current(found.pool.task).scale)
    shown = request.GET.get("show", "")
    context = topic_context(found) | {
        "assignment": found,
        "rows": [row for row in rows if not shown or shown in _kinds(row)],
        "item_count": len(rows),
        "open_count": len(open_places),
        "filters": filters,
        "shown": shown,
    }
    return render(request, "assessment/judging_items.html", context)


def _kinds(row: dict[str, Any]) -> list[str]:
    """The filters that keep a row; none keeps an item that is needed no more."""
    if row["standing"] is None:
        return ["open"] if row["is_open"] else []
    mark = row["standing"]["mark"]
    kinds = [str(mark) if isinstance(mark, int) else "none"]
    return [*kinds, "flagged"] if row["standing"]["is_flagged"] else kinds


def _filters(rows: Sequence[dict[str, Any]], scale: Sequence[int]) -> list[tuple[str, str, int]]:
    """Each filter with its words and how many items it keeps."""
    counts = Counter(kind for row in rows for kind in _kinds(row))
    names = [
        ("open", "Not yet"),
        *((str(grade), f"Grade {grade}") for grade in scale),
        ("none", "Cannot judge"),
        ("flagged", "Flagged"),
    ]
    return [("", "All", len(rows)), *((kind, words, counts[kind]) for kind, words in names)]
