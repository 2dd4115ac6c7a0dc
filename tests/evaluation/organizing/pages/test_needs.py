"""What a task needs from its organizers: each need stands while its cause does, and leads to the cure."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone

from evaluation.models import Document, Phase, Run, RunState, Task
from evaluation.organizing.pages.needs import organizer_needs
from tests.factories import dates_of, make_document, make_pool, make_run, make_task

pytestmark = pytest.mark.django_db


def states(task: Task, page: str, *more: str) -> list[str]:
    """The states of the needs that lead to the page."""
    address = reverse(page, args=[task.track.slug, task.slug, *more])
    current = Task.objects.with_phase().get(pk=task.pk)
    return [need.state for need in organizer_needs(current) if need.address == address]


def said_of_dates(task: Task) -> list[str]:
    """What is said of the dates of the next days."""
    address = reverse("setup_dates", args=[task.track.slug, task.slug])
    current = Task.objects.with_phase().get(pk=task.pk)
    return [need.text for need in organizer_needs(current) if need.address == address]


def test_uploads_are_named_once_their_check_is_late_or_parked() -> None:
    task = make_task(phase=Phase.OPEN)
    make_run(task, state=RunState.RECEIVED, received_at=timezone.now() - timedelta(minutes=9))
    make_run(state=RunState.PARKED)  # of another task
    assert states(task, "run_list") == []
    late = make_run(task, state=RunState.RECEIVED, received_at=timezone.now() - timedelta(minutes=11))
    assert states(task, "run_list") == ["warn"]
    Run.objects.filter(pk=late.pk).update(state=RunState.PARKED)
    assert states(task, "run_list") == ["bad"]


def test_pooled_items_that_nobody_can_judge_are_named_until_they_have_content() -> None:
    task = make_task(phase=Phase.JUDGING, kind="text-to-text", topic_count=1, document_count=1)
    make_document(task.collection, docno="spare", fields=[])
    make_pool(task, pairs=[("T1", "D1")])
    assert states(task, "import_upload", "collection") == []
    make_document(task.collection, docno="bare", fields=[])
    make_pool(task, pairs=[("T1", "bare")])
    assert states(task, "import_upload", "collection") == ["bad"]
    Document.objects.filter(docno="bare").update(fields=[["text", "A mill."]])
    assert states(task, "import_upload", "collection") == []


def test_first_pool_is_due_once_runs_are_in_and_the_task_has_closed() -> None:
    task = make_task(phase=Phase.OPEN, topic_count=1, document_count=1)

    def is_due() -> bool:
        needs = organizer_needs(Task.objects.with_phase().get(pk=task.pk))
        return any("first pool" in need.text for need in needs)

    make_run(task)
    assert not is_due()
    Task.objects.update(**dates_of(Phase.CLOSED))
    assert is_due()
    Run.objects.update(state=RunState.REPLACED)
    assert not is_due()
    make_run(task)
    Task.objects.update(**dates_of(Phase.JUDGING))
    assert is_due()
    make_pool(task, pairs=[("T1", "D1")])
    assert not is_due()


def test_dates_of_the_next_three_days_are_named_and_later_ones_say_no_less() -> None:
    task, hour = make_task(phase=Phase.OPEN), timedelta(hours=1)
    Task.objects.update(judging_at=Now() + 200 * hour, releases_at=Now() + 300 * hour)
    said = []
    for hours in (1, 30, 47.4, 47.8, 71.8):
        Task.objects.update(closes_at=Now() + hours * hour)
        said += said_of_dates(task)
    assert [words.rpartition(" in ")[2] for words in said] == ["1 h", "30 h", "47 h", "2 d", "3 d"]
    Task.objects.update(closes_at=Now() + 73 * hour)
    assert said_of_dates(task) == []
    Task.objects.update(closes_at=Now() - hour)
    assert said_of_dates(task) == []
