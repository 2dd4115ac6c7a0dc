"""Pages of a wall: up to 24 items of a topic at once."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from assessment.assigning.lookups import find_open_assignment
from assessment.assigning.walls import walls_of
from assessment.judging.screen import own_context
from assessment.models.assignment import Assignment
from assessment.models.judgment import CannotJudge
from assessment.models.plan import JudgingPlan, Surface
from assessment.surface.context import topic_context, wall_keys
from assessment.surface.views import judging_page
from evaluation.access.requests import SignedInRequest
from evaluation.collections.models import Document
from trackside.text.roles import make_digest

NO_PLACE = 0  # no single item is on the screen
MOST_WORDS = 60  # of a snippet


@judging_page
def judging_wall(request: SignedInRequest, assignment: int, wall: int) -> HttpResponse:
    """Show a wall beside its topic; without scripts its items are links to the one-item screen."""
    own_assignment = find_open_assignment(request, assignment)
    context = topic_context(own_assignment.pool.task, own_assignment.topic) | _cells(own_assignment, wall)
    own_parts = own_context(own_assignment, NO_PLACE)
    own_parts["state"] |= {"place": wall}
    context |= own_parts | {
        "assignment": own_assignment,
        "place": own_parts["judged_count"],
        "reasons": CannotJudge.choices,
        "list_url": reverse("judging_items", args=[own_assignment.pk]),
        "is_by_choice": JudgingPlan.objects.of(own_assignment.pool.task).surface == Surface.BOTH,
        "key_sets": wall_keys(context["criteria"]),
    }
    return render(request, "assessment/wall/judging_wall.html", context)


@judging_page
def wall_content(request: SignedInRequest, assignment: int, wall: int) -> HttpResponse:
    """Return the cells of a wall, with the page's markup."""
    own_assignment = find_open_assignment(request, assignment)
    return render(request, "assessment/wall/cells.html", _cells(own_assignment, wall))


def _cells(assignment: Assignment, number: int) -> dict[str, Any]:
    """Return the wall's number and the content of its cells, without docnos; 404 if it is empty."""
    walls = walls_of(assignment)
    places = walls[number - 1] if 0 < number <= len(walls) else []
    docnos = dict(assignment.items.filter(place__in=places).values_list("place", "docno"))
    documents = Document.objects.filter(
        collection=assignment.pool.task.collection_id, docno__in=docnos.values()
    )
    contents = {document.docno: document for document in documents.select_related("image")}
    cells = [
        {"place": place, "item_url": reverse("judging_item", args=[assignment.pk, place])}
        | _content(contents[docnos[place]])
        for place in places
        if docnos[place] in contents
    ]
    if not cells:
        raise Http404
    return {"wall": number, "cells": cells, "is_of_texts": not any(cell["image"] for cell in cells)}


def _content(document: Document) -> dict[str, Any]:
    digest = make_digest(document.fields)
    words = f"{digest.lead} {digest.rest}".split()[:MOST_WORDS]
    return {
        "image": document.image,
        "image_count": document.image_count,
        "title": digest.title,
        "snippet": " ".join(words),
    }
