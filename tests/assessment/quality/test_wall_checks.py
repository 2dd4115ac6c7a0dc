"""Wall against one by one: kappa, missed highest grades and seconds an item, by person."""

import pytest
from django.test import Client

from assessment.models import AssignedItem, Assignment, Purpose
from assessment.quality.figures import quality_of
from tests.assessment.factories import address, judge, make_assignment
from tests.assessment.wall.walled import make_walled_pool
from tests.factories import make_assessor

pytestmark = pytest.mark.django_db


def judge_twice(assignment: Assignment, grades: list[tuple[int, int]], *, seconds: float = 1.0) -> None:
    """Grade D1, D2 ... on the first wall, and again one by one in four times the seconds."""
    for number, (on_wall, singly) in enumerate(grades, start=1):
        docno = f"D{number}"
        AssignedItem.objects.create(
            assignment=assignment, place=100 + number, docno=docno, purpose=Purpose.REPEAT
        )
        judge(assignment, docno, on_wall, wall=1, cell=number, active_seconds=seconds)
        judge(assignment, docno, singly, purpose=Purpose.REPEAT, active_seconds=4 * seconds)


def test_both_surfaces_are_compared_by_person_and_for_everybody(client: Client) -> None:
    pool = make_walled_pool({"T1": 10, "T2": 10})
    ann, ben = make_assessor(pool.task.track, name="Ann"), make_assessor(pool.task.track, name="Ben")
    first = make_assignment(pool, assessor=ann)
    judge_twice(first, [(0, 0), (0, 0), (0, 0), (0, 2), (1, 2), (2, 2), (2, 0), (1, 1), (0, 1), (0, 0)])
    judge_twice(make_assignment(pool, topic="T2", assessor=ben), [(0, 0), (2, 2)], seconds=2.5)
    judge(first, "D10", 0, purpose=Purpose.WORK)  # judged singly now: no longer compared
    everybody, by_ann, by_ben = quality_of(pool.task).walls
    assert [row.agreement.first for row in (everybody, by_ben)] == ["Everybody", f"Ben ({ben.email})"]
    # Ann's nine: same 3 x 0, one 2, one 1 = 5 / 9. On the wall 5, 2, 2 of the grades 0, 1, 2; singly 4, 2, 3.
    # By chance: (5 * 4 + 2 * 2 + 2 * 3) / 81 = 30 / 81; kappa (45 - 30) / (81 - 30) = 15 / 51.
    assert by_ann.agreement.item_count == 9
    assert by_ann.agreement.kappas[0].value.value == pytest.approx(15 / 51)
    assert (by_ann.missed.count, by_ann.missed.of) == (2, 3)
    assert (by_ann.wall_seconds, by_ann.single_seconds) == (1.0, 4.0)
    assert (by_ben.missed.count, by_ben.missed.of, by_ben.wall_seconds) == (0, 1, 2.5)
    assert (everybody.agreement.item_count, everybody.agreement.topic_count) == (11, 2)
    assert everybody.wall_seconds == pytest.approx((9 * 1.0 + 2 * 2.5) / 11)
    assert (everybody.missed.count, everybody.missed.of) == (2, 4)
    client.force_login(pool.created_by)
    page = client.get(address("judging_quality", first)).content.decode()
    assert "Wall against one by one" in page
    assert address("setup_plan", first) in page


def test_without_items_judged_on_both_there_is_no_comparison(client: Client) -> None:
    assignment = make_assignment(make_walled_pool({"T1": 3}))
    judge(assignment, "D1", 0, wall=1, cell=1)
    assert list(quality_of(assignment.pool.task).walls) == []
    client.force_login(assignment.pool.created_by)
    assert (
        "Wall against one by one" not in client.get(address("judging_quality", assignment)).content.decode()
    )
