"""A queue of items, and leases of it."""

from datetime import timedelta

from django.db.models.functions import Now

from assessment.assigning.actions import open_queue
from assessment.judging.leases import lease_items
from assessment.models import Assignment, Slot
from evaluation.models import Pool, User
from tests.assessment.factories import make_judging_pool
from tests.factories import make_assessor


def make_queue(*, assessors: int = 2, percent: int = 0, count: int = 2) -> tuple[Pool, list[User]]:
    """The pool of T1 (D2, D1, D3) and T2 (D1), open item by item, and its assessors."""
    pool = make_judging_pool()
    people = [make_assessor(pool.task.track) for _ in range(assessors)]
    open_queue(pool=pool, percent=percent, seed=1, assessor_count=count)
    return pool, people


def docnos_of(assignment: Assignment) -> list[str]:
    return list(assignment.items.order_by("place").values_list("docno", flat=True))


def expire(assignment: Assignment) -> None:
    assignment.slots.update(expires_at=Now() - timedelta(seconds=1))


def take_topic(pool: Pool, person: User, topic: str, size: int = 20) -> Assignment:
    """A lease of that topic: the other topic's free slots are deleted meanwhile."""
    others = Slot.objects.filter(pool=pool).exclude(topic=topic)
    held = list(others.filter(assignment__isnull=True).values_list("pk", flat=True))
    positions = dict(others.values_list("pk", "position"))
    Slot.objects.filter(pk__in=held).delete()
    leased = lease_items(pool=pool, by=person, size=size)
    Slot.objects.bulk_create(
        Slot(pk=pk, pool=pool, topic="T2", docno="D1", turn=0, position=positions[pk]) for pk in held
    )
    return leased
