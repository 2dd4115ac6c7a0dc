"""Questions and limits of those who submit."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from evaluation.models import QuestionKind, SubmissionQuestion, TeamLimit
from tests.factories import make_task, make_team
from trackside.text.replies import Asked

pytestmark = pytest.mark.django_db


def test_question_offers_its_choices_or_yes_and_no() -> None:
    task = make_task()
    questions = [
        SubmissionQuestion(task=task, name="a", text="A?", kind=QuestionKind.CHOICE, choices="x \n\n y"),
        SubmissionQuestion(task=task, name="b", text="B?", kind=QuestionKind.YES_NO, is_required=True),
        SubmissionQuestion(task=task, name="c", text="C?"),
    ]
    assert [each.asked for each in questions] == [
        Asked("a", "A?", ("x", "y")),
        Asked("b", "B?", ("yes", "no"), is_required=True),
        Asked("c", "C?"),
    ]


@pytest.mark.parametrize(
    "fields",
    [
        {"text": ""},
        {"kind": QuestionKind.CHOICE},
        {"kind": QuestionKind.CHOICE, "choices": " \n"},
        {"kind": QuestionKind.YES_NO, "choices": "yes"},
    ],
)
def test_question_has_a_text_and_choices_if_it_is_one(fields: dict[str, Any]) -> None:
    task = make_task()
    with pytest.raises(IntegrityError), transaction.atomic():
        SubmissionQuestion.objects.create(task=task, **{"name": "q", "text": "Q?"} | fields)


def test_runs_allowed_is_the_team_s_own_limit_else_the_task_s() -> None:
    task = make_task(max_runs=2)
    team, other = make_team(task.track), make_team(task.track)
    baseline = make_team(task.track, is_baseline=True)
    limit = TeamLimit.objects.create(task=task, team=team, max_runs=5)
    allowed = [TeamLimit.objects.runs_allowed(task, each) for each in (team, other, baseline)]
    assert allowed == [5, 2, None]
    TeamLimit.objects.filter(pk=limit.pk).update(max_runs=None)
    assert TeamLimit.objects.runs_allowed(task, team) is None
