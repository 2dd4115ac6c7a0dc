"""Zips of reports, packed by a worker when somebody asks, and kept for an hour."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from evaluation.core.errors import InputError
from evaluation.reports.bundle import ReportOutdated, current_inputs, packed_report
from evaluation.reports.models import Packing
from evaluation.work.claims import end_work
from evaluation.work.queueing import queue_work

if TYPE_CHECKING:
    from evaluation.access.people import User
    from evaluation.reports.models import Report

log = logging.getLogger(__name__)
KEPT_FOR = timedelta(hours=1)
MOST_KEPT = 5  # zips of a task; one of 200 runs has about 300 MB


class BundleBeingPacked(InputError):
    """A worker packs the zip."""


class BundleNotPacked(InputError):
    """No zip is kept and none is being packed."""


def find_bundle(*, report: Report) -> File[bytes]:
    """Return the zip of a report, open at its start. Raises BundleBeingPacked, BundleNotPacked."""
    packing = Packing.objects.filter(report=report).first()
    if packing and _is_stored(packing):
        return default_storage.open(packing.stored_as)
    if packing and packing.is_parked:
        raise BundleNotPacked(
            "The zip could not be packed: stopped after failed attempts. The organizers can try it again."
        )
    if packing and packing.queued_at:
        raise BundleBeingPacked(
            "The zip is being packed, which takes a minute or two for 200 runs. Request it again then."
        )
    raise BundleNotPacked("The zip is not packed yet. Ask for it with POST, then request it again.")


@transaction.atomic
def ask_bundle(*, report: Report, by: User | None) -> Packing:
    """Queue the packing of a report's zip unless it is kept, queued or parked. Raises ReportOutdated."""
    packing, _ = Packing.objects.get_or_create(report=report, defaults={"task": report.task})
    packing = Packing.objects.select_for_update(of=("self",)).get(pk=packing.pk)
    if packing.queued_at is None and not _is_stored(packing):
        current_inputs(report)
        queue_work(row=packing, by=by)
    return packing


def run_packing(*, packing: Packing) -> None:
    """Pack the zip of a claimed row, and delete old ones of its task. Raises ClaimLost.

    An outdated report is not packed; the next request gets the reason.
    """
    report = packing.report
    folder = f"bundles/{report.task_id}"
    try:
        with packed_report(report=report) as packed:
            name = default_storage.save(f"{folder}/{packing.claim}.zip", File(packed))
    except ReportOutdated:
        log.info("The report is outdated; its zip is not packed.")
        end_work(packing)
        return
    end_work(packing, stored_as=name, packed_at=Now())
    _delete_old(folder)


def _is_stored(packing: Packing) -> bool:
    is_kept = packing.packed_at is not None and packing.packed_at > timezone.now() - KEPT_FOR
    return is_kept and default_storage.exists(packing.stored_as)  # newer zips may have displaced it


def _delete_old(folder: str) -> None:
    names = [f"{folder}/{name}" for name in default_storage.listdir(folder)[1]]
    names.sort(key=default_storage.get_modified_time, reverse=True)
    for place, name in enumerate(names):
        if place >= MOST_KEPT or default_storage.get_modified_time(name) < timezone.now() - KEPT_FOR:
            default_storage.delete(name)
