"""URLs for machines: /live, /ready, and /metrics for Prometheus."""

import os
from collections.abc import Iterator
from http import HTTPStatus
from itertools import groupby
from uuid import uuid4

from django.conf import settings
from django.core.cache import caches
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from evaluation.config.monitoring.readings import consumers, free_bytes, has_beat, readings
from evaluation.hosting.schema import missing_migrations
from evaluation.web.health import database_answers, queue_answers

LEAST_FREE = 200 * 2**20  # bytes of disk below which uploads may fail
FRESH = 15  # seconds for which the workers' answers are cached


@require_safe
def live(_request: HttpRequest) -> HttpResponse:
    """Return 200 while the web process serves requests, even if other parts are down."""
    return HttpResponse("alive\n", content_type="text/plain")


@require_safe
def ready(_request: HttpRequest) -> JsonResponse:
    """Return 200 if pages can be served and uploads stored, else 503; the body has a line for each part.

    Missing workers or beat are named, but do not make the site unready: it still serves pages.
    """
    faults = {
        "database": database_fault(),
        "queue": "" if queue_answers() else "does not answer",
        "storage": storage_fault(),
    }
    words = {name: fault or "answers" for name, fault in faults.items()}
    if not faults["database"]:
        words["beat"] = "answers" if has_beat() else "does not run"
    if not faults["queue"]:
        words["workers"] = _workers()
    return JsonResponse(words, status=503 if any(faults.values()) else 200)


def database_fault() -> str:
    """Return why pages cannot use the database; empty if they can."""
    if not database_answers():
        return "does not answer"
    missing = missing_migrations()
    return f"lacks the migrations {', '.join(missing)}; run manage.py migrate" if missing else ""


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
