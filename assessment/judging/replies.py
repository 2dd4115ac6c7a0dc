"""Check an assessor's replies to a task's extra questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext

from assessment.models.question import ExtraQuestion
from evaluation.access.compiled import Given, compiled
from evaluation.core.text.replies import ReplyMissing, ReplyUnknown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.db.models import QuerySet

    from evaluation.tracks.models import Task

_READ = ("name", "text", "choices", "is_required")


def check_replies(*, task: Task, replies: Mapping[str, str], is_graded: bool) -> dict[str, str]:
    """Return the non-empty replies by the questions' names.

    A grade needs all required replies, a reason for giving none needs no reply.
    Raises ReplyMissing, ReplyUnknown.
    """
    given = {name: reply.strip() for name, reply in replies.items() if reply.strip()}
    asked = (ExtraQuestion(**dict(zip(_READ, row, strict=True))) for row in _questions().rows(task=task.pk))
    questions = {question.name: question for question in asked}
    for name, reply in given.items():
        if name not in questions or (questions[name].options and reply not in questions[name].options):
            raise ReplyUnknown(
                gettext("The task has no reply {reply} to {question}. Load the page again.").format(
                    reply=repr(reply), question=repr(name)
                )
            )
    for name, question in questions.items():
        if is_graded and question.is_required and name not in given:
            raise ReplyMissing(gettext("Reply to this first: {question}").format(question=question.text))
    return given


@compiled
def _questions() -> QuerySet[ExtraQuestion, tuple[str, str, str, bool]]:
    """Return the task's questions in order of the screen. This runs at every judgment."""
    return ExtraQuestion.objects.filter(task=Given("task")).order_by("place", "name").values_list(*_READ)
