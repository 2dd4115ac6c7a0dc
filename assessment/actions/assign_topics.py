"""Give a pool's topics to the track's assessors."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Count

from assessment.actions.find_assessors import find_assessors
from assessment.actions.lay_out_items import lay_out_items
from assessment.core.balancing import draw_overlap, share_topics
from assessment.models import Assignment, Kind, Slot
from evaluation.core.errors import InputError
from evaluation.models import Pool

if TYPE_CHECKING:
    from evaluation.models import User

    Given = list[tuple[str, int, Kind]]  # topic, assessor, for what


class NoAssessors(InputError):
    """The track has nobody to judge."""


class TooFewAssessors(InputError):
    """There are not as many assessors as are to grade one topic or item."""


class OverlapOutOfRange(InputError):
    """The share of topics or items graded more than once is no percentage."""


class TopicsAlreadyAssigned(InputError):
    """Every topic of the pool has its assessor."""


@transaction.atomic
def assign_topics(
    *, pool: Pool, second_percent: int, seed: int, by: User, assessor_count: int = 2
) -> list[Assignment]:
    """Give each topic without an owner to an assessor, and a share of these topics to others as well.

    ``second_percent`` of the topics get ``assessor_count`` assessors in all. A topic stays with whoever owns
    it in an earlier pool of the task, so that old judgments count; all else is balanced by items. Whose team
    has a run in the pool gets nothing, and nobody one topic twice. Equal seeds and loads give equal shares.
    Raises NoAssessors, TooFewAssessors, OverlapOutOfRange, TopicsAlreadyAssigned.
    """
    Pool.objects.select_for_update().get(pk=pool.pk)
    sizes = dict(pool.items.order_by().values_list("topic").annotate(Count("pk")))
    present = list(Assignment.objects.going_on().filter(pool=pool))
    loads = dict.fromkeys(find_assessors(pool=pool).values_list("pk", flat=True), 0)
    for assignment in present:
        if assignment.assessor_id in loads:
            loads[assignment.assessor_id] += sizes[assignment.topic]
    owned = {assignment.topic for assignment in present if assignment.is_owner}
    free = {topic: size for topic, size in sizes.items() if topic not in owned}
    if not free or Slot.objects.filter(pool=pool).exists():
        raise TopicsAlreadyAssigned(f"{pool}: everything is assigned already. Nothing was changed.")
    check_overlap(pool=pool, able_count=len(loads), percent=second_percent, assessor_count=assessor_count)
    holders = {topic: {each.assessor_id for each in present if each.topic == topic} for topic in free}
    given = _share_out(pool, free, loads, holders, seed)
    overlap = {topic: free[topic] for topic in draw_overlap(free, second_percent, seed=seed)}
    graders = Counter(each.topic for each in present if each.is_second)
    graders.update(topic for topic, _, _ in given)
    while lacking := {topic: size for topic, size in overlap.items() if graders[topic] < assessor_count}:
        given += _share_again(lacking, loads, holders, seed)
        graders.update(lacking.keys())
    made = Assignment.objects.bulk_create(
        Assignment(pool=pool, topic=topic, assessor_id=assessor, kind=kind, assigned_by=by)
        for topic, assessor, kind in given
    )
    lay_out_items(assignments=made)
    return made


def check_overlap(*, pool: Pool, able_count: int, percent: int, assessor_count: int) -> None:
    """Whether so many assessors can be had for that share of the topics or items."""
    if not 0 <= percent <= 100:
        raise OverlapOutOfRange(f"Graded more than once: {percent} % is not between 0 and 100.")
    if not able_count:
        raise NoAssessors(f"{pool.task.track}: no assessors yet. Invite some, then assign the topics.")
    if percent and able_count < assessor_count:
        raise TooFewAssessors(
            f"{pool.task.track} has {able_count} who may judge this pool, so no topic can be graded by "
            f"{assessor_count}. Invite others, or set the share graded more than once to 0."
        )


def _share_out(
    pool: Pool, free: dict[str, int], loads: dict[int, int], holders: dict[str, set[int]], seed: int
) -> Given:
    """An owner for each topic; ``loads`` and ``holders`` grow by it."""
    former = Assignment.objects.filter(pool__task=pool.task_id, kind=Kind.OWNER, assessor__in=loads)
    former = former.exclude(pool=pool, ended_at__isnull=False)  # closed here: to be somebody else's
    named = former.order_by("pk").values_list("topic", "assessor")
    bound = {topic: assessor for topic, assessor in named if assessor not in holders.get(topic, ())}
    return _share(free, loads, holders, Kind.OWNER, seed, bound)


def _share_again(
    lacking: dict[str, int], loads: dict[int, int], holders: dict[str, set[int]], seed: int
) -> Given:
    """One more assessor for each topic; ``loads`` and ``holders`` grow by it."""
    return _share(lacking, loads, holders, Kind.SECOND, seed, {})


def _share(
    sizes: dict[str, int],
    loads: dict[int, int],
    holders: dict[str, set[int]],
    kind: Kind,
    seed: int,
    bound: dict[str, int],
) -> Given:
    for topic in sorted(sizes):
        if holders[topic] >= loads.keys():
            raise TooFewAssessors(
                f"Topic {topic}: everybody who may judge this pool has it already. Invite others, or close "
                "what they have of it."
            )
    shares = share_topics(sizes, loads, seed=seed, bound=bound, barred=holders)
    for topic, assessor in shares.items():
        loads[assessor] += sizes[topic]
        holders[topic].add(assessor)
    return [(topic, assessor, kind) for topic, assessor in sorted(shares.items())]
