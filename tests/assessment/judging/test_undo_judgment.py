import uuid

import pytest

from assessment.assigning.changes import end_assignment, pause_assignment
from assessment.judging.actions import AssignmentPaused, AssignmentStopped, JudgingNotOpen, undo_judgment
from assessment.judging.screen import work_done
from assessment.models import Assignment, AssignmentKind, Judgment
from evaluation.models import Document, Phase, Task
from tests.assessment.factories import judge, make_assignment
from tests.factories import dates_of, make_image
from tests.refusals import refused

pytestmark = pytest.mark.django_db


def undo(assignment: Assignment, undoes: uuid.UUID, client_uuid: uuid.UUID | None = None) -> Judgment:
    return undo_judgment(
        assignment=assignment,
        undoes=undoes,
        client_uuid=client_uuid or uuid.uuid4(),
        by=assignment.assessor,
    )


def test_undo_is_an_event_that_names_the_judgment() -> None:
    assignment, shown = make_assignment(), make_image()
    Document.objects.filter(docno="D1").update(image=shown)
    judgment = judge(assignment, "D1", 2)
    event = undo(assignment, judgment.client_uuid)
    assert event.undoes == judgment
    assert (event.docno, event.mark) == ("D1", "undo")
    assert event.image_sha256 == judgment.image_sha256 == shown.pk
    assert (event.purpose, event.criteria) == (judgment.purpose, judgment.criteria)
    assert Judgment.objects.count() == 2


def test_undone_judgment_is_no_work_done_but_its_time_counts() -> None:
    assignment = make_assignment()
    kept, undone = judge(assignment, "D1", 2), judge(assignment, "D2", 1)  # 2.5 s each
    undo(assignment, undone.client_uuid)
    assert work_done(assignment.assessor) == {kept.task_id: (1, "5 s")}


def test_undo_sent_twice_is_stored_once() -> None:
    assignment, key = make_assignment(), uuid.uuid4()
    judgment = judge(assignment, "D1", 2)
    first = undo(assignment, judgment.client_uuid, key)
    Task.objects.update(**dates_of(Phase.RELEASED))
    assert undo(assignment, judgment.client_uuid, key) == first


def test_second_undo_of_a_judgment_is_refused() -> None:
    assignment = make_assignment()
    judgment = judge(assignment, "D1", 2)
    undo(assignment, judgment.client_uuid)
    with refused("nothing-to-undo"):
        undo(assignment, judgment.client_uuid)


def test_undo_of_a_judgment_that_was_made_again_is_refused() -> None:
    assignment = make_assignment()
    former = judge(assignment, "D1", 2)
    judge(assignment, "D1", 0)
    with refused("nothing-to-undo"):
        undo(assignment, former.client_uuid)


def test_undo_of_what_was_never_stored_is_refused() -> None:
    with refused("nothing-to-undo"):
        undo(make_assignment(), uuid.uuid4())


def test_undo_of_another_assessors_judgment_is_refused() -> None:
    assignment = make_assignment()
    judgment = judge(assignment, "D1", 2)
    second = make_assignment(assignment.pool, kind=AssignmentKind.SECOND)
    with refused("nothing-to-undo"):
        undo(second, judgment.client_uuid)


def test_undo_under_a_used_uuid_is_refused() -> None:
    assignment = make_assignment()
    judgment = judge(assignment, "D1", 2)
    with refused("nothing-to-undo"):
        undo(assignment, judgment.client_uuid, judgment.client_uuid)


def test_undo_after_the_deadline_is_refused() -> None:
    assignment = make_assignment()
    judgment = judge(assignment, "D1", 2)
    Task.objects.update(**dates_of(Phase.RELEASED))
    with pytest.raises(JudgingNotOpen):
        undo(assignment, judgment.client_uuid)


def test_nothing_is_undone_while_the_assignment_is_paused_or_after_its_end() -> None:
    assignment, key = make_assignment(), uuid.uuid4()
    judgment, other = judge(assignment, "D1", 2), judge(assignment, "D2", 1)
    pause_assignment(assignment=assignment, is_paused=True)
    with pytest.raises(AssignmentPaused):
        undo(assignment, judgment.client_uuid)
    pause_assignment(assignment=assignment, is_paused=False)
    event = undo(assignment, judgment.client_uuid, key)
    end_assignment(assignment=assignment, by=assignment.pool.created_by)
    assert undo(assignment, judgment.client_uuid, key) == event  # sent again, it is known
    with pytest.raises(AssignmentStopped, match="closed"):
        undo(assignment, other.client_uuid)
