"""Practice and exam before the real work."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from assessment.models import GoldItem, GoldUse, JudgingPlan, TrainingReply
from tests.assessment.factories import make_assignment

if TYPE_CHECKING:
    from django.test import Client

    from assessment.models import Assignment

pytestmark = pytest.mark.django_db


def make_training() -> tuple[Assignment, str]:
    assignment = make_assignment()
    task = assignment.pool.task
    JudgingPlan.objects.create(task=task, pass_percent=100)
    GoldItem.objects.create(
        task=task, topic="T2", docno="D2", grade=2, use=GoldUse.PRACTICE, explanation="It shows the lake."
    )
    GoldItem.objects.create(task=task, topic="T1", docno="D3", grade=1, use=GoldUse.EXAM)
    return assignment, reverse("training", args=[task.track.slug, task.slug])


def test_practice_tells_the_right_grade_and_the_exam_does_not(client: Client) -> None:
    assignment, url = make_training()
    practice, exam = GoldItem.objects.order_by("pk")
    client.force_login(assignment.assessor)
    page = html.unescape(client.get(url).content.decode())
    assert "Practice" in page
    assert "Caption of D2" in page
    assert "It shows the lake." not in page
    page = html.unescape(client.post(url, {"item": practice.pk, "grade": 0}, follow=True).content.decode())
    assert "You gave 0; the right grade is 2. It shows the lake." in page
    assert "Caption of D3" in page
    page = client.post(url, {"item": exam.pk, "grade": 0}, follow=True).content.decode()
    assert "the right grade is" not in page
    assert "0 of 1 exam items right. That is not enough." in page


def test_work_is_offered_once_the_exam_is_passed(client: Client) -> None:
    assignment, url = make_training()
    client.force_login(assignment.assessor)
    resume = reverse("judging_resume", args=[assignment.pk])
    page = client.get(reverse("judging_list")).content.decode()
    assert resume not in page
    assert url in page
    for item in GoldItem.objects.all():
        client.post(url, {"item": item.pk, "grade": item.grade})
    assert resume in client.get(reverse("judging_list")).content.decode()


def test_answer_that_cannot_be_taken_says_why(client: Client) -> None:
    assignment, url = make_training()
    client.force_login(assignment.assessor)
    other = GoldItem.objects.create(
        task=make_assignment().pool.task, topic="T1", docno="D1", grade=1, use=GoldUse.EXAM
    )
    assert "item:" in client.post(url, {"item": other.pk, "grade": 1}, follow=True).content.decode()
    practice = GoldItem.objects.earliest("pk")
    page = client.post(url, {"item": practice.pk, "grade": 9}, follow=True).content.decode()
    assert "not on the scale" in page
    assert not TrainingReply.objects.exists()
