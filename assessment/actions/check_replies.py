"""Check what an assessor replied to a task's extra questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assessment.models import ExtraQuestion
from evaluation.core.errors import InputError
from evaluation.models import Given, kept

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.db.models import QuerySet

    from evaluation.models import Task

_READ = ("name", "text", "choices", "is_required")


class ReplyMissing(InputError):
    """A question that needs a reply has none."""


class ReplyUnknown(InputError):
    """A reply is none of the question's choices, or to no question of the task."""


def check_replies(*, task: Task, replies: Mapping[str, str], is_graded: bool) -> dict[str, str]:
    """The replies by the questions' names, empty ones left out.

    A grade needs all that are required, a reason for giving none needs none.
    Raises ReplyMissing, ReplyUnknown.
    """
    given = {name: reply.strip() for name, reply in replies.items() if reply.strip()}
    asked = (ExtraQuestion(**dict(zip(_READ, row, strict=True))) for row in _asked().rows(task=task.pk))
    questions = {question.name: question for question in asked}
    for name, reply in given.items():
        if name not in questions or (questions[name].options and reply not in questions[name].options):
            raise ReplyUnknown(f"The task has no reply {reply!r} to {name!r}. Load the page again.")
    for name, question in questions.items():
        if is_graded and question.is_required and name not in given:
            raise ReplyMissing(f"Reply to this first: {question.text}")
    return given


@kept
def _asked() -> QuerySet[ExtraQuestion, tuple[str, str, str, bool]]:
    """In the order of the screen; asked at every judgment."""
    return ExtraQuestion.objects.filter(task=Given("task")).order_by("place", "name").values_list(*_READ)
