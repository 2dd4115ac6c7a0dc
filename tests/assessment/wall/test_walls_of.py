"""Which items are on which wall, and who judges on walls."""

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from assessment.assigning.lookups import walls_of
from assessment.models import (
    AssignedItem,
    Assignment,
    AssignmentKind,
    CannotJudge,
    GoldItem,
    JudgingPlan,
    Purpose,
    Surface,
)
from evaluation.models import Document
from tests.assessment.factories import judge, make_assignment, page
from tests.assessment.wall.walled import make_walled, make_walled_pool
from tests.factories import make_image, make_pool

pytestmark = pytest.mark.django_db


def fresh(assignment: Assignment) -> Assignment:
    """The stored assignment: a loaded one keeps the plan that its task had."""
    return Assignment.objects.get(pk=assignment.pk)


def test_walls_hold_the_items_in_the_order_of_the_assignment() -> None:
    assert walls_of(make_walled(50)) == [list(range(1, 25)), list(range(25, 49)), [49, 50]]


@pytest.mark.parametrize("change", ["single", "person", "adjudication"])
def test_nobody_has_walls_where_they_are_off(change: str) -> None:
    assignment = make_walled()
    plan = JudgingPlan.objects.filter(task=assignment.pool.task)
    if change == "single":
        plan.update(surface=Surface.SINGLE)
    elif change == "person":
        plan.update(single_people=[assignment.assessor_id])
    else:
        assignment = make_assignment(assignment.pool, kind=AssignmentKind.ADJUDICATION)
    assert walls_of(fresh(assignment)) == []


def test_wall_of_another_person_stays() -> None:
    pool = make_walled_pool({"T1": 30})
    first, second = make_assignment(pool), make_assignment(pool, kind=AssignmentKind.SECOND)
    JudgingPlan.objects.filter(task=pool.task).update(single_people=[first.assessor_id])
    assert [len(walls_of(fresh(each))) for each in (first, second)] == [0, 2]


def test_no_repeat_is_laid_out_in_a_task_with_walls_and_gold_is_on_them() -> None:
    pool = make_walled_pool({"T1": 40}, gold_percent=10, repeat_percent=30)
    for number in (41, 42, 43, 44, 45):
        GoldItem.objects.create(task=pool.task, topic="T1", docno=f"D{number}", grade=1)
    assignment = make_assignment(pool)
    purposes = assignment.items.values_list("purpose", flat=True)
    assert sorted(purposes) == [Purpose.GOLD] * 4 + [Purpose.WORK] * 40
    assert walls_of(assignment) == [list(range(1, 25)), list(range(25, 45))]


def test_wall_never_holds_what_its_assessor_has_judged_in_an_earlier_pool() -> None:
    """D1 to D3 were judged, D1 as gold, which still needs a judgment as an item of the later pool."""
    pool = make_walled_pool({"T1": 5})
    former = make_assignment(pool)
    AssignedItem.objects.create(assignment=former, place=6, docno="D9", purpose=Purpose.GOLD)
    judge(former, "D2", 0)
    judge(former, "D3", 0)
    AssignedItem.objects.filter(pk=former.items.get(docno="D1").pk).delete()
    AssignedItem.objects.create(assignment=former, place=1, docno="D1", purpose=Purpose.GOLD)
    judge(former, "D1", 0, purpose=Purpose.GOLD)
    later = make_pool(pool.task, name="later", pairs=[("T1", f"D{number}") for number in (5, 3, 1, 4, 2)])
    again = make_assignment(later, assessor=former.assessor)
    on_walls = dict(again.items.values_list("place", "docno"))
    assert [on_walls[place] for wall in walls_of(again) for place in wall] == ["D5", "D4"]
    assert [on_walls[place] for place in again.open_places()] == ["D5", "D1", "D4"]


def test_wall_is_out_of_sight_while_one_of_its_items_is_shown_again() -> None:
    assignment = make_walled(30)
    judge(assignment, "D2", 1)
    AssignedItem.objects.create(assignment=assignment, place=31, docno="D2", purpose=Purpose.REPEAT)
    assert walls_of(assignment) == [[], [25, 26, 27, 28, 29, 30]]
    judge(assignment, "D2", 1, purpose=Purpose.REPEAT)
    assert walls_of(assignment) == [list(range(1, 25)), [25, 26, 27, 28, 29, 30]]


def test_plan_refuses_walls_while_repeats_wait_that_would_come_soon_after_them() -> None:
    assignment = make_walled(20, surface=Surface.SINGLE, repeat_percent=5)
    plan = JudgingPlan.objects.get()
    plan.surface = Surface.BOTH
    with pytest.raises(ValidationError, match="not judged yet: 1"):
        plan.full_clean()
    repeat = assignment.items.get(purpose=Purpose.REPEAT)
    judge(assignment, repeat.docno, 0)
    judge(assignment, repeat.docno, 0, purpose=Purpose.REPEAT)
    plan.full_clean()


def test_work_continues_on_the_first_open_wall_then_one_by_one_then_in_the_list(client: Client) -> None:
    assignment = make_walled(26)
    client.force_login(assignment.assessor)
    resume = reverse("judging_resume", args=[assignment.pk])
    for number in range(1, 25):
        assert client.get(resume)["Location"] == reverse("judging_wall", args=[assignment.pk, 1])
        judge(assignment, f"D{number}", 0)
    assert client.get(resume)["Location"] == reverse("judging_wall", args=[assignment.pk, 2])
    JudgingPlan.objects.update(surface=Surface.SINGLE)
    assert client.get(resume)["Location"] == reverse("judging_item", args=[assignment.pk, 25])
    JudgingPlan.objects.update(surface=Surface.WALL)
    for number in (25, 26):
        judge(assignment, f"D{number}", 0)
    assert client.get(resume)["Location"] == reverse("judging_items", args=[assignment.pk])


@pytest.mark.parametrize("wall", [0, 4, 99_999_999_999])
def test_wall_beyond_the_topic_is_absent(client: Client, wall: int) -> None:
    assignment = make_walled()
    client.force_login(assignment.assessor)
    for name in ("judging_wall", "wall_content"):
        assert client.get(reverse(name, args=[assignment.pk, wall])).status_code == 404


def test_wall_shows_pictures_and_snippets_and_presets_nothing(client: Client) -> None:
    assignment = make_walled(3)
    client.force_login(assignment.assessor)
    text = client.get(reverse("judging_wall", args=[assignment.pk, 1])).content.decode()
    content = client.get(reverse("wall_content", args=[assignment.pk, 1])).content.decode().strip()
    assert content in text
    assert content.count('<b class="mark gm"></b>') == 3
    for place in (1, 2, 3):
        assert f'href="{reverse("judging_item", args=[assignment.pk, place])}#wall"' in content
    assert 'aria-pressed="true"' not in text


def test_wall_offers_every_reason_for_no_grade(client: Client) -> None:
    text = page(client, "judging_wall", make_walled(1), 1)
    assert [reason for reason in CannotJudge.values if f'value="{reason}"' not in text] == []


def test_wall_shows_the_first_picture_of_an_item_and_their_number(client: Client) -> None:
    assignment = make_walled(3)
    first, *more = (make_image().pk for _ in range(3))
    Document.objects.filter(docno="D2").update(image=first, more_images=more)
    client.force_login(assignment.assessor)
    content = client.get(reverse("wall_content", args=[assignment.pk, 1])).content.decode()
    assert content.count("1 of 3 pictures") == 1
    assert reverse("image", args=[first, "small"]) in content
    assert not any(image in content for image in more)
