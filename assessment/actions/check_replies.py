"""Check what an assessor replied to a task's extra questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assessment.models import ExtraQuestion
from evaluation.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from evaluation.models import Task


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
    questions = {question.name: question for question in ExtraQuestion.objects.filter(task=task)}
    for name, reply in given.items():
        if name not in questions or (questions[name].options and reply not in questions[name].options):
            raise ReplyUnknown(f"The task has no reply {reply!r} to {name!r}. Load the page again.")
    for name, question in questions.items():
        if is_graded and question.is_required and name not in given:
            raise ReplyMissing(f"Reply to this first: {question.text}")
    return given
