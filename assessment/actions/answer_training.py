"""Take an assessor's grade of a practice or exam item."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from assessment.actions.record_judgment import check_grade
from assessment.models import GoldItem, GoldUse, TrainingReply
from evaluation.core.errors import InputError
from evaluation.models import Criteria

if TYPE_CHECKING:
    from evaluation.models import User


class NoTrainingItem(InputError):
    """The item is not for training."""


@transaction.atomic
def answer_training(*, item: GoldItem, grade: int, by: User) -> TrainingReply:
    """Keep the first grade; another one of the same item gets the first back.

    Raises GradeOffScale, NoTrainingItem.
    """
    if item.use == GoldUse.MIXED:
        raise NoTrainingItem("This item is no part of the training. Load the page again.")
    check_grade(Criteria.objects.current(item.task), grade)
    reply, _ = TrainingReply.objects.get_or_create(item=item, assessor=by, defaults={"grade": grade})
    return reply
