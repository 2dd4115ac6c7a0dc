"""Give a pool's topics to the track's assessors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Count

from assessment.core.balancing import draw_overlap, share_topics
from assessment.models import Assignment
from evaluation.core.errors import InputError
from evaluation.models import Membership, Pool, Role

if TYPE_CHECKING:
    from evaluation.models import User


class NoAssessors(InputError):
    """The track has nobody to judge."""


class OverlapNeedsTwoAssessors(InputError):
    """Nobody can grade a topic a second time."""


class OverlapOutOfRange(InputError):
    """The share of topics graded twice is no percentage."""


class TopicsAlreadyAssigned(InputError):
    """Every topic of the pool has its assessor."""


@transaction.atomic
def assign_topics(*, pool: Pool, second_percent: int, seed: int, by: User) -> list[Assignment]:
    """Give each topic without an owner to an assessor, and a share of these topics to a second one as well.

    A topic stays with whoever owns it in an earlier pool of the task, so that old judgments count; all else
    is balanced by items. Equal seeds and loads give equal shares.
    Raises NoAssessors, OverlapNeedsTwoAssessors, OverlapOutOfRange, TopicsAlreadyAssigned.
    """
    Pool.objects.select_for_update().get(pk=pool.pk)
    sizes = dict(pool.items.order_by().values_list("topic").annotate(Count("pk")))
    present = list(Assignment.objects.filter(pool=pool))
    loads = dict.fromkeys(_assessors_of(pool), 0)
    for assignment in present:
        if assignment.assessor_id in loads:
            loads[assignment.assessor_id] += sizes[assignment.topic]
    owned = {assignment.topic for assignment in present if not assignment.is_second}
    free = {topic: size for topic, size in sizes.items() if topic not in owned}
    _check(pool, loads, free, second_percent)
    owners = share_topics(free, loads, seed=seed, bound=_former_owners(pool, loads))
    for topic, assessor in owners.items():
        loads[assessor] += sizes[topic]
    overlap = draw_overlap(free, second_percent, seed=seed)
    seconds = share_topics({topic: sizes[topic] for topic in overlap}, loads, seed=seed, barred=owners)
    shares = [(owners, False), (seconds, True)]
    return Assignment.objects.bulk_create(
        Assignment(pool=pool, topic=topic, assessor_id=assessor, is_second=is_second, assigned_by=by)
        for share, is_second in shares
        for topic, assessor in sorted(share.items())
    )


def _assessors_of(pool: Pool) -> list[int]:
    members = Membership.objects.filter(track=pool.task.track_id, role=Role.ASSESSOR, user__is_active=True)
    return list(members.values_list("user", flat=True))


def _former_owners(pool: Pool, loads: dict[int, int]) -> dict[str, int]:
    former = Assignment.objects.filter(pool__task=pool.task_id, is_second=False, assessor__in=loads)
    return dict(former.order_by("pk").values_list("topic", "assessor"))


def _check(pool: Pool, loads: dict[int, int], free: dict[str, int], second_percent: int) -> None:
    if not 0 <= second_percent <= 100:
        raise OverlapOutOfRange(f"Topics graded twice: {second_percent} % is not between 0 and 100.")
    if not free:
        raise TopicsAlreadyAssigned(f"{pool}: every topic has its assessor already. Nothing was changed.")
    if not loads:
        raise NoAssessors(f"{pool.task.track}: no assessors yet. Invite some, then assign the topics.")
    if second_percent and len(loads) < 2:
        raise OverlapNeedsTwoAssessors(
            f"{pool.task.track} has one assessor, so no topic can be graded twice. "
            "Invite another, or set the share graded twice to 0."
        )
