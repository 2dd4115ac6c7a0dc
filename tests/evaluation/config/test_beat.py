"""Only one of several beats sends."""

import pytest
from django.db import connection

from evaluation.config.beat import BEAT_LOCK, STANDBY_SECONDS, GuardedScheduler
from evaluation.config.celery import app
from evaluation.hosting.database_session import open_session
from tests.evaluation.conftest import wait_for


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


def test_scheduled_tasks_exist_and_go_to_a_queue_that_a_worker_reads() -> None:
    app.loader.import_default_modules()
    for entry in app.conf.beat_schedule.values():
        assert entry["task"] in app.tasks
        queue = app.amqp.router.route({}, entry["task"])["queue"].name
        assert queue in {"default", "mail", "imports", "scores", "reports", "operations", "judges"}
