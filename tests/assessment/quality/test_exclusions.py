from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from assessment.assigning.actions import end_assignment, reassign_topic
from assessment.core.consolidation import ConsolidationRule
from assessment.dashboard.forecasts import days_and_paces
from assessment.dashboard.progress import counted_share, progress_by_assessor
from assessment.judging.leases import NothingLeft, lease_items
from assessment.models import (
    AssignedItem,
    Assignment,
    AssignmentKind,
    CurrentJudgment,
    JudgedItem,
    Judgment,
    Slot,
)
from assessment.publishing.actions import publish_judgments
from assessment.quality.disagreements import assign_adjudication, find_disagreements
from assessment.quality.exclusions import Excluded, exclude_judgments, undo_exclusion
from assessment.quality.figures import quality_of
from evaluation.models import Qrels
from tests.assessment.factories import (
    docnos_of,
    judge,
    make_assignment,
    make_queue,
    make_two,
    remark,
    rows_of,
    take_topic,
)
from tests.factories import make_assessor
from tests.refusals import refused

pytestmark = pytest.mark.django_db


def exclude(assignment: Assignment, **changes: Any) -> Excluded:
    """Exclude the judgments of the assignment's assessor in the task."""
    task = assignment.pool.task
    fields: dict[str, Any] = {"task": task, "assessor": assignment.assessor, "reason": "random keys"}
    return exclude_judgments(by=assignment.pool.created_by, **fields | changes)


def published(assignment: Assignment, rule: ConsolidationRule = ConsolidationRule.OWNER) -> Qrels:
    by = assignment.pool.created_by
    return publish_judgments(task=assignment.pool.task, by=by, rule=rule)[0]


def test_judgments_that_do_not_count_are_in_no_qrels_no_agreement_and_no_forecast() -> None:
    owner, second = make_two()  # the owner gives D1 0 and D2 1, the second D1 2
    task = owner.pool.task
    assert quality_of(task).group.item_count == 1
    exclude(owner)
    assert JudgedItem.objects.get(docno="D1").grades == [2]
    assert not JudgedItem.objects.disputed().exists()
    assert not CurrentJudgment.objects.filter(assessor=owner.assessor).exists()
    quality = quality_of(task)
    assert (quality.group.item_count, list(quality.pairs)) == (0, [])
    days, paces = days_and_paces(task)
    assert ([count for _, count in days], list(paces)) == ([1], [second.assessor_id])
    progress = {row.assessor: row for row in progress_by_assessor(task)}
    assert (progress[owner.assessor].judged_count, progress[owner.assessor].left_count) == (0, 0)
    assert Judgment.objects.filter(assessor=owner.assessor).count() == 2  # they stay on record


def test_qrels_say_how_many_judgments_do_not_count_and_why() -> None:
    owner, _second = make_two()
    before = published(owner)
    exclude(owner, topic="T1", reason="cells were graded without a look")
    after = published(owner, ConsolidationRule.MAX)
    assert before.sha256 != after.sha256
    assert rows_of(after)[0] == ("T1", "D1", 2, "ok")
    assert after.provenance["assessors"] == {"A2": 1}
    assert after.provenance["excluded"] == [
        {
            "assessor": "A1",
            "count": 2,
            "reason": "cells were graded without a look",
            "topic": "T1",
            "since": None,
            "until": None,
        }
    ]


def test_somebody_else_gets_the_items_as_unseen() -> None:
    owner = make_assignment()  # T1: D2, D1, D3
    judge(owner, "D1", 2)
    cay = make_assessor(owner.pool.task.track, name="Cay")
    excluded = exclude(owner)
    [made] = excluded.succession.assignments
    assert (made.assessor, made.kind, made.topic) == (cay, AssignmentKind.OWNER, "T1")
    assert (docnos_of(made), made.open_places()) == (["D2", "D1", "D3"], [1, 2, 3])
    owner.refresh_from_db()
    assert owner.ended_by == owner.pool.created_by
    assert "1 judgment of" in excluded.words
    assert "Cay gets items of 1 topic." in excluded.words


def test_second_grading_is_done_again_by_a_third_person() -> None:
    owner, second = make_two()
    third = make_assessor(owner.pool.task.track)
    [made] = exclude(second).succession.assignments
    assert (made.assessor, made.kind, made.open_places()) == (third, AssignmentKind.SECOND, [1, 2, 3])


def test_without_another_assessor_the_topic_waits() -> None:
    owner, _second = make_two()
    succession = exclude(owner).succession
    assert (succession.assignments, succession.left_topics) == ((), ("T1",))


