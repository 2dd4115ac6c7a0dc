"""Find a person's own assignment or item (404 for others), its walls, and who may judge a pool."""

from typing import Any

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect

from assessment.core.arranging import lay_walls
from assessment.models.assignment import AssignedItem, Assignment
from assessment.models.exclusion import Exclusion
from assessment.models.feedback import Feedback
from assessment.models.judgment import Judgment
from assessment.models.plan import JudgingPlan
from assessment.models.purposes import APART, Purpose
from evaluation.collections.blobs import Image
from evaluation.collections.models import Document
from evaluation.platform.access.compiled import Given, compiled
from evaluation.platform.access.people import Membership, PermissionKey, Role, User
from evaluation.platform.access.requests import SignedInRequest
from evaluation.submissions.pools.models import Pool, PoolItem, PoolKind
from evaluation.submissions.runs.models import Run


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
    """Return the document at that place of `find_open_assignment`'s result: collection, texts, images."""
    item = _open_items(PermissionKey.of(request.user)).first(
        user=request.user.pk, assignment=assignment, place=place
    )
    document = item and _documents().first(docno=item[0], collection=item[1])
    if not item or not document:
        raise Http404
    fields, sha256, width, height, more_images = document
    image = None if sha256 is None else Image(sha256=sha256, width=width, height=height)
    return Document(collection_id=item[1], fields=fields, image=image, more_images=more_images)


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


def has_walls(assignment: Assignment) -> bool:
    """Return whether the assessor may judge the assignment on walls."""
    plan = JudgingPlan.objects.of(assignment.pool.task)
    return assignment.kind not in APART and plan.shows_walls_to(assignment.assessor_id)


def walls_of(assignment: Assignment) -> list[list[int]]:
    """Return the places of each wall, always the same ones; new items are appended.

    Those that the wall shows alone come last. An item is on a wall at its first sighting only: repeats, and
    items that the assessor judged before the assignment was made, are judged one by one. A wall is empty
    while one of its judged items is shown again.
    """
    if not has_walls(assignment):
        return []
    judgments = Judgment.objects.filter(
        task=assignment.pool.task_id,
        topic=assignment.topic,
        assessor=assignment.assessor_id,
        docno=OuterRef("docno"),
        judged_at__lt=assignment.assigned_at,
    )
    items = list(assignment.items.exclude(Exists(judgments)).order_by("place"))
    open_places = set(assignment.open_places())
    repeats = {item.docno for item in items if item.purpose == Purpose.REPEAT and item.place in open_places}
    veiled = {item.place for item in items if item.docno in repeats and item.place not in open_places}
    singles = {item.place for item in items if item.is_single}
    walls = lay_walls([item.place for item in items if item.purpose != Purpose.REPEAT])
    return [[] if veiled.intersection(wall) else sorted(wall, key=singles.__contains__) for wall in walls]


def first_open_wall(assignment: Assignment) -> int | None:
    """Return the number of the first wall with an item that needs a judgment, from 1."""
    open_places = set(assignment.open_places())
    walls = enumerate(walls_of(assignment), start=1)
    return next((number for number, wall in walls if open_places.intersection(wall)), None)


def find_assessors(*, pool: Pool) -> QuerySet[User]:
    """Return the track's active assessors, without members of a team with a run in the pool.

    People who uploaded such a run and then left the team are excluded, too, those whose judgments of the task
    do not count, and those to whom the feedback of a task of the track is open. For a check pool all runs in
    the task's pools count; a third person has judged none of its items for another purpose.
    """
    members = Membership.objects.filter(track=pool.task.track_id, role=Role.ASSESSOR)
    pools = pool.task.pools.all() if pool.kind == PoolKind.CHECK else [pool]
    runs = Run.objects.filter(pool_runs__pool__in=pools)
    teams = Membership.objects.filter(team__in=runs.values("team"))
    users = User.objects.filter(is_active=True, pk__in=members.values("user"))
    users = users.exclude(pk__in=teams.values("user")).exclude(pk__in=runs.values("received_by"))
    excluded = Exclusion.objects.of_later_work().filter(task=pool.task_id, topic="")
    users = users.exclude(pk__in=excluded.values("assessor"))
    users = users.exclude(pk__in=Feedback.objects.readers_of(pool.task.track_id))
    if pool.is_third:
        items = PoolItem.objects.filter(pool=pool, topic=OuterRef("topic"), docno=OuterRef("docno"))
        judged = Judgment.objects.filter(Exists(items), task=pool.task_id).exclude(purpose=Purpose.CHECK)
        users = users.exclude(pk__in=judged.values("assessor"))
    return users.order_by("pk")
