import pytest

from assessment.core.consolidation import ConsolidationRule
from assessment.models import Assignment, AssignmentKind, CannotJudge, Purpose
from assessment.publishing.actions import publish_judgments
from assessment.quality.disagreements import assign_adjudication, find_disagreements
from tests.assessment.factories import adjudicate, judge, make_assignment, make_judging_pool
from tests.factories import make_assessor, make_pool, make_run, make_team
from tests.refusals import refused

pytestmark = pytest.mark.django_db


def make_disagreement() -> tuple[Assignment, Assignment]:
    """T1: D1 is 0 and 2, D2 is 1 and 2, D3 is 1 and 1."""
    pool = make_judging_pool()
    owner, second = make_assignment(pool), make_assignment(pool, kind=AssignmentKind.SECOND)
    for docno, first, other in (("D1", 0, 2), ("D2", 1, 2), ("D3", 1, 1)):
        judge(owner, docno, first)
        judge(second, docno, other)
    return owner, second


def published(given: Assignment, rule: ConsolidationRule) -> dict[str, tuple[int | None, str]]:
    task = given.pool.task
    qrels, *_ = publish_judgments(task=task, by=given.pool.created_by, rule=rule)
    assert qrels.provenance["rule"] == rule.words
    pairs = qrels.pairs.filter(topic="T1").values_list("docno", "grade", "outcome")
    return {docno: (grade, outcome) for docno, grade, outcome in pairs}


def test_disagreements_are_sorted_widest_first_and_settled_last() -> None:
    owner, _ = make_disagreement()
    task = owner.pool.task
    assert [(each.docno, each.distance) for each in find_disagreements(task=task)] == [("D1", 2), ("D2", 1)]
    adjudicate(task, "D1", 2, by=owner.pool.created_by)
    assert [each.docno for each in find_disagreements(task=task)] == ["D2", "D1"]


def test_third_assessor_gets_the_open_disagreements_once() -> None:
    owner, _ = make_disagreement()
    task = owner.pool.task
    third = make_assessor(task.track)
    [made] = assign_adjudication(task=task, to=third, by=owner.pool.created_by)
    assert {item.docno for item in made.items.all()} == {"D1", "D2"}
    assert made.open_places() == [1, 2]
    judge(made, "D1", 2, purpose=Purpose.ADJUDICATION)
    assert len(made.open_places()) == 1
    assert [each.docno for each in find_disagreements(task=task)] == ["D2", "D1"]
    with refused("nothing-to-hand-over"):  # they are assigned once
        assign_adjudication(task=task, to=third, by=owner.pool.created_by)


def test_rule_needs_a_grade() -> None:
    owner = make_assignment()
    judge(owner, "D1", CannotJudge.IMAGE)
    judge(owner, "D2", 1)
    found = published(owner, ConsolidationRule.MAJORITY)
    assert found["D1"] == (None, "cannot_judge")
    assert found["D3"] == (None, "unjudged")


def test_adjudication_is_of_graded_items_on_the_scale_and_by_others() -> None:
    owner, second = make_disagreement()
    task, by = owner.pool.task, owner.pool.created_by
    with refused("grade-not-in-criteria"):
        adjudicate(task, "D1", 9, by=by)
    with refused("nothing-to-adjudicate"):
        adjudicate(make_assignment().pool.task, "D1", 1, by=by)
    for given in (owner, second):
        with refused("nothing-to-hand-over"):
            assign_adjudication(task=task, to=given.assessor, by=by)


def test_unjudgeable_items_are_listed_and_reassigned_until_judged() -> None:
    owner = make_assignment()
    task, by = owner.pool.task, owner.pool.created_by
    judge(owner, "D1", CannotJudge.LANGUAGE)
    judge(owner, "D2", 1)
    assert [each.docno for each in find_disagreements(task=task)] == ["D1"]
    third, fourth = make_assessor(task.track), make_assessor(task.track)
    [made] = assign_adjudication(task=task, to=third, by=by)
    judge(made, "D1", CannotJudge.LANGUAGE, purpose=Purpose.ADJUDICATION)
    with refused("nothing-to-hand-over"):
        assign_adjudication(task=task, to=third, by=by)
    [again] = assign_adjudication(task=task, to=fourth, by=by)
    judge(again, "D1", 2, purpose=Purpose.ADJUDICATION)
    assert published(owner, ConsolidationRule.MAJORITY)["D1"] == (2, "ok")


def test_adjudicator_gets_no_item_that_a_run_of_their_own_team_found() -> None:
    owner, _ = make_disagreement()
    task = owner.pool.task
    third, team = make_assessor(task.track), make_team(task.track)
    third.memberships.create(track=task.track, role="team_member", team=team)
    theirs = make_pool(task, name="theirs", pairs=[("T1", "D1")])
    theirs.pool_runs.create(run=make_run(task, team), depth=1)
    [made] = assign_adjudication(task=task, to=third, by=owner.pool.created_by)
    assert [item.docno for item in made.items.all()] == ["D2"]
