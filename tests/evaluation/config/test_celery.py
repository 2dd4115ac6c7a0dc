"""Celery: each task has its queue, none is lost, and unacknowledged ones are queued again at the start."""

import re
from pathlib import Path

import kombu
import pytest
from django.conf import settings
from kombu.transport.redis import Channel

from evaluation.config.celery import OutOfMemory, app
from evaluation.running.hosting.site_parts import LONG, setup
from evaluation.tracks.work.models import LongWork


@pytest.mark.parametrize(
    ("task_name", "queue"),
    [
        ("judges.run_shard", "judges"),
        ("judges.finish_job", "default"),
        ("judges.sweep_jobs", "default"),
        ("evaluation.mail_invitation", "mail"),
        ("evaluation.check_run", "default"),
        ("evaluation.run_imports", "imports"),
        ("evaluation.run_scores", "scores"),
        ("evaluation.run_reports", "reports"),
        ("evaluation.run_operations", "operations"),
    ],
)
def test_task_goes_to_its_queue(task_name: str, queue: str) -> None:
    assert app.amqp.router.route({}, task_name)["queue"].name == queue


def test_every_message_names_a_task() -> None:
    """Workers drop messages with unknown names, so their work would never be done."""
    app.loader.import_default_modules()
    queued = {
        name
        for folder in ("evaluation", "assessment", "judges")
        for path in Path(settings.ROOT, folder).rglob("*.py")
        for name in re.findall(r'(?:enqueue\(|task_name = )"([\w.]+)"', path.read_text())
    }
    assert len(queued) > 5
    assert queued | set(settings.CELERY_BEAT_SCHEDULE) <= set(app.tasks)


def test_long_worker_takes_messages_while_all_claims_are_in_work() -> None:
    """A message that waits longer than RabbitMQ's consumer_timeout closes the worker's channel."""
    claims = sum(kind.slots for kind in LongWork.__subclasses__())
    assert f"--autoscale={claims + 1},1" in LONG


def test_settings_lose_no_task() -> None:
    conf = app.conf
    assert (conf.task_acks_late, conf.task_reject_on_worker_lost) == (True, True)
    assert conf.worker_prefetch_multiplier == 1
    assert conf.result_backend is None


def test_transport_options_are_ones_that_the_transport_takes() -> None:
    """A misspelt option would be ignored silently, and redelivery would take 100 seconds."""
    taken = set(Channel.from_transport_options)
    assert set(settings.CELERY_BROKER_TRANSPORT_OPTIONS) <= taken


def test_unacknowledged_task_is_back_after_setup(transactional_db: None, empty_queue: None) -> None:
    with app.connection_for_write() as broker:
        queue = broker.SimpleQueue("default")
        queue.put({"task": "lost"})
        queue.get(timeout=10)  # received, never acknowledged: its worker died
        assert in_queue(broker, "default") == 0
        assert setup(lambda: None) == 0
        assert in_queue(broker, "default") == 1
        queue.clear()


def in_queue(broker: kombu.Connection, name: str) -> int:
    return int(broker.channel().client.llen(name))  # type: ignore[attr-defined]


def test_task_without_memory_does_not_end_its_worker() -> None:
    """Celery stops the whole worker after a MemoryError, and with it the work of every track."""

    @app.task(name="tests.greedy", shared=False)
    def greedy() -> None:
        raise MemoryError("Unable to allocate 30.7 GiB")

    with pytest.raises(OutOfMemory, match=r"30\.7 GiB"):
        greedy()
    assert not issubclass(OutOfMemory, MemoryError)
    app.tasks.pop("tests.greedy")
