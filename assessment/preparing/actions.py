"""Remove gold items and extra questions that no judgment needs."""

from django.db import transaction

from assessment.models.gold import GoldItem
from assessment.models.judgment import Judgment
from assessment.models.plan import ExtraQuestion
from trackside.errors import InputError


@transaction.atomic
def remove_gold(*, item: GoldItem) -> None:
    """Remove a gold item, unless an assessor has graded it in practice or exam. Raises gold-graded."""
    if item.training_replies.exists():
        raise InputError(
            "This pair was not removed: assessors have graded it in practice or exam.",
            code="gold-graded",
            status=409,
        )
    item.delete()


@transaction.atomic
def remove_question(*, question: ExtraQuestion) -> None:
    """Remove an extra question, unless the task has judgments. Raises task-judged."""
    if Judgment.objects.filter(task=question.task_id).exists():
        raise InputError(
            f"“{question}” was not removed: the task has judgments.", code="task-judged", status=409
        )
    question.delete()
