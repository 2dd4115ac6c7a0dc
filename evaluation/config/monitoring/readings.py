"""Readings for a site's operator: queues, workers, beat, long work, judging, jobs, money, disk, backups."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from celery import current_app
from django.conf import settings
from django.db import connection
from django.db.models import Count, Max, Min, Sum
from kombu.exceptions import ChannelError
from kombu.exceptions import OperationalError as BrokerError

from assessment.models import Judgment
from evaluation.config.beat import BEAT_LOCK
from evaluation.hosting.backup import last_backup_at
from evaluation.models import (
    Import,
    LongWork,
    Mail,
    Operation,
    Packing,
    ReportProgress,
    Run,
    RunState,
    Scoring,
)
from evaluation.web.outages import BROKER_ERRORS
from judges.models import Budget, Job, Shard

PATIENCE = 1.0  # seconds to wait for the workers' answers
ROUTED = {route["queue"] for route in settings.CELERY_TASK_ROUTES.values()}
QUEUES = sorted({settings.CELERY_TASK_DEFAULT_QUEUE, *ROUTED})
BEAT = """
    SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND classid = %s AND objid = %s
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


@dataclass(frozen=True)
class MetricSample:
    """One number: its metric, a description with the unit, and its labels."""

    metric: str
    about: str
    value: float
    labels: dict[str, str] = field(default_factory=dict)


def consumers() -> dict[str, int] | None:
    """Return how many workers answer for each queue; None if the broker cannot be reached."""
    counts = dict.fromkeys(QUEUES, 0)
    try:
        answers = current_app.control.inspect(timeout=PATIENCE).active_queues() or {}
    except BROKER_ERRORS:
        return None
    for queues in answers.values():
        for queue in queues:
            counts[queue["name"]] = counts.get(queue["name"], 0) + 1
    return counts


def has_beat() -> bool:
    """Return whether a beat holds its lock in the database."""
    with connection.cursor() as cursor:
        cursor.execute(BEAT, [BEAT_LOCK >> 32, BEAT_LOCK & 0xFFFF_FFFF])
        return bool(cursor.fetchone()[0])


def free_bytes() -> int:
    """Return the free space of the disk that holds the site's folder."""
    return shutil.disk_usage(settings.TRACKSIDE_VAR).free


def read_queues() -> Iterator[MetricSample]:
    """Yield messages and workers of each queue; nothing while the broker is unreachable."""
    about = "Messages that wait in a queue"
    try:
        with current_app.connection_for_read() as broker:
            for queue in QUEUES:
                yield MetricSample(
                    "queue_messages", about, _message_count(broker.channel(), queue), {"queue": queue}
                )
    except (BrokerError, *BROKER_ERRORS):
        return
    for queue, count in (consumers() or {}).items():
        yield MetricSample("queue_workers", "Workers that answer for a queue", count, {"queue": queue})


def _message_count(channel: object, queue: str) -> int:
    try:
        return int(channel.queue_declare(queue, passive=True).message_count)  # type: ignore[attr-defined]  # kombu
    except ChannelError:  # Redis has no key for an empty queue
        return 0


def read_waiting() -> Iterator[MetricSample]:
    """Yield count and age of the work that waits in the database, without asking the broker."""
    waiting = {
        "check": Run.objects.filter(state=RunState.RECEIVED).aggregate(n=Count("pk"), at=Min("received_at")),
        "mail": Mail.objects.due().aggregate(n=Count("pk"), at=Min("due_at")),
        "judge": Shard.objects.open().filter(claimed_at=None).aggregate(n=Count("pk"), at=Min("queued_at")),
    }
    long_work: dict[str, type[LongWork]] = {
        "import": Import,
        "score": Scoring,
        "report": ReportProgress,
        "operation": Operation,
        "packing": Packing,
    }
    for kind, model in long_work.items():
        rows = model.rows().filter(queued_at__isnull=False, claim=None, parked_at=None)
        waiting[kind] = rows.aggregate(n=Count("pk"), at=Min("queued_at"))
    now = datetime.now(UTC)
    for kind, totals in waiting.items():
        seconds = max((now - totals["at"]).total_seconds(), 0) if totals["at"] else 0
        yield MetricSample("work_waiting", "Rows that wait for a worker", totals["n"], {"kind": kind})
        yield MetricSample(
            "work_oldest_seconds", "Seconds that the oldest of them has waited", seconds, {"kind": kind}
        )


def read_jobs() -> Iterator[MetricSample]:
    """Yield the judges' jobs by state, and their total cost."""
    for state, count in Job.objects.order_by().values_list("state").annotate(Count("pk")):
        yield MetricSample("jobs", "Jobs of judges", count, {"state": str(state)})
    sums = Budget.objects.filter(track__isnull=False).aggregate(
        spent=Sum("spent_micros", default=0), reserved=Sum("reserved_micros", default=0)
    )
    for kind, micros in sums.items():
        yield MetricSample(
            "judges_money", "Money of all tracks, in the site's currency", micros / 1e6, {"kind": kind}
        )


def read_storage() -> Iterator[MetricSample]:
    """Yield the free disk, and the time of the last backup if there was one."""
    yield MetricSample("disk_free_bytes", "Free bytes of the disk with the site's folder", free_bytes())
    if moment := last_backup_at():
        yield MetricSample(
            "last_backup_timestamp_seconds", "When the last backup ended, Unix time", moment.timestamp()
        )


def readings() -> Iterator[MetricSample]:
    """Yield every reading."""
    yield from read_queues()
    yield MetricSample("beat_up", "1 if a beat sends the periodic tasks", int(has_beat()))
    yield from read_waiting()
    latest = Judgment.objects.aggregate(last=Max("pk"))["last"] or 0  # a counter; its rate is the pace
    yield MetricSample("judgments_total", "Number of the latest judgment of the site", latest)
    yield from read_jobs()
    yield from read_storage()
