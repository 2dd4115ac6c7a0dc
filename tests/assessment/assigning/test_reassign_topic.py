import html
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from assessment.assigning.actions import end_assignment, pause_assignment, reassign_topic
from assessment.models import Assignment, AssignmentKind, CannotJudge
from assessment.publishing.actions import publish_judgments
from tests.assessment.factories import PAIRS, docnos_of, judge, make_assignment, page
from tests.factories import make_assessor, make_organizer, make_pool, make_run, make_team, make_user
from tests.refusals import refused

pytestmark = pytest.mark.django_db


def test_new_owner_judges_the_remaining_items_and_old_grades_count() -> None:
    former = make_assignment()  # T1: D2, D1, D3
    judge(former, "D1", 2)
    pool = former.pool
    person = make_assessor(pool.task.track)
    made = reassign_topic(assignment=former, to=person, by=pool.created_by)
    assert (made.assessor, made.topic, made.kind) == (person, "T1", AssignmentKind.OWNER)
    assert (docnos_of(made), made.open_places()) == (["D2", "D3"], [1, 2])
    former.refresh_from_db()
    assert former.ended_by == pool.created_by
    judge(made, "D2", 1)
    [qrels] = publish_judgments(task=pool.task, by=pool.created_by)
    assert dict(qrels.pairs.graded().values_list("docno", "grade")) == {"D1": 2, "D2": 1}


def test_screen_counts_own_items_only(client: Client) -> None:
    """An item that another owner has graded has no grade here: it is neither judged nor to be judged."""
    former = make_assignment()  # T1: D2, D1, D3
    own = make_assignment(make_pool(former.pool.task, pairs=PAIRS))
    judge(former, "D1", 2)
    judge(own, "D2", 1)
    text = page(client, "judging_item", own, 3)
    assert '<progress id="progress" max="2" value="1">' in text
    assert "1 of 2 judged" in text


def test_list_of_a_new_owner_counts_own_items_only(client: Client) -> None:
    former = make_assignment()  # T1: D2, D1, D3
    judge(former, "D1", 2)
    person = make_assessor(former.pool.task.track)
    made = reassign_topic(assignment=former, to=person, by=former.pool.created_by)
    judge(made, "D2", 1)
    [row] = Assignment.objects.filter(pk=made.pk).with_own_progress()
    assert (row.judged_count, row.item_count) == (1, 2)
    client.force_login(person)
    answer = client.get(reverse("judging_list"))
    assert "1 of 2 items judged." in html.unescape(answer.content.decode())


def test_topic_is_not_given_to_people_who_cannot_judge_it() -> None:
    given = make_assignment()
    pool = given.pool
    second = make_assignment(pool, kind=AssignmentKind.SECOND)
    team = make_team(pool.task.track)
    member = make_assessor(pool.task.track)
    member.memberships.create(track=pool.task.track, role="team_member", team=team)
    pool.pool_runs.create(run=make_run(pool.task, team), depth=1)
    for person in (make_user(), second.assessor, member):
        with refused("cannot-take-topic"):
            reassign_topic(assignment=given, to=person, by=pool.created_by)
    given.refresh_from_db()
    assert given.ended_at is None


def test_successor_of_a_second_assessor_measures_agreement_on_all_items() -> None:
    owner = make_assignment()  # T1: D2, D1, D3
    pool = owner.pool
    second = make_assignment(pool, kind=AssignmentKind.SECOND)
    judge(second, "D1", 2)
    made = reassign_topic(
        assignment=second, to=make_assessor(pool.task.track), by=make_organizer(pool.task.track)
    )
    assert (made.kind, made.open_places()) == (AssignmentKind.SECOND, [1, 2, 3])
    owner.refresh_from_db()
    assert owner.ended_at is None


def test_pause_keeps_the_time_of_its_first_click_and_ends_with_the_assignment() -> None:
    given = make_assignment()
    first = pause_assignment(assignment=given, is_paused=True).paused_at
    assert first is not None
    Assignment.objects.filter(pk=given.pk).update(paused_at=first - timedelta(hours=1))
    assert pause_assignment(assignment=given, is_paused=True).paused_at == first - timedelta(hours=1)
    assert pause_assignment(assignment=given, is_paused=False).paused_at is None
    end_assignment(assignment=given, by=given.pool.created_by)
    with refused("assignment-ended"):
        pause_assignment(assignment=given, is_paused=True)


def test_ended_assignment_is_not_ended_again() -> None:
    given = make_assignment()
    end_assignment(assignment=given, by=given.pool.created_by)
    with refused("assignment-ended"):
        end_assignment(assignment=given, by=given.pool.created_by)


def test_topic_without_its_assessor_is_published_with_gaps() -> None:
    given = make_assignment()
    judge(given, "D1", 2)
    end_assignment(assignment=given, by=given.pool.created_by)
    [qrels] = publish_judgments(task=given.pool.task, by=given.pool.created_by)
    assert (qrels.graded_count, qrels.pair_count) == (1, 4)


def test_what_the_former_owner_could_not_judge_is_left_to_judge_and_the_new_grade_counts() -> None:
    former = make_assignment()  # T1: D2, D1, D3
    judge(former, "D1", CannotJudge.LANGUAGE)
    judge(former, "D2", 2)
    pool = former.pool
    made = reassign_topic(assignment=former, to=make_assessor(pool.task.track), by=pool.created_by)
    assert (docnos_of(made), made.open_places()) == (["D1", "D3"], [1, 2])
    judge(made, "D1", 1)
    judge(made, "D3", CannotJudge.IMAGE)
    [qrels] = publish_judgments(task=pool.task, by=pool.created_by)
    found = dict(qrels.pairs.filter(topic="T1").values_list("docno", "grade"))
    assert found == {"D1": 1, "D2": 2, "D3": None}


def test_adjudication_is_created_again_not_reassigned() -> None:
    given = make_assignment(kind=AssignmentKind.ADJUDICATION)
    with refused("cannot-take-topic", match="list of disagreements"):
        reassign_topic(assignment=given, to=make_assessor(given.pool.task.track), by=given.pool.created_by)