def test_successor_who_was_there_already_gets_the_items_too() -> None:
    former = make_assignment()  # T1: D2, D1, D3
    judge(former, "D1", 2)
    pool = former.pool
    heir = reassign_topic(assignment=former, to=make_assessor(pool.task.track), by=pool.created_by)
    assert docnos_of(heir) == ["D2", "D3"]
    [changed] = exclude(former).succession.assignments
    assert changed == heir
    assert (docnos_of(heir), heir.open_places()) == (["D2", "D3", "D1"], [1, 2, 3])


def test_topic_closed_before_its_judgments_are_excluded_gets_a_new_owner() -> None:
    owner, _second = make_two()
    pool = owner.pool
    end_assignment(assignment=owner, by=pool.created_by)
    third = make_assessor(pool.task.track)
    [made] = exclude(owner).succession.assignments
    assert (made.assessor, made.kind) == (third, AssignmentKind.OWNER)


def test_only_judgments_of_the_topic_and_the_time_are_excluded() -> None:
    owner = make_assignment()
    early, late = judge(owner, "D1", 2), judge(owner, "D2", 1)
    other = make_assignment(owner.pool, topic="T2", assessor=owner.assessor)
    judge(other, "D1", 1)
    heir = make_assessor(owner.pool.task.track)
    moment = late.judged_at
    excluded = exclude(owner, since=moment, until=moment + timedelta(microseconds=1))
    assert excluded.judgment_count == 1
    assert set(Judgment.objects.counted()) == {early, Judgment.objects.get(topic="T2")}
    [made] = excluded.succession.assignments  # of T1: T2 has no excluded judgment and stays
    assert (made.topic, made.assessor, docnos_of(made)) == ("T1", heir, ["D2", "D3"])
    other.refresh_from_db()
    assert other.ended_at is None
    assert rows_of(published(owner))[:2] == [("T1", "D1", 2, "ok"), ("T1", "D2", None, "unjudged")]


def test_grade_that_replaced_another_one_in_the_time_leaves_none() -> None:
    owner = make_assignment()
    judge(owner, "D1", 2)
    late = judge(owner, "D1", 0)
    exclude(owner, since=late.judged_at)
    assert not Judgment.objects.counted().exists()  # the assessor took the first one back


def test_after_an_undo_both_grades_count_and_the_pair_is_disputed() -> None:
    owner = make_assignment()
    judge(owner, "D1", 0)
    make_assessor(owner.pool.task.track)
    excluded = exclude(owner)
    [made] = excluded.succession.assignments
    judge(made, "D1", 2)
    assert rows_of(published(owner))[0] == ("T1", "D1", 2, "ok")
    undo_exclusion(exclusion=excluded.exclusion, by=owner.pool.created_by)
    assert JudgedItem.objects.get(docno="D1").grades == [0, 2]
    [case] = find_disagreements(task=owner.pool.task)
    assert [judgment.grade for judgment in case.judgments] == [0, 2]
    assert rows_of(published(owner))[0] == ("T1", "D1", 0, "ok")  # the first assessor's
    assert rows_of(published(owner, ConsolidationRule.MAX))[0] == ("T1", "D1", 2, "ok")
    assert published(owner).provenance["excluded"] == []
    with refused("undone-already"):
        undo_exclusion(exclusion=excluded.exclusion, by=owner.pool.created_by)
    assert exclude(owner).exclusion.pk != excluded.exclusion.pk  # it may be stated again


def test_later_judgments_do_not_count_either() -> None:
    owner, second = make_two()
    exclude(owner)
    judge(owner, "D3", 1, shown_at=timezone.now() - timedelta(minutes=1))
    assert set(Judgment.objects.counted()) == {Judgment.objects.get(assessor=second.assessor)}


def test_flags_and_comments_of_excluded_judgments_ask_for_nothing() -> None:
    owner = make_assignment()
    judge(owner, "D1", 0, is_flagged=True)
    remark(owner, "D3", "look", is_flagged=True)
    assert JudgedItem.objects.disputed().count() == 2
    exclude(owner)
    assert not JudgedItem.objects.disputed().exists()


