"""Two judgments of one item at once, from pages that know of none: one is stored, the other is a conflict."""

import pytest

from assessment.models import Judgment
from assessment.models.replacing import JudgmentConflict, Replaces, ReplacesRule
from evaluation.models import User
from tests.assessment.factories import judge, make_assignment, make_judging_pool
from tests.concurrency.concurrent_calls import at_once
from tests.factories import make_pool

pytestmark = pytest.mark.django_db(transaction=True)

NONE = Replaces(ReplacesRule.NONE)


@pytest.mark.parametrize("is_same_pool", [True, False], ids=["one assignment", "two pools of the task"])
def test_second_of_two_judgments_at_once_is_a_conflict(*, is_same_pool: bool) -> None:
    pool = make_judging_pool()
    first = make_assignment(pool)
    other_pool = pool if is_same_pool else make_pool(pool.task, pairs=[("T1", "D1")])
    assessor = User.objects.get(pk=first.assessor_id)
    second = first if is_same_pool else make_assignment(other_pool, assessor=assessor)
    found = at_once(
        lambda: judge(first, "D1", 2, replaces=NONE), lambda: judge(second, "D1", 0, replaces=NONE)
    )
    assert isinstance(found, JudgmentConflict)
    assert [event.mark for event in Judgment.objects.all()] == [2]
