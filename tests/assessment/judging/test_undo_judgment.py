import uuid

import pytest

from assessment.assigning.actions import end_assignment, pause_assignment
from assessment.judging.actions import AssignmentPaused, AssignmentStopped, JudgingNotOpen
from assessment.judging.screen import WorkDone, work_done
from assessment.models import AssignmentKind, Judgment
from evaluation.models import Document, Phase, Task
from tests.assessment.factories import judge, make_assignment, undo
from tests.factories import dates_of, make_image
from tests.refusals import refused

pytestmark = pytest.mark.django_db


def test_undo_is_an_event_that_names_the_judgment() -> None:
    assignment, shown = make_assignment(), make_image()
    Document.objects.filter(docno="D1").update(image=shown)
    judgment = judge(assignment, "D1", 2)
    event = undo(assignment, judgment)
    assert event.undoes == judgment
    assert (event.docno, event.mark) == ("D1", "undo")
    assert event.image_sha256 == judgment.image_sha256 == shown.pk
    assert (event.purpose, event.criteria) == (judgment.purpose, judgment.criteria)
    assert Judgment.objects.count() == 2


def test_undone_judgment_is_no_work_done_but_its_time_counts() -> None:
    assignment = make_assignment()
    kept, undone = judge(assignment, "D1", 2), judge(assignment, "D2", 1)  # 2.5 s each
    undo(assignment, undone)
    done = work_done(assignment.assessor)[kept.task_id]
    assert (done, done.time, done.time_for(9)) == ((1, 5.0), "5 s", "")
    assert WorkDone(10, 150.0).time_for(24) == "6 min"  # 15 s each


def test_undo_sent_twice_is_stored_once_and_none_is_after_the_deadline() -> None:
    assignment, key = make_assignment(), uuid.uuid4()
    judgment, other = judge(assignment, "D1", 2), judge(assignment, "D2", 1)
    first = undo(assignment, judgment, key)
    Task.objects.update(**dates_of(Phase.RELEASED))
    assert undo(assignment, judgment, key) == first
    with pytest.raises(JudgingNotOpen):
        undo(assignment, other)


def test_only_an_assessor_s_own_current_judgment_is_undone_and_once() -> None:
    assignment = make_assignment()
    second = make_assignment(assignment.pool, kind=AssignmentKind.SECOND)
    former, latest = judge(assignment, "D1", 2), judge(assignment, "D1", 0)
    undone = judge(assignment, "D2", 1)
    undo(assignment, undone)
    for given, judgment, key in (
        (assignment, undone, None),
        (assignment, former, None),
        (assignment, uuid.uuid4(), None),  # never stored
        (second, latest, None),
        (assignment, latest, latest.client_uuid),
    ):
        with refused("nothing-to-undo"):
            undo(given, judgment, key)


def test_nothing_is_undone_while_the_assignment_is_paused_or_after_its_end() -> None:
    assignment, key = make_assignment(), uuid.uuid4()
    judgment, other = judge(assignment, "D1", 2), judge(assignment, "D2", 1)
    pause_assignment(assignment=assignment, is_paused=True)
    with pytest.raises(AssignmentPaused):
        undo(assignment, judgment)
    pause_assignment(assignment=assignment, is_paused=False)
    event = undo(assignment, judgment, key)
    end_assignment(assignment=assignment, by=assignment.pool.created_by)
    assert undo(assignment, judgment, key) == event  # sent again, it is known
    with pytest.raises(AssignmentStopped, match="closed"):
        undo(assignment, other)
