"""Practice and exam before the real work."""

from __future__ import annotations

import html
import uuid
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse

from assessment.models import Assignment, GoldItem, GoldUse, JudgingPlan, TrainingReply
from evaluation.models import Phase, Task
from tests.assessment.factories import make_assignment
from tests.factories import dates_of, make_assessor, make_track

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Answer

pytestmark = pytest.mark.django_db

AS_SCRIPT = {"Accept": "application/json"}


def make_training() -> tuple[Assignment, str]:
    assignment = make_assignment()
    task = assignment.pool.task
    JudgingPlan.objects.create(task=task, pass_percent=100)
    GoldItem.objects.create(
        task=task, topic="T2", docno="D2", grade=2, use=GoldUse.PRACTICE, explanation="It shows the lake."
    )
    GoldItem.objects.create(task=task, topic="T1", docno="D3", grade=1, use=GoldUse.EXAM)
    return assignment, reverse("training", args=[task.track.slug, task.slug])


def grade(client: Client, item: GoldItem, given: int, **more: object) -> Answer:
    """Send a grade as a form, and follow where it leads."""
    names = [item.task.track.slug, item.task.slug, item.pk]
    form = {"client_uuid": uuid.uuid4(), "grade": given}
    return client.post(reverse("training_answer", args=names), form, follow=True, **more)  # type: ignore[arg-type]


def test_practice_shows_the_right_grade_and_the_exam_does_not(client: Client) -> None:
    assignment, url = make_training()
    practice, exam = GoldItem.objects.order_by("pk")
    client.force_login(assignment.assessor)
    assert f"<p>{assignment.pool.task}</p>" in client.get(url).content.decode()
    page = html.unescape(client.get(f"{url}next", follow=True).content.decode())
    assert "Practice" in page
    assert "Caption of D2" in page
    assert "It shows the lake." not in page
    page = html.unescape(grade(client, practice, 0).content.decode())
    assert "You gave 0; expected is 2. It shows the lake." in page
    page = client.get(f"{url}next", follow=True).content.decode()
    assert "Caption of D3" in page
    page = grade(client, exam, 0).content.decode()
    assert "expected is" not in page
    assert "0 of 1 exam items right. That is not enough." in page


def test_script_gets_the_grade_of_practice_only(client: Client) -> None:
    assignment, _ = make_training()
    practice, exam = GoldItem.objects.order_by("pk")
    client.force_login(assignment.assessor)
    answer = grade(client, practice, 2, headers=AS_SCRIPT).json()["answer"]
    assert (answer["expected"], answer["is_right"]) == (2, True)
    assert grade(client, exam, 0, headers=AS_SCRIPT).json()["answer"] is None
    page = client.get(reverse("training_item", args=[exam.task.track.slug, exam.task.slug, exam.pk]))
    assert page.context["state"]["answers"][2] is None


def test_work_is_offered_once_the_exam_is_passed(client: Client) -> None:
    assignment, url = make_training()
    client.force_login(assignment.assessor)
    resume = reverse("judging_resume", args=[assignment.pk])
    page = client.get(reverse("judging_list")).content.decode()
    assert resume not in page
    assert url in page
    for item in GoldItem.objects.all():
        grade(client, item, item.grade)
    assert resume in client.get(reverse("judging_list")).content.decode()


def test_training_is_offered_before_topics_are_assigned_and_until_the_release(client: Client) -> None:
    assignment, url = make_training()
    task = assignment.pool.task
    client.force_login(make_assessor(task.track))
    Task.objects.filter(pk=task.pk).update(**dates_of(Phase.OPEN))
    page = client.get(reverse("judging_list")).content.decode()
    assert url in page
    assert "No topic of this task is assigned to you yet." in page
    assert "0 of 0" not in page
    client.force_login(make_assessor(make_track()))
    assert url not in client.get(reverse("judging_list")).content.decode(), "of another track"
    Task.objects.filter(pk=task.pk).update(**dates_of(Phase.RELEASED))
    client.force_login(assignment.assessor)
    assert url not in client.get(reverse("judging_list")).content.decode(), "judging is over"


def test_task_page_says_when_judging_is_over(client: Client) -> None:
    task = (assignment := make_assignment()).pool.task
    client.force_login(assignment.assessor)
    page = reverse("task_detail", args=[task.track.slug, task.slug])
    assert "items left" in client.get(page).content.decode()
    Task.objects.filter(pk=task.pk).update(**dates_of(Phase.RELEASED))
    text = client.get(page).content.decode()
    assert "Judging is over." in " ".join(text.split())
    assert "items left" not in text


def test_list_says_that_the_exam_was_not_passed(client: Client) -> None:
    assignment, _ = make_training()
    client.force_login(assignment.assessor)
    for item in GoldItem.objects.all():
        grade(client, item, 0)
    page = client.get(reverse("judging_list")).content.decode()
    assert "You have not passed the exam. Ask the organizers whether you may try again." in page
    assert "once you have passed" not in page


def test_refused_answer_gives_the_reason(client: Client) -> None:
    assignment, _ = make_training()
    client.force_login(assignment.assessor)
    practice = GoldItem.objects.earliest("pk")
    assert "not on the scale" in grade(client, practice, 9).content.decode()
    assert not TrainingReply.objects.exists()
    grade(client, practice, 1)
    refused = grade(client, practice, 2, headers=AS_SCRIPT)
    assert (refused.status_code, refused.json()["is_lost"]) == (409, True)
    assert "the first grade counts" in refused.json()["error"]
    assert TrainingReply.objects.get().grade == 1
    other = make_assignment().pool.task
    mixed = GoldItem.objects.create(task=assignment.pool.task, topic="T1", docno="D1", grade=1)
    foreign = GoldItem.objects.create(task=other, topic="T1", docno="D1", grade=1, use=GoldUse.EXAM)
    assert [grade(client, each, 1).status_code for each in (mixed, foreign)] == [404, 404]
