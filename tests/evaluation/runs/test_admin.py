"""Families in the admin: changing them queues the scores and the report, which show them."""

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Family, Phase, ReportProgress, Scoring, Task
from tests.factories import make_family, make_organizer, make_run, make_task

pytestmark = pytest.mark.django_db


@pytest.fixture
def task(client: Client) -> Task:
    task = make_task(phase=Phase.JUDGING)
    client.force_login(make_organizer(task.track))
    return task


def assert_queued(task: Task) -> None:
    assert ReportProgress.objects.waiting().get().task == task
    assert Scoring.objects.waiting().get().task == task


def test_changed_name_of_a_family_queues_the_report(client: Client, task: Task) -> None:
    family = make_family(task, name="CLIP")
    answer = client.post(reverse("admin:evaluation_family_change", args=[family.pk]), {"name": "encoders"})
    assert (answer.status_code, Family.objects.get().name) == (302, "encoders")
    assert_queued(task)


def test_changed_families_of_a_run_queue_the_report(client: Client, task: Task) -> None:
    run, family = make_run(task), make_family(task)
    page = reverse("admin:evaluation_run_change", args=[run.pk])
    fields = client.get(page).context["adminform"].form.initial
    sent = {name: value for name, value in fields.items() if value is not None} | {"families": [family.pk]}
    assert client.post(page, sent).status_code == 302
    assert run.families.get() == family
    assert_queued(task)
