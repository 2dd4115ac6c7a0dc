"""Return the assignment or item of a URL, or raise 404 if it is not the user's own."""

from typing import Any

from django.db import DEFAULT_DB_ALIAS
from django.db.models import QuerySet
from django.http import Http404, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect

from assessment.assigning.walls import first_open_wall
from assessment.models.assignment import AssignedItem, Assignment
from evaluation.access.compiled import Given, compiled
from evaluation.access.people import PermissionKey
from evaluation.access.requests import SignedInRequest
from evaluation.collections.blobs import Image
from evaluation.collections.models import Document


def find_assignment(request: SignedInRequest, assignment: int) -> Assignment:
    """Return the user's own assignment, in any phase after the opening.

    Includes ended assignments: a screen that is still open gets an error message, not 404.
    """
    return get_object_or_404(Assignment.objects.given_to(request.user), pk=assignment)


def find_open_assignment(request: SignedInRequest, assignment: int) -> Assignment:
    """Return the user's own assignment, while its task is open for judging."""
    assignments = Assignment.objects.held_by(request.user).in_judging()
    return get_object_or_404(assignments.select_related("pool__task__judging_plan"), pk=assignment)


def find_given_item(request: SignedInRequest, assignment: int, place: int) -> AssignedItem:
    """Return the item at that place of `find_assignment`'s result; load only the assignment's key."""
    item = _given_items(PermissionKey.of(request.user)).first(
        user=request.user.pk, assignment=assignment, place=place
    )
    if item is None:
        raise Http404
    docno, purpose = item
    own_assignment = Assignment.from_db(DEFAULT_DB_ALIAS, ["id"], [assignment])
    return AssignedItem(assignment=own_assignment, place=place, docno=docno, purpose=purpose)


@compiled
def _given_items(key: PermissionKey) -> QuerySet[AssignedItem, tuple[str, str]]:
    assignments = Assignment.objects.given_to(key.anybody()).filter(pk=Given("assignment"))
    items = AssignedItem.objects.filter(assignment__in=assignments, place=Given("place"))
    return items.values_list("docno", "purpose")


def find_open_document(request: SignedInRequest, assignment: int, place: int) -> Document:
    """Return the document at that place of `find_open_assignment`'s result: texts, image key and size."""
    item = _open_items(PermissionKey.of(request.user)).first(
        user=request.user.pk, assignment=assignment, place=place
    )
    document = item and _documents().first(docno=item[0], collection=item[1])
    if not document:
        raise Http404
    fields, sha256, width, height, more_images = document
    image = None if sha256 is None else Image(sha256=sha256, width=width, height=height)
    return Document(fields=fields, image=image, more_images=more_images)


@compiled
def _open_items(key: PermissionKey) -> QuerySet[AssignedItem, tuple[str, int]]:
    assignments = Assignment.objects.held_by(key.anybody()).in_judging().filter(pk=Given("assignment"))
    items = AssignedItem.objects.filter(assignment__in=assignments, place=Given("place"))
    return items.values_list("docno", "assignment__pool__task__collection")


@compiled
def _documents() -> QuerySet[Document, tuple[Any, ...]]:
    documents = Document.objects.filter(collection=Given("collection"), docno=Given("docno"))
    return documents.values_list("fields", "image", "image__width", "image__height", "more_images")


def redirect_onwards(assignment: Assignment, *, after: int) -> HttpResponseRedirect:
    """Redirect to the next unjudged item after the place, wrapping around; to the list if all are judged.

    From place 0 redirect to the first wall with such an item, if the assessor judges on walls.
    """
    if after == 0 and (wall := first_open_wall(assignment)):
        return redirect("judging_wall", assignment.pk, wall)
    places = assignment.open_places()
    next_places = [place for place in places if place > after] or places
    if not next_places:
        return redirect("judging_items", assignment.pk)
    return redirect("judging_item", assignment.pk, next_places[0])