def test_remarks_that_an_exclusion_is_about_are_not_shown_beside_a_dispute() -> None:
    owner, _second = make_two()  # they dispute D1
    third = make_assignment(owner.pool, kind=AssignmentKind.SECOND)
    judge(third, "D2", 1)
    said = remark(third, "D1", "a joke", is_flagged=True)
    later = judge(third, "D3", 1)
    elsewhere = make_assignment(assessor=third.assessor)
    judge(elsewhere, "D1", 1)
    fourth = make_assignment(owner.pool, kind=AssignmentKind.SECOND)
    judge(fourth, "D2", 1)

    def shown() -> list[str]:
        [case] = find_disagreements(task=owner.pool.task)
        return [each.comment for each in case.remarks]

    exclude(third, until=said.made_at)
    exclude(third, since=later.judged_at)
    exclude(elsewhere)
    exclude(fourth)
    assert shown() == ["a joke"]
    exclude(third, topic="T1")
    assert shown() == []


def test_adjudication_that_does_not_count_is_open_again() -> None:
    owner, _second = make_two()
    task = owner.pool.task
    third, fourth = make_assessor(task.track), make_assessor(task.track)
    by = owner.pool.created_by
    [handed] = assign_adjudication(task=task, to=third, by=by)
    judge(handed, "D1", 1, purpose="adjudication")
    assert not JudgedItem.objects.disputed().filter(is_settled=False).exists()
    exclude(handed)
    assert JudgedItem.objects.disputed().get(is_settled=False).docno == "D1"
    [again] = assign_adjudication(task=task, to=fourth, by=by)
    assert docnos_of(again) == ["D1"]
    with refused("nothing-to-hand-over"):
        assign_adjudication(task=task, to=third, by=by)


def test_items_of_a_queue_are_free_for_others_and_never_for_the_same_person() -> None:
    pool, (ann, ben) = make_queue()
    assignment = take_topic(pool, ann, "T1")
    judge(assignment, "D1", 2)
    excluded = exclude(assignment)
    assert not Slot.objects.filter(assignment__assessor=ann).exists()
    with pytest.raises(Exception, match="no assessor of this pool"):
        lease_items(pool=pool, by=ann)
    other = take_topic(pool, ben, "T1")
    assert set(docnos_of(other)) == {"D1", "D2", "D3"}
    judge(other, "D1", 0)
    undo_exclusion(exclusion=excluded.exclusion, by=pool.created_by)
    slots = Slot.objects.filter(docno="D1", topic="T1").order_by("turn")
    assert list(slots.values_list("turn", "assignment__assessor")) == [(0, ben.pk), (1, ann.pk)]
    assert rows_of(published(assignment, ConsolidationRule.MAX))[0] == ("T1", "D1", 2, "ok")


def test_slot_that_nobody_filled_comes_back_with_the_undo() -> None:
    pool, (ann, _ben) = make_queue()
    assignment = take_topic(pool, ann, "T1")
    judge(assignment, "D1", 2)
    excluded = exclude(assignment, topic="T1")
    assert Slot.objects.filter(assignment__isnull=True, topic="T1").count() == 3
    with pytest.raises(NothingLeft):
        take_topic(pool, ann, "T1")  # her later judgments of the topic would not count
    undo_exclusion(exclusion=excluded.exclusion, by=pool.created_by)
    slot = Slot.objects.get(docno="D1", topic="T1")
    assert (slot.assignment, slot.expires_at) == (assignment, None)


def test_report_counts_what_changed_since_its_qrels() -> None:
    owner, _second = make_two()
    qrels = published(owner)
    assert counted_share(owner.pool.task, qrels).unpublished_count == 0
    exclude(owner)
    assert counted_share(owner.pool.task, qrels).unpublished_count == 2


def test_statement_needs_judgments_and_is_made_once() -> None:
    owner, _second = make_two()
    with refused("nothing-excluded"):
        exclude(owner, topic="T2")
    exclude(owner)
    with refused("excluded-already"):
        exclude(owner)


def test_successors_page_never_counts_or_shows_what_the_predecessor_graded(client: Client) -> None:
    former = make_assignment()  # T1: D2, D1, D3
    judge(former, "D1", 2)
    pool = former.pool
    heir = reassign_topic(assignment=former, to=make_assessor(pool.task.track), by=pool.created_by)
    client.force_login(heir.assessor)
    page = client.get(reverse("judging_items", args=[heir.pk])).content.decode()
    assert f"items/{2}/" in page
    assert AssignedItem.objects.filter(assignment=heir, docno="D1").count() == 0
    state = client.get(reverse("judging_item", args=[heir.pk, 1])).context["state"]
    assert (state["count"], state["settled"], state["history"]) == (2, [], [])
