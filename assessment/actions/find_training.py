"""How far an assessor is with a task's practice and exam."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assessment.models import GoldItem, GoldUse, JudgingPlan, TrainingReply

if TYPE_CHECKING:
    from evaluation.models import Task, User


@dataclass(frozen=True)
class Training:
    """What waits, practice first, and how the exam stands. ``pass_percent`` is null without an exam."""

    waiting: tuple[GoldItem, ...]
    last: TrainingReply | None
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
        """Whether every exam item has its reply."""
        return self.exam_replied_count == self.exam_count

    @property
    def is_passed(self) -> bool:
        """Whether the real work may begin: no exam, or enough of all its items right."""
        if not self.has_exam or self.pass_percent is None:
            return True
        return self.is_over and 100 * self.exam_right_count >= self.pass_percent * self.exam_count


def find_training(*, task: Task, assessor: User) -> Training:
    """The assessor's training in the task, in the order in which the organizers entered the items."""
    items = list(GoldItem.objects.filter(task=task).exclude(use=GoldUse.MIXED).order_by("-use", "pk"))
    replies = list(TrainingReply.objects.filter(assessor=assessor, item__in=items).select_related("item"))
    exam = [reply for reply in replies if reply.item.use == GoldUse.EXAM]
    replied = {reply.item_id for reply in replies}
    return Training(
        waiting=tuple(item for item in items if item.pk not in replied),
        last=replies[-1] if replies else None,
        exam_count=sum(item.use == GoldUse.EXAM for item in items),
        exam_replied_count=len(exam),
        exam_right_count=sum(reply.is_right for reply in exam),
        pass_percent=JudgingPlan.objects.of(task).pass_percent,
    )
