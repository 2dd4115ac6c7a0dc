"""Two assessors who disagree on an item, and addresses of the pages that show it."""

from django.urls import reverse

from assessment.models import Assignment, AssignmentKind
from tests.assessment.factories import judge, make_assignment, make_judging_pool
from tests.factories import make_assessor


def address(name: str, given: Assignment, *args: str) -> str:
    return reverse(name, args=[given.pool.task.track.slug, given.pool.task.slug, *args])


def make_two(mark: int = 2) -> tuple[Assignment, Assignment]:
    pool = make_judging_pool()
    ann, ben = (make_assessor(pool.task.track, name=name) for name in ("Ann", "Ben"))
    owner, second = (
        make_assignment(pool, assessor=ann),
        make_assignment(pool, assessor=ben, kind=AssignmentKind.SECOND),
    )
    judge(owner, "D1", 0, active_seconds=8.0, comment="=nothing fits")
    judge(owner, "D2", 1, active_seconds=4.0)
    judge(second, "D1", mark, active_seconds=2.0, comment="it fits")
    return owner, second
