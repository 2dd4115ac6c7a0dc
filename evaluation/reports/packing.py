"""Zips of reports, packed by a worker and kept for an hour."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from django.core.cache import cache
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.utils import timezone

from evaluation.access.limits.rates import spend_rate
from evaluation.core.errors import InputError
from evaluation.reports.bundle import ReportOutdated, current_inputs, packed_report
from evaluation.work.queueing import enqueue

if TYPE_CHECKING:
    from evaluation.reports.models import Report

log = logging.getLogger(__name__)
KEPT_FOR = timedelta(hours=1)
MOST_KEPT = 5  # zips of a task; one of 200 runs has about 300 MB
LOST_AFTER = 600  # seconds until a packing that has not ended is queued again


class BundleBeingPacked(InputError):
    """A worker packs the zip."""


def find_bundle(*, report: Report, who: str) -> File[bytes]:
    """Return the zip of a report, open at its start. Queue its packing if there is none.

    Raises BundleBeingPacked, ReportOutdated, TooManyRequests.
    """
    path = _path(report)
    if default_storage.exists(path) and not _is_old(path):
        return default_storage.open(path)
    if not cache.get(path):
        spend_rate(name="bundle", who=who)
        current_inputs(report)
        if cache.add(path, True, LOST_AFTER):  # noqa: FBT003 - Django's own signature
            enqueue("evaluation.pack_report", report.pk)
    raise BundleBeingPacked(
        "The zip is being packed, which takes a minute or two for 200 runs. Request it again then."
    )


def pack_report(*, report: Report) -> None:
    """Pack the zip of a report unless it is outdated, and delete old ones of its task."""
    path = _path(report)
    try:
        with packed_report(report=report) as packed:
            default_storage.save(path, File(packed))
    except ReportOutdated:
        log.info("The report is outdated; its zip is not packed.")
        return
    finally:
        cache.delete(path)
    folder = _folder(report)
    others = [f"{folder}/{name}" for name in default_storage.listdir(folder)[1]]
    others.sort(key=default_storage.get_modified_time, reverse=True)
    for place, other in enumerate(others):
        if place >= MOST_KEPT or _is_old(other):
            default_storage.delete(other)


def _folder(report: Report) -> str:
    return f"bundles/{report.task_id}"


def _path(report: Report) -> str:
    return f"{_folder(report)}/{report.pk}-{report.computed_at:%Y%m%d%H%M%S%f}.zip"


def _is_old(path: str) -> bool:
    return default_storage.get_modified_time(path) < timezone.now() - KEPT_FOR
