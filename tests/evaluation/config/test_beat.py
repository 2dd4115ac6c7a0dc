"""Only one of several beats sends."""

from datetime import timedelta
from uuid import uuid4

import pytest
from celery import schedules
from django.core.files.base import ContentFile
from django.db import connection
from django.db.models.functions import Now

from evaluation.collections.chosen_fields import ImportKind
from evaluation.config.beat import BEAT_LOCK, STANDBY_SECONDS, GuardedScheduler
from evaluation.config.celery import app
from evaluation.organizing.imports.actions import receive_import
from evaluation.organizing.imports.models import Import
from evaluation.running.hosting.addresses import open_session
from evaluation.tracks.work.models import LOST_AFTER
from tests.evaluation.conftest import wait_for
from tests.factories import make_organizer, make_task

IDLE = ["evaluation.sweep_runs", "evaluation.run_imports"]


@pytest.fixture
def scheduler(transactional_db: None) -> GuardedScheduler:
    scheduler = GuardedScheduler(app=app)
    scheduler.schedule.clear()  # nothing is due, so a tick that holds the lock returns the longest wait
    return scheduler


def test_beat_waits_while_another_sends_and_takes_over_when_it_dies(scheduler: GuardedScheduler) -> None:
    with open_session() as other_beat:
        other_beat.execute("SELECT pg_advisory_lock(%s)", [BEAT_LOCK])
        assert scheduler.tick() == STANDBY_SECONDS
    wait_for(lambda: scheduler.tick() == scheduler.max_interval, "the lock of the session that ended")


def test_beat_that_loses_its_session_waits_and_continues(scheduler: GuardedScheduler) -> None:
    scheduler.tick()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    with open_session() as session:
        session.execute("SELECT pg_terminate_backend(%s, 10000)", [pid])
    assert scheduler.tick() == STANDBY_SECONDS
    assert scheduler.tick() == scheduler.max_interval
    connection.close()


def test_message_for_long_work_is_sent_only_if_some_is_due(
    scheduler: GuardedScheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(scheduler, "apply_async", lambda entry, **_: sent.append(entry.task))
    entries = [
        scheduler.Entry(name=name, task=name, schedule=schedules.schedule(1.0), app=app) for name in IDLE
    ]

    def send_all() -> list[str]:
        sent.clear()
        for entry in entries:
            scheduler.apply_entry(entry)
        return sent

    assert send_all() == ["evaluation.sweep_runs"]
    task = make_task()
    receive_import(
        task=task,
        kind=ImportKind.TOPICS,
        file=ContentFile(b"id,title\nT1,Tarn\n", "topics.csv"),
        by=make_organizer(task.track),
    )
    assert send_all() == IDLE
    Import.objects.update(claim=uuid4(), claimed_at=Now(), seen_at=Now())
    assert send_all() == ["evaluation.sweep_runs"]
    Import.objects.update(seen_at=Now() - LOST_AFTER - timedelta(seconds=1))
    assert send_all() == IDLE


def test_scheduled_tasks_exist_and_go_to_a_queue_that_a_worker_reads() -> None:
    app.loader.import_default_modules()
    for entry in app.conf.beat_schedule.values():
        assert entry["task"] in app.tasks
        queue = app.amqp.router.route({}, entry["task"])["queue"].name
        assert queue in {"default", "mail", "imports", "scores", "reports", "operations", "judges"}
