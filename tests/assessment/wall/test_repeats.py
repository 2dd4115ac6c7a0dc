"""Single items of walls come again, alone, in a topic that was finished long ago."""

import pytest
from django.test import Client
from django.utils import timezone

from assessment.assigning.actions import end_assignment
from assessment.assigning.lookups import first_open_wall
from assessment.models import Assignment, CannotJudge, JudgingPlan, Purpose
from assessment.quality.walls import find_walls
from assessment.wall import repeats
from tests.assessment.factories import judge, make_assignment, page
from tests.assessment.wall.walled import judged, make_walled_pool, send, statuses
from tests.factories import make_assessor

pytestmark = pytest.mark.django_db

ALONE = {"wall": None, "cell": None}


@pytest.fixture(autouse=True)
def no_singles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each second item is shown alone; 20 judgments are long."""
    monkeypatch.setattr(
        "assessment.assigning.singles.is_single", lambda place, *, every, seed: place % 2 == 0
    )
    monkeypatch.setattr(repeats, "LEAST_BETWEEN", 20)


def make_topics(*topics: str, size: int = 20) -> list[Assignment]:
    """An assignment of each topic to one assessor."""
    pool = make_walled_pool(dict.fromkeys(topics, size))
    ann = make_assessor(pool.task.track, name="Ann")
    return [make_assignment(pool, topic=topic, assessor=ann) for topic in topics]


def judge_topic(client: Client, assignment: Assignment) -> None:
    """Grade the items of one wall, those that are alone without it."""
    places = assignment.items.values_list("place", "is_single")
    events = [
        judged(place, **(ALONE if is_single else {"wall": (place + 23) // 24, "cell": (place - 1) % 24 + 1}))
        for place, is_single in places
    ]
    assert set(statuses(send(client, assignment, *events))) == {200}


def again(assignment: Assignment) -> list[str]:
    return list(assignment.items.filter(purpose=Purpose.REPEAT).values_list("docno", flat=True))


def test_some_singles_come_again_once_after_another_topic(client: Client) -> None:
    first, second, third = make_topics("T1", "T2", "T3")
    judge_topic(client, first)
    assert [again(each) for each in (first, second, third)] == [[], [], []]
    judge_topic(client, second)
    drawn = again(first)
    assert len(drawn) == 2  # one in five of ten
    assert set(drawn) <= set(first.items.filter(is_single=True).values_list("docno", flat=True))
    assert first_open_wall(first) is None
    judge_topic(client, third)
    assert (again(first), len(again(second)), again(third)) == (drawn, 2, [])


def test_repeats_are_judged_alone_and_tell_how_often_a_grade_stays(client: Client) -> None:
    first, second = make_topics("T1", "T2")
    judge_topic(client, first)
    judge_topic(client, second)
    one, other = first.items.filter(purpose=Purpose.REPEAT)
    assert one.place in first.open_places()
    assert "judgment" in page(client, "judging_item", first, one.place)
    judge(first, one.docno, 0, purpose=Purpose.REPEAT)
    judge(first, other.docno, 2, purpose=Purpose.REPEAT)
    [row] = find_walls(first.pool.task, {first.assessor_id: "Ann"})
    assert (row.repeats.count, row.repeats.of) == (1, 2)
    JudgingPlan.objects.get().full_clean()


def test_at_the_end_of_all_work_singles_judged_long_ago_come_again(client: Client) -> None:
    [only] = make_topics("T1", size=60)
    judge_topic(client, only)
    drawn = only.items.filter(purpose=Purpose.REPEAT)
    long_ago = only.items.filter(is_single=True, place__lte=40).values("docno")
    assert drawn.filter(docno__in=long_ago).count() == drawn.count() == 4  # one in five of 20
    for place in drawn.values_list("place", flat=True):
        assert statuses(send(client, only, judged(place, **ALONE))) == [200]
    assert drawn.count() == 4


def test_last_topic_has_repeats_beside_those_of_the_others(client: Client) -> None:
    first, last = make_topics("T1", "T2", size=40)
    judge_topic(client, first)
    assert again(first) == []
    judge_topic(client, last)
    long_ago = set(last.items.filter(is_single=True, place__lte=20).values_list("docno", flat=True))
    assert (len(again(first)), len(again(last))) == (4, 2)  # one in five of 20 and of 10
    assert set(again(last)) <= long_ago


def test_plan_can_be_saved_while_repeats_of_singles_wait(client: Client) -> None:
    first, second = make_topics("T1", "T2")
    judge_topic(client, first)
    judge_topic(client, second)
    assert first.open_places()
    JudgingPlan.objects.get().full_clean()


def test_reasons_ended_topics_and_recent_ones_do_not_come_again(client: Client) -> None:
    first, second, third = make_topics("T1", "T2", "T3")
    for item in first.items.all():
        judge(first, item.docno, CannotJudge.IMAGE)
    judge_topic(client, second)
    assert again(first) == []
    end_assignment(assignment=second, by=second.pool.created_by)
    judge_topic(client, third)
    assert again(second) == []


def test_one_in_five_singles_of_small_topics_comes_again(client: Client) -> None:
    topics = make_topics(*(f"T{number}" for number in range(20)), size=4)
    for assignment in topics:
        judge_topic(client, assignment)
    drawn = [len(repeats._drawn(assignment, timezone.now())) for assignment in topics]
    assert set(drawn) == {0, 1}
    assert 3 <= sum(drawn) <= 14  # of 40; 20 if one of each topic came
