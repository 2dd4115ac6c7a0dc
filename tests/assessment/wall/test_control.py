"""One item in ten is shown alone, first and only; what walls cost by that, and who loses walls for it."""

import json
from collections.abc import Callable

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from assessment.assigning.lookups import walls_of
from assessment.assigning.singles import find_rates
from assessment.core.wall_losses import WallGrades
from assessment.models import Assignment, AssignmentKind, GoldItem, JudgingPlan, Judgment, Surface
from assessment.wall.control import find_wall_costs
from evaluation.models import Document
from evaluation.platform.access.changes import changes_to
from tests.assessment.factories import judge, make_assignment
from tests.assessment.wall.walled import judge_walls, judged, make_walled, make_walled_pool, send, statuses
from tests.factories import make_assessor, make_image, make_pool

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_singles(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last of each ten neighbours is shown alone, or of five where one in five is."""
    monkeypatch.setattr(
        "assessment.assigning.singles.is_single", lambda place, *, every, seed: place % every == 0
    )


def test_a_wall_shows_singles_last_and_no_item_twice() -> None:
    assignment = make_walled(40)
    first, second = walls_of(assignment)
    assert first == [*range(1, 10), *range(11, 20), *range(21, 25), 10, 20]
    assert second == [*range(25, 30), *range(31, 40), 30, 40]
    assert set(assignment.items.values_list("single_every", flat=True)) == {10}


def test_gold_may_be_single_and_adjudicators_have_none() -> None:
    pool = make_walled_pool({"T1": 40}, gold_percent=10)
    for number in (41, 42, 43, 44):
        GoldItem.objects.create(task=pool.task, topic="T1", docno=f"D{number}", grade=1)
    drawn = make_assignment(pool).items.filter(is_single=True)
    assert list(drawn.values_list("place", flat=True)) == [10, 20, 30, 40]
    for kind in (AssignmentKind.ADJUDICATION, AssignmentKind.CHECK):
        apart = make_assignment(pool, kind=kind)
        assert not apart.items.filter(single_every__isnull=False).exists()


def test_tasks_draw_singles_before_they_have_walls() -> None:
    assert make_walled(40, surface=Surface.SINGLE).items.filter(is_single=True).count() == 4


def test_what_is_alone_is_shown_whole_and_nothing_says_why(client: Client) -> None:
    assignment = make_walled(20)
    Document.objects.filter(docno="D10").update(
        image=None, fields=[["title", "A mill"], ["text", "word " * 60 + "end"]]
    )
    Document.objects.filter(docno__in=("D1", "D20")).update(image=make_image())
    client.force_login(assignment.assessor)
    content = client.get(reverse("wall_content", args=[assignment.pk, 1])).content.decode()
    alone = content.split('data-place="10"')[1].split("</li>")[0]
    assert "end" in alone
    assert 'data-seen="whole"' in alone
    assert "/display" in content.split('data-place="20"')[1]
    assert content.count("/display") == content.count("/small") == 1
    page = client.get(reverse("judging_wall", args=[assignment.pk, 1])).content.decode()
    assert not [word for word in ("control", "chance", "compar", "single_") if word in page.lower()]
    state = json.loads(page.split('<script id="state" type="application/json">')[1].split("</script>")[0])
    assert state["singles"] == [10, 20]


def judge_all(assignment: Assignment, grade_of: Callable[[int], int]) -> None:
    """Grade each item where it is shown, in 2 s on a wall and 6 s alone."""
    for wall, places in enumerate(walls_of(assignment), start=1):
        items = {item.place: item for item in assignment.items.filter(place__in=places)}
        for cell, place in enumerate(places, start=1):
            fields = (
                {"active_seconds": 6.0}
                if items[place].is_single
                else {"active_seconds": 2.0, "wall": wall, "cell": cell}
            )
            judge(assignment, items[place].docno, grade_of(place), purpose=items[place].purpose, **fields)


def test_shares_are_compared_by_person_and_for_everybody() -> None:
    pool = make_walled_pool({"T1": 30, "T2": 20})
    ann, ben = make_assessor(pool.task.track), make_assessor(pool.task.track)
    judge_all(make_assignment(pool, assessor=ann), lambda place: 2 if place <= 10 or place == 20 else 0)
    judge_all(make_assignment(pool, topic="T2", assessor=ben), lambda place: 1)
    costs = find_wall_costs(pool.task)
    assert set(costs) == {None, ann.pk, ben.pk}
    # On Ann's walls 9 of 27 have grade 2, alone 2 of 3.
    grades = costs[ann.pk].grades
    assert grades.share_of_each == pytest.approx(np.array([[2 / 3, 0, 1 / 3], [1 / 3, 0, 2 / 3]]))
    assert (grades.single_count, grades.compared_count) == (3, 0)
    assert grades.kappa is None
    assert grades.top
    assert grades.top.value == pytest.approx(0.5)
    assert costs[ann.pk].seconds == (2.0, 6.0)
    # All weigh the same: one in ten of each. 9 of 45 on walls, 2 of 5 alone.
    assert costs[None].grades.share_of_each[:, 2] == pytest.approx([9 / 45, 2 / 5])
    assert set(find_wall_costs(pool.task, assessor=ben.pk)) == {ben.pk}


def test_topics_weigh_by_their_items_whatever_share_of_them_is_single(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of ten items each, T1 has nine on its wall and one alone, T2 eight and two."""
    pool = make_walled_pool({"T1": 10, "T2": 10})
    ann = make_assessor(pool.task.track)
    monkeypatch.setattr("assessment.assigning.layout.find_rates", lambda _: {(ann.pk, "T2"): 5})
    judge_all(make_assignment(pool, topic="T1", assessor=ann), lambda _: 0)
    judge_all(make_assignment(pool, topic="T2", assessor=ann), lambda _: 2)
    grades = find_wall_costs(pool.task)[ann.pk].grades
    assert grades.single_count == 3
    assert grades.share_of_each == pytest.approx(np.array([[0.5, 0, 0.5], [0.5, 0, 0.5]]))


def test_others_grades_of_the_same_items_give_kappa() -> None:
    pool = make_walled_pool({"T1": 30})
    judge_all(first := make_assignment(pool), lambda place: 2 if place % 3 == 0 else 0)
    second, third = (make_assignment(pool, kind=AssignmentKind.SECOND) for _ in range(2))
    for number in (1, 2, 3, 6, 10, 20, 30):
        judge(second, f"D{number}", 2 if number in (3, 20, 30) else 0)
    judge(third, "D30", 0)
    grades = find_wall_costs(pool.task, assessor=first.assessor_id)[first.assessor_id].grades
    # Walls: own 0 0 2 2 against 0 0 2 0: kappa (3/4 - 1/2) / (1 - 1/2). Alone: 0, 0 and 2 against 0, 2 and
    # half of 2 and 0: 1.5 of 3 agree; by chance (2 * 1.5 + 1 * 1.5) / 9 = 1/2; kappa 0.
    assert grades.kappa
    assert (grades.kappa.on_wall, grades.kappa.singly) == pytest.approx((0.5, 0.0))
    assert grades.compared_count == 3


def test_items_count_as_they_were_dealt_where_walls_were_used() -> None:
    """A grade that was changed one by one stays one of the wall; a topic without walls is left out."""
    pool = make_walled_pool({"T1": 10, "T2": 10})
    judge_all(first := make_assignment(pool), lambda _: 0)
    for number in range(1, 10):
        judge(first, f"D{number}", 2)
    judge(first, "D1", 0, wall=1, cell=1)
    singly = make_assignment(pool, topic="T2", assessor=first.assessor)
    for number in range(1, 11):
        judge(singly, f"D{number}", 1)
    (costs,) = find_wall_costs(pool.task).values()
    assert costs.grades.share_of_each == pytest.approx(np.array([[1 / 9, 0, 8 / 9], [1, 0, 0]]))


def test_what_its_assessor_judged_before_and_what_was_not_drawn_is_left_out() -> None:
    pool = make_walled_pool({"T1": 20})
    former = make_assignment(make_pool(pool.task, name="former", pairs=[("T1", "D1"), ("T1", "D10")]))
    for docno in ("D1", "D10"):
        judge(former, docno, 2)
    judge_all(later := make_assignment(pool, assessor=former.assessor), lambda _: 0)
    grades = find_wall_costs(pool.task)[later.assessor_id].grades
    assert (grades.single_count, grades.share_of_each[0].tolist()) == (1, [1, 0, 0])


def test_a_topic_with_more_of_the_highest_grades_has_more_singles_in_its_next_pool() -> None:
    pool = make_walled_pool({"T1": 48, "T2": 48})
    rich = make_assignment(pool)
    poor = make_assignment(pool, topic="T2", assessor=rich.assessor)
    judge_all(rich, lambda place: 2 if place <= 30 else 0)
    judge_all(poor, lambda place: 2 if place <= 3 else 0)
    # On walls 27 of 44 in T1 and 3 of 44 in T2, so 30 of 88: (27 + 8.2) / (68 * 0.341) = 1.52 times as many.
    assert find_rates([rich]) == {(rich.assessor_id, "T1"): 7, (rich.assessor_id, "T2"): 10}
    later = make_pool(pool.task, name="later", pairs=[("T1", "D1"), ("T2", "D1")])
    for topic, every in (("T1", 7), ("T2", 10)):
        again = make_assignment(later, topic=topic, assessor=rich.assessor)
        assert again.items.get().single_every == every


def test_a_single_is_stored_as_judged_singly(client: Client) -> None:
    assignment = make_walled(10)
    alone = judged(10, 1, wall="", cell="", active_seconds=9.0)
    assert statuses(send(client, assignment, judged(1, 0, active_seconds=1.0), alone)) == [200, 200]
    assert list(Judgment.objects.order_by("pk").values_list("wall", "active_seconds")) == [
        (1, 1.0),
        (None, 9.0),
    ]


def _review(monkeypatch: pytest.MonkeyPatch, finding: str) -> None:
    monkeypatch.setattr(WallGrades, "finding", lambda _grades, _margin: finding)


def test_walls_end_with_the_topic_that_shows_their_loss(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = make_walled(40)
    second = make_assignment(first.pool, kind=AssignmentKind.SECOND)
    judge_all(second, lambda _: 0)
    judge_all(first, lambda place: 0)
    last = judged(40, 1, wall="", cell="")
    _review(monkeypatch, "open")
    send(client, first, last)
    assert JudgingPlan.objects.get().single_people == []
    _review(monkeypatch, "loses")
    send(client, first, last)
    plan = JudgingPlan.objects.get()
    assert plan.single_people == [first.assessor_id]
    change = changes_to(plan)[0]
    assert (change.person, change.by, change.fields) == (
        "",
        "review_walls",
        [("single_people", [], [first.assessor_id])],
    )
    assert walls_of(Assignment.objects.get(pk=first.pk)) == []
    assert walls_of(Assignment.objects.get(pk=second.pk)) != []


def test_walls_stay_until_the_topic_is_finished(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assignment = make_walled(30)
    _review(monkeypatch, "loses")
    judge_walls(client, assignment, 1)
    assert JudgingPlan.objects.get().single_people == []


def test_the_plan_states_the_loss_that_ends_walls(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assignment = make_walled(10)
    JudgingPlan.objects.update(wall_loss_percent=20)
    margins: list[float] = []

    def note(_grades: WallGrades, margin: float) -> str:
        margins.append(margin)
        return "open"

    monkeypatch.setattr(WallGrades, "finding", note)
    judge_all(assignment, lambda _: 0)
    send(client, assignment, judged(10, 0, wall="", cell=""))
    assert margins == [0.2]
