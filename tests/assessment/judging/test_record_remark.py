import uuid

import pytest
from django.db import DatabaseError
from django.urls import reverse

from assessment.assigning.actions import end_assignment, pause_assignment
from assessment.judging.actions import AssignmentPaused, AssignmentStopped, JudgingNotOpen
from assessment.models import Judgment, Remark
from assessment.models.remark import apply_remarks
from assessment.quality.disagreements import find_disagreements
from evaluation.models import Phase, Task
from tests.assessment.factories import judge, make_assignment, remark
from tests.factories import dates_of, make_assessor
from tests.refusals import refused

pytestmark = pytest.mark.django_db


def test_remark_is_an_event_that_replaces_the_one_before() -> None:
    assignment = make_assignment()
    remark(assignment, comment="A", is_flagged=True)
    last = remark(assignment, comment="AB")
    assert list(Remark.objects.current()) == [last]
    assert Remark.objects.count() == 2
    with pytest.raises(DatabaseError, match="Cannot update or delete"):
        Remark.objects.update(comment="C")


def test_remark_sent_twice_is_stored_once() -> None:
    assignment, key = make_assignment(), uuid.uuid4()
    first = remark(assignment, comment="A", client_uuid=key)
    Task.objects.update(**dates_of(Phase.RELEASED))
    assert remark(assignment, comment="A", client_uuid=key) == first
    with refused("judgment-id-taken"):
        remark(assignment, "D2", client_uuid=key)
    other = make_assignment(assignment.pool, topic="T2", assessor=assignment.assessor)
    with refused("judgment-id-taken"):
        remark(other, client_uuid=key)


def test_remark_is_refused_as_a_judgment_would_be() -> None:
    assignment = make_assignment()
    with refused("not-assigned"):
        remark(assignment, "D9")
    with refused("not-assigned"):
        remark(assignment, by=make_assessor(assignment.pool.task.track))
    pause_assignment(assignment=assignment, is_paused=True)
    with pytest.raises(AssignmentPaused):
        remark(assignment)
    pause_assignment(assignment=assignment, is_paused=False)
    end_assignment(assignment=assignment, by=assignment.assigned_by)
    with pytest.raises(AssignmentStopped):
        remark(assignment)
    Task.objects.update(**dates_of(Phase.CLOSED))
    with pytest.raises(JudgingNotOpen):
        remark(assignment)
    assert not Remark.objects.exists()


def test_later_of_remark_and_judgment_counts() -> None:
    assignment = make_assignment()
    remark(assignment, "D1", "early", is_flagged=True)
    judge(assignment, "D1", 2, comment="late")
    judge(assignment, "D2", 1, comment="early")
    remark(assignment, "D2", "late", is_flagged=True)
    alone = remark(assignment, "D3", "alone")
    Remark.objects.exclude(docno="D1")  # a transaction has one time, so times do not follow the order of rows
    judgments = list(Judgment.objects.order_by("docno"))
    assert apply_remarks(judgments, Remark.objects.filter(docno__in=["D2", "D3"]).current()) == [alone]
    assert [(each.comment, each.is_flagged) for each in judgments] == [("late", False), ("late", True)]


def test_disagreements_have_flags_without_judgments() -> None:
    assignment = make_assignment()
    remark(assignment, "D1", "a comment alone")
    flagged = remark(assignment, "D3", "is this allowed?", is_flagged=True)
    [found] = find_disagreements(task=assignment.pool.task)
    assert (found.docno, found.judgments, found.remarks) == ("D3", (), (flagged,))
    assert not found.is_refused


def test_view_answers_the_script_with_a_receipt_or_the_fault(client) -> None:  # type: ignore[no-untyped-def]
    assignment = make_assignment()
    client.force_login(assignment.assessor)
    url = reverse("remark_record", args=[assignment.pk, 1])
    key = str(uuid.uuid4())
    answer = client.post(url, {"client_uuid": key, "comment": "A", "is_flagged": "on"})
    assert answer.json()["client_uuid"] == key
    [stored] = Remark.objects.all()
    assert (stored.docno, stored.comment, stored.is_flagged) == ("D2", "A", True)
    assert client.post(url, {"comment": "A"}).status_code == 409
    pause_assignment(assignment=assignment, is_paused=True)
    answer = client.post(url, {"client_uuid": str(uuid.uuid4()), "comment": "B"})
    assert answer.status_code == 423
    assert "paused" in answer.json()["error"]
