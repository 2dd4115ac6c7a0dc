"""URLs for machines: /health, /live, /ready, and /metrics for Prometheus; the readings of the site."""

import logging
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from itertools import groupby
from uuid import uuid4

from celery import current_app
from django.conf import settings
from django.core.cache import caches
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import OperationalError, connection
from django.db.models import Count, Max, Min, Sum
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe
from kombu.exceptions import ChannelError
from kombu.exceptions import OperationalError as BrokerError
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from assessment.models import Judgment
from evaluation.config.beat import BEAT_LOCK
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
from evaluation.organizing.pages.long_work import untaken_work
from evaluation.platform.web.outages import BROKER_ERRORS
from evaluation.running.hosting.backup import last_backup_at
from evaluation.running.hosting.schema import schema_fault
from judges.models import Budget, Job, Shard

LEAST_FREE = 200 * 2**20  # bytes of disk below which uploads may fail
FRESH = 15  # seconds for which the workers' answers are cached


@require_safe
def live(_request: HttpRequest) -> HttpResponse:
    """Return 200 while the web process serves requests, even if other parts are down."""
    return HttpResponse("alive\n", content_type="text/plain")


@require_safe
def ready(_request: HttpRequest) -> JsonResponse:
    """Return 200 if pages can be served and uploads stored, else 503; the body has a line for each part.

    Missing workers or beat, and work that no worker takes, are named, but do not make the site unready: it
    still serves pages.
    """
    faults = {
        "database": database_fault(),
        "queue": "" if queue_answers() else "does not answer",
        "storage": storage_fault(),
    }
    words = {name: fault or "answers" for name, fault in faults.items()}
    if not faults["database"]:
        words["beat"] = "answers" if has_beat() else "does not run"
        untaken = untaken_work()
        words["work"] = f"no worker takes {', '.join(untaken)}" if untaken else "is taken"
    if not faults["queue"]:
        words["workers"] = _workers()
    return JsonResponse(words, status=503 if any(faults.values()) else 200)


def database_fault() -> str:
    """Return why pages cannot use the database; empty if they can."""
    if not database_answers():
        return "does not answer"
    return schema_fault()


def storage_fault() -> str:
    """Write and delete a probe; return what prevents the site from storing uploads; empty if nothing does."""
    if not os.access(settings.TRACKSIDE_VAR, os.W_OK):
        return "cannot be written"
    if free_bytes() < LEAST_FREE:
        return f"has less than {LEAST_FREE >> 20} MiB left"
    try:
        default_storage.delete(default_storage.save(f"probe-{uuid4()}", ContentFile(b"probe")))
    except Exception as error:  # noqa: BLE001 - each storage has exceptions of its own
        return f"does not answer ({type(error).__name__})"
    return ""


def _workers() -> str:
    counts = caches["pages"].get_or_set("workers", consumers, FRESH) or {}
    missing = [queue for queue, count in counts.items() if not count]
    return f"none for {', '.join(missing)}" if missing else "answer"


class _Collector:
    """The readings as metrics of Prometheus."""

    def collect(self) -> Iterator[Metric]:
        """Yield a metric with all its labels."""
        for name, group in groupby(
            sorted(readings(), key=lambda sample: sample.metric), lambda sample: sample.metric
        ):
            samples = list(group)
            kind = CounterMetricFamily if name.endswith("_total") else GaugeMetricFamily
            metric = kind(f"trackside_{name}", samples[0].about, labels=list(samples[0].labels))
            for sample in samples:
                metric.add_metric(list(sample.labels.values()), sample.value)
            yield metric


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the readings for Prometheus if the request has METRICS_TOKEN, else 404."""
    token = f"Bearer {settings.METRICS_TOKEN}"
    if not settings.METRICS_TOKEN or not constant_time_compare(
        request.headers.get("Authorization", ""), token
    ):
        raise Http404
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collector())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST, status=HTTPStatus.OK)


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


log = logging.getLogger(__name__)
CONNECT_SECONDS = 2  # seconds


@require_safe
def health(_request: HttpRequest) -> JsonResponse:
    """Return 200 when the database and the queue answer, else 503; the body names the one that does not."""
    answers = {"database": database_answers(), "queue": queue_answers()}
    words = {name: "answers" if does_answer else "does not answer" for name, does_answer in answers.items()}
    return JsonResponse(words, status=200 if all(answers.values()) else 503)


def database_answers() -> bool:
    """Return whether the database runs a statement."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except OperationalError:
        log.exception("The database does not answer.")
        return False
    return True


def queue_answers() -> bool:
    """Return whether the message broker accepts a connection."""
    try:
        with current_app.connection_for_write(connect_timeout=CONNECT_SECONDS) as broker:
            broker.ensure_connection(max_retries=1, timeout=CONNECT_SECONDS).channel()
    except BrokerError:
        log.exception("The queue does not answer.")
        return False
    return True
