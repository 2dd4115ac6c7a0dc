"""Practice and exam: find the items, record replies, and check whether the exam is passed."""

from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext

from assessment.models.gold import GoldItem, GoldUse, TrainingReply
from assessment.models.plan import JudgingPlan
from evaluation.platform.access.people import Role, User
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task, TaskQuerySet
from trackside.errors import InputError


@dataclass(frozen=True)
class TrainingProgress:
    """The remaining items, practice first, and the exam's progress. ``pass_percent`` is null without exam."""

    waiting: tuple[GoldItem, ...]
    last: TrainingReply | None
    practice_count: int
    practice_replied_count: int
    exam_count: int
    exam_replied_count: int
    exam_right_count: int
    pass_percent: int | None

    @property
    def has_exam(self) -> bool:
        """Whether there is an exam to take."""
        return self.pass_percent is not None and self.exam_count > 0

    @property
    def is_over(self) -> bool:
        """Whether every exam item has a reply."""
        return self.exam_replied_count == self.exam_count

    @property
    def is_passed(self) -> bool:
        """Whether the assessor may judge: there is no exam, or enough of its items are right."""
        if not self.has_exam or self.pass_percent is None:
            return True
        return self.is_over and 100 * self.exam_right_count >= self.pass_percent * self.exam_count

    @property
    def is_failed(self) -> bool:
        """Whether the exam is over and not passed."""
        return self.is_over and not self.is_passed


def tasks_to_train_for(assessor: User) -> TaskQuerySet:
    """Return the opened, unreleased tasks of the assessor's tracks that have practice or exam items."""
    items = GoldItem.objects.exclude(use=GoldUse.MIXED)
    tasks = Task.objects.opened().with_member(assessor, Role.ASSESSOR).filter(pk__in=items.values("task"))
    return tasks.exclude(pk__in=Task.objects.with_open_results().values("pk"))


def find_training(*, task: Task, assessor: User) -> TrainingProgress:
    """Return the assessor's training in the task, with the items in order of creation."""
    items = list(GoldItem.objects.of_training(task))
    replies = list(TrainingReply.objects.filter(assessor=assessor, item__in=items).select_related("item"))
    exam = [reply for reply in replies if reply.item.use == GoldUse.EXAM]
    replied = {reply.item_id for reply in replies}
    return TrainingProgress(
        waiting=tuple(item for item in items if item.pk not in replied),
        last=replies[-1] if replies else None,
        practice_count=sum(item.use == GoldUse.PRACTICE for item in items),
        practice_replied_count=len(replies) - len(exam),
        exam_count=sum(item.use == GoldUse.EXAM for item in items),
        exam_replied_count=len(exam),
        exam_right_count=sum(reply.is_right for reply in exam),
        pass_percent=JudgingPlan.objects.of(task).pass_percent,
    )


class ExamNotPassed(InputError):
    """The task has an exam that the assessor has not passed."""


def check_exam(*, task: Task, assessor: User) -> None:
    """Raise ExamNotPassed if the task has an exam that the assessor has not passed.

    Runs at every judgment; without an exam it only reads the plan.
    """
    if JudgingPlan.objects.of(task).pass_percent is None:
        return
    if not find_training(task=task, assessor=assessor).is_passed:
        raise ExamNotPassed(
            gettext("{task}: take the exam under My topics first. Nothing was stored.").format(task=task)
        )


@transaction.atomic
def answer_training(*, item: GoldItem, grade: int, by: User) -> TrainingReply:
    """Store the first grade; return it for every later grade of the same item.

    Raises grade-not-in-criteria, no-training-item.
    """
    if item.use == GoldUse.MIXED:
        raise InputError(
            gettext("This item is not part of the training. Load the page again."), code="no-training-item"
        )
    Criteria.objects.current(item.task).check_grade(grade)
    reply, _ = TrainingReply.objects.get_or_create(item=item, assessor=by, defaults={"grade": grade})
    return reply
