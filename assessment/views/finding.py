"""How an assessor's views fetch what an address names: the person's own, or absent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import get_object_or_404, redirect

from assessment.models import AssignedItem, Assignment

if TYPE_CHECKING:
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


def redirect_onwards(assignment: Assignment, *, after: int) -> HttpResponseRedirect:
    """Go to the next item without a judgment, from the place on and round; to the list when all have one."""
    places = assignment.open_places()
    onwards = [place for place in places if place > after] or places
    if not onwards:
        return redirect("judging_items", assignment.pk)
    return redirect("judging_item", assignment.pk, onwards[0])
