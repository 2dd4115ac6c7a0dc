import pytest

from assessment.judging.actions import check_replies
from assessment.models import CannotJudge, ExtraQuestion, Judgment
from evaluation.models import Task
from tests.assessment.factories import judge, make_assignment
from tests.refusals import refused

pytestmark = pytest.mark.django_db


def make_questions(task: Task) -> None:
    ask = ExtraQuestion.objects.create
    ask(task=task, name="confidence", text="How sure are you?", choices="1\n2\n3")
    ask(task=task, name="why", text="Why?", is_required=False, place=2)


def test_replies_are_kept_with_their_judgment_and_empty_ones_left_out() -> None:
    assignment = make_assignment()
    make_questions(assignment.pool.task)
    judge(assignment, "D1", 2, replies={"confidence": "3", "why": "  "})
    assert Judgment.objects.get().replies == {"confidence": "3"}


def test_grade_needs_the_required_replies_and_a_reason_does_not() -> None:
    assignment = make_assignment()
    make_questions(assignment.pool.task)
    with refused("reply-missing", match="How sure are you"):
        judge(assignment, "D1", 2, replies={"why": "so"})
    judge(assignment, "D1", CannotJudge.IMAGE)


@pytest.mark.parametrize("replies", [{"confidence": "4"}, {"colour": "red", "confidence": "1"}])
def test_reply_that_the_task_does_not_offer_is_refused(replies: dict[str, str]) -> None:
    task = make_assignment().pool.task
    make_questions(task)
    with refused("reply-unknown"):
        check_replies(task=task, replies=replies, is_graded=True)
