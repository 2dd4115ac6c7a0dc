import pytest

from assessment.models import Assignment, GoldItem, GoldUse, JudgingPlan
from assessment.training.actions import ExamNotPassed, answer_training, find_training
from tests.assessment.factories import judge, make_assignment
from tests.refusals import refused

pytestmark = pytest.mark.django_db


def make_exam(*, pass_percent: int | None = 60) -> tuple[Assignment, list[GoldItem]]:
    """An assignment whose task has one practice item and three of an exam, all of grade 2."""
    assignment = make_assignment()
    task = assignment.pool.task
    JudgingPlan.objects.create(task=task, pass_percent=pass_percent)
    uses = [("D1", GoldUse.EXAM), ("D2", GoldUse.PRACTICE), ("D3", GoldUse.EXAM), ("D4", GoldUse.EXAM)]
    items = [
        GoldItem.objects.create(task=task, topic="T2", docno=docno, grade=2, use=use) for docno, use in uses
    ]
    return assignment, items


def test_practice_comes_first_and_the_exam_in_the_order_entered() -> None:
    assignment, _ = make_exam()
    found = find_training(task=assignment.pool.task, assessor=assignment.assessor)
    assert [item.docno for item in found.waiting] == ["D2", "D1", "D3", "D4"]
    assert not found.is_passed


@pytest.mark.parametrize(("grades", "is_passed"), [((2, 2, 0), True), ((2, 0, 0), False)])  # 67 % and 33 %
def test_work_begins_when_enough_exam_answers_are_right(grades: tuple[int, ...], *, is_passed: bool) -> None:
    assignment, items = make_exam()
    exam = [item for item in items if item.use == GoldUse.EXAM]
    for item, grade in zip(exam, grades, strict=True):
        with pytest.raises(ExamNotPassed):
            judge(assignment, "D1", 1)
        answer_training(item=item, grade=grade, by=assignment.assessor)
    found = find_training(task=assignment.pool.task, assessor=assignment.assessor)
    assert (found.is_over, found.is_passed) == (True, is_passed)
    assert answer_training(item=exam[0], grade=0, by=assignment.assessor).grade == 2, "the first is kept"
    if is_passed:
        judge(assignment, "D1", 1)
    else:
        with pytest.raises(ExamNotPassed):
            judge(assignment, "D1", 1)
        JudgingPlan.objects.update(pass_percent=None)
        judge(Assignment.objects.get(), "D1", 1)  # there is no exam


def test_practice_never_counts_for_the_exam() -> None:
    assignment, items = make_exam()
    answer_training(item=items[1], grade=2, by=assignment.assessor)
    found = find_training(task=assignment.pool.task, assessor=assignment.assessor)
    assert (found.exam_replied_count, found.exam_right_count) == (0, 0)
    assert found.last is not None
    assert found.last.is_right


def test_answer_is_on_the_scale_and_to_a_training_item() -> None:
    assignment, items = make_exam()
    with refused("grade-not-in-criteria"):
        answer_training(item=items[0], grade=7, by=assignment.assessor)
    mixed = GoldItem.objects.create(task=assignment.pool.task, topic="T1", docno="D9", grade=1)
    with refused("no-training-item"):
        answer_training(item=mixed, grade=1, by=assignment.assessor)
