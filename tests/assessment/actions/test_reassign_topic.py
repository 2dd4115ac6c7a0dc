from __future__ import annotations

import pytest

from assessment.actions.end_assignment import AssignmentEnded, end_assignment
from assessment.actions.publish_judgments import publish_judgments
from assessment.actions.reassign_topic import CannotTakeTopic, reassign_topic
from assessment.models import Kind
from tests.assessment.factories import judge, make_assignment
from tests.factories import make_assessor, make_run, make_team, make_user

pytestmark = pytest.mark.django_db


def test_new_owner_judges_what_is_left_and_the_old_grades_stand() -> None:
    former = make_assignment()  # T1: D2, D1, D3
    judge(former, "D1", 2)
    pool = former.pool
    person = make_assessor(pool.task.track)
    made = reassign_topic(assignment=former, to=person, by=pool.created_by)
    assert (made.assessor, made.topic, made.kind) == (person, "T1", Kind.OWNER)
    assert made.open_places() == [1, 3]
    former.refresh_from_db()
    assert former.ended_by == pool.created_by
    judge(made, "D2", 1)
    [qrels] = publish_judgments(task=pool.task, by=pool.created_by)
    assert dict(qrels.pairs.graded().values_list("docno", "grade")) == {"D1": 2, "D2": 1}


def test_topic_goes_to_nobody_who_cannot_judge_it() -> None:
    given = make_assignment()
    pool = given.pool
    second = make_assignment(pool, kind=Kind.SECOND)
    team = make_team(pool.task.track)
    member = make_assessor(pool.task.track)
    member.memberships.create(track=pool.task.track, role="team_member", team=team)
    pool.pool_runs.create(run=make_run(pool.task, team), depth=1)
    for person in (make_user(), second.assessor, member):
        with pytest.raises(CannotTakeTopic):
            reassign_topic(assignment=given, to=person, by=pool.created_by)
    given.refresh_from_db()
    assert given.ended_at is None


def test_ended_assignment_is_not_ended_again() -> None:
    given = make_assignment()
    end_assignment(assignment=given, by=given.pool.created_by)
    with pytest.raises(AssignmentEnded):
        end_assignment(assignment=given, by=given.pool.created_by)


def test_topic_without_its_assessor_is_published_with_gaps() -> None:
    given = make_assignment()
    judge(given, "D1", 2)
    end_assignment(assignment=given, by=given.pool.created_by)
    [qrels] = publish_judgments(task=given.pool.task, by=given.pool.created_by)
    assert (qrels.graded_count, qrels.pair_count) == (1, 4)
