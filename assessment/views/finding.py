"""How an assessor's views fetch what an address names: the person's own, or absent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import DEFAULT_DB_ALIAS
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect

from assessment.models import AssignedItem, Assignment
from evaluation.models import Document, Given, Image, Standing, kept

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpResponseRedirect

    from evaluation.views.finding import SignedInRequest


def find_assignment(request: SignedInRequest, assignment: int) -> Assignment:
    """The person's own assignment of that number, in any phase after the opening.

    One that has ended is found too: what its screen still holds gets an answer that says so.
    """
    return get_object_or_404(Assignment.objects.given_to(request.user), pk=assignment)


def find_open_assignment(request: SignedInRequest, assignment: int) -> Assignment:
    """The person's own assignment of that number, while its task is open for judging."""
    own = Assignment.objects.held_by(request.user).in_judging()
    return get_object_or_404(own.select_related("pool__task"), pk=assignment)


def find_item(assignment: Assignment, place: int) -> AssignedItem:
    """The item at that place of the assignment, from 1."""
    return get_object_or_404(AssignedItem, assignment=assignment, place=place)


def find_given_item(request: SignedInRequest, assignment: int, place: int) -> AssignedItem:
    """The item at that place of what `find_assignment` finds; of the assignment only the key is read."""
    found = _given_items(Standing.of(request.user)).first(
        user=request.user.pk, assignment=assignment, place=place
    )
    if found is None:
        raise Http404
    docno, purpose = found
    own = Assignment.from_db(DEFAULT_DB_ALIAS, ["id"], [assignment])
    return AssignedItem(assignment=own, place=place, docno=docno, purpose=purpose)


@kept
def _given_items(standing: Standing) -> QuerySet[AssignedItem, tuple[str, str]]:
    own = Assignment.objects.given_to(standing.anybody()).filter(pk=Given("assignment"))
    items = AssignedItem.objects.filter(assignment__in=own, place=Given("place"))
    return items.values_list("docno", "purpose")


def find_open_document(request: SignedInRequest, assignment: int, place: int) -> Document:
    """The document at that place of what `find_open_assignment` finds: texts, image's key and size."""
    found = _open_items(Standing.of(request.user)).first(
        user=request.user.pk, assignment=assignment, place=place
    )
    document = found and _documents().first(docno=found[0], collection=found[1])
    if not document:
        raise Http404
    fields, sha256, width, height = document
    image = None if sha256 is None else Image(sha256=sha256, width=width, height=height)
    return Document(fields=fields, image=image)


@kept
def _open_items(standing: Standing) -> QuerySet[AssignedItem, tuple[str, int]]:
    own = Assignment.objects.held_by(standing.anybody()).in_judging().filter(pk=Given("assignment"))
    items = AssignedItem.objects.filter(assignment__in=own, place=Given("place"))
    return items.values_list("docno", "assignment__pool__task__collection")


@kept
def _documents() -> QuerySet[Document, tuple[Any, ...]]:
    documents = Document.objects.filter(collection=Given("collection"), docno=Given("docno"))
    return documents.values_list("fields", "image", "image__width", "image__height")


def redirect_onwards(assignment: Assignment, *, after: int) -> HttpResponseRedirect:
    """Go to the next item without a judgment, from the place on and round; to the list when all have one."""
    places = assignment.open_places()
    onwards = [place for place in places if place > after] or places
    if not onwards:
        return redirect("judging_items", assignment.pk)
    return redirect("judging_item", assignment.pk, onwards[0])
