"""Work that no worker takes for a minute is named on the page of long work and by /ready, which stays 200."""

from datetime import timedelta

import pytest
from django.core.cache import caches
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evaluation.models import Import, ImportKind, Operation, Run, RunState, Task
from evaluation.organizing.imports.actions import receive_import
from evaluation.organizing.imports.forms import why_waiting
from evaluation.organizing.pages.long_work import untaken_work
from evaluation.submissions.pools.operations import PREVIEW
from evaluation.tracks.work.operations.actions import start_operation
from evaluation.tracks.work.queueing import claim_work, release_claim
from tests.factories import make_organizer, make_run, make_task

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)
POLL = {"HX-Request": "true"}


def _queued(task: Task) -> Import:
    return receive_import(
        task=task,
        kind=ImportKind.TOPICS,
        file=ContentFile(b"id,title\nT1,Tarn\n", "topics.csv"),
        by=make_organizer(task.track),
    )


def test_import_that_no_worker_takes_for_a_minute_is_named(client: Client) -> None:
    task = make_task()
    queued = _queued(task)
    assert untaken_work() == []
    Import.objects.update(queued_at=timezone.now() - MINUTE)
    assert untaken_work() == ["imports"]
    assert why_waiting(Import.objects.get()) == "for a worker; none has taken an import for a minute"
    client.force_login(queued.received_by)
    caches["pages"].delete("untaken")
    page = client.get(reverse("work_list", args=[task.track.slug, task.slug])).content.decode()
    assert "No worker has taken imports for a minute." in page
    answer = client.get("/ready")
    assert (answer.status_code, answer.json()["work"]) == (200, "no worker takes imports")


def test_every_page_that_waits_for_operations_says_that_no_worker_takes_them(client: Client) -> None:
    task = make_task()
    make_run(task, results={"T1": ["D1"]})
    by = make_organizer(task.track)
    client.force_login(by)
    preview = start_operation(task=task, kind=PREVIEW, options={}, by=by)
    addresses = [
        *(reverse(name, args=[task.track.slug, task.slug]) for name in ("pool_build", "operation_list")),
        reverse("pool_preview", args=[task.track.slug, task.slug, preview.pk]),
    ]
    answers = [(address, headers) for address in addresses for headers in ({}, POLL)]
    words = "No worker has taken operations for a minute."
    for queued_at, count in ((timezone.now(), 0), (timezone.now() - MINUTE, 1)):
        Operation.objects.update(queued_at=queued_at)
        caches["pages"].delete("untaken")
        for address, headers in answers:
            page = client.get(address, headers=headers).content.decode()
            assert page.count(words) == count, (address, headers)


def test_row_in_work_or_taken_within_the_minute_shows_a_worker() -> None:
    first = _queued(make_task())
    _queued(first.task)  # waits behind the first, of the same track
    Import.objects.update(queued_at=timezone.now() - 2 * MINUTE)
    claimed = claim_work(Import, worker="a")
    assert claimed == first
    assert untaken_work() == []
    Import.objects.filter(pk=first.pk).update(claimed_at=timezone.now() - 2 * MINUTE)
    assert untaken_work() == [], "its worker sends heartbeats"
    Import.objects.filter(pk=first.pk).update(seen_at=timezone.now() - MINUTE)
    assert untaken_work() == ["imports"], "the worker is lost, and no other takes over"
    release_claim(claimed, trouble="")
    Import.objects.filter(pk=first.pk).update(claimed_at=timezone.now())
    assert untaken_work() == []


def test_upload_that_no_worker_checks_for_a_minute_is_named() -> None:
    make_run(state=RunState.RECEIVED)
    assert untaken_work() == []
    make_run(state=RunState.RECEIVED, received_at=timezone.now() - MINUTE)
    assert untaken_work() == ["checks of runs"]
    other = make_run()
    Run.objects.filter(pk=other.pk).update(check_started_at=timezone.now())
    assert untaken_work() == []
