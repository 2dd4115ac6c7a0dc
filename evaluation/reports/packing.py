"""Zips of reports: a worker packs them on request, and they are kept for an hour."""

import logging
from contextlib import suppress
from datetime import timedelta
from tempfile import TemporaryFile

from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from evaluation.access.people import User
from evaluation.reports.bundle import ReportOutdated, bundle_report, current_inputs
from evaluation.reports.models import Packing, Report
from evaluation.tracks.models import Task
from evaluation.work.queueing import end_work, queue_work
from trackside.errors import InputError

log = logging.getLogger(__name__)
FOLDER = "bundles"  # in the storage, with a folder per task
KEPT_FOR = timedelta(hours=1)
MOST_KEPT = 5  # zips per task; a zip of 200 runs has about 300 MB


class BundleBeingPacked(InputError):
    """A worker packs the zip."""

    status = 503


class BundleNotPacked(InputError):
    """No zip is kept and none is being packed."""

    status = 409


def find_bundle(*, report: Report) -> File[bytes]:
    """Return the zip of a report, open at its start. Raises BundleBeingPacked, BundleNotPacked."""
    packing = Packing.objects.filter(report=report).first()
    if packing and _is_fresh(packing):
        with suppress(FileNotFoundError):  # it was deleted because of newer zips
            return default_storage.open(packing.stored_as)
    if packing and packing.is_parked:
        raise BundleNotPacked(
            "The zip could not be packed: stopped after failed attempts. Request it with POST again."
        )
    if packing and packing.queued_at:
        raise BundleBeingPacked(
            "The zip is being packed, which takes a minute or two for 200 runs. Then send this request again."
        )
    raise BundleNotPacked("The zip is not packed yet. Request it with POST, then send this request again.")


@transaction.atomic
def ask_bundle(*, report: Report, by: User | None) -> Packing:
    """Queue the packing unless kept or queued, a parked one by organizers alone. Raises ReportOutdated."""
    packing, _ = Packing.objects.get_or_create(report=report, defaults={"task": report.task})
    packing = Packing.objects.select_for_update(of=("self",)).get(pk=packing.pk)
    if packing.is_parked:
        is_due = by is not None and Task.objects.organized_by(by).contains(report.task)
    else:
        is_stored = _is_fresh(packing) and default_storage.exists(packing.stored_as)
        is_due = packing.queued_at is None and not is_stored
    if is_due:
        current_inputs(report)
        queue_work(row=packing, by=by)
    return packing


def run_packing(*, packing: Packing) -> None:
    """Pack the zip of a claimed row unless outdated, and delete old zips of its task. Raises ClaimLost."""
    report = packing.report
    folder = f"{FOLDER}/{report.task_id}"
    try:
        with TemporaryFile() as packed:
            bundle_report(report=report, target=packed)
            packed.seek(0)
            name = default_storage.save(f"{folder}/{packing.claim}.zip", File(packed))
    except ReportOutdated:
        log.info("The report is outdated; its zip is not packed.")
        end_work(packing)
        return
    end_work(packing, stored_as=name, packed_at=Now())
    _delete_old(folder)


def sweep_bundles() -> None:
    """Delete the old zips of every task, also those whose worker lost its claim."""
    folders: list[str] = []
    with suppress(FileNotFoundError):  # no zip was ever packed
        folders, _ = default_storage.listdir(FOLDER)
    for name in folders:
        _delete_old(f"{FOLDER}/{name}")


def _is_fresh(packing: Packing) -> bool:
    return packing.packed_at is not None and packing.packed_at > timezone.now() - KEPT_FOR


def _delete_old(folder: str) -> None:
    dated = []
    for name in default_storage.listdir(folder)[1]:
        with suppress(FileNotFoundError):  # another worker deleted it, or renamed its draft
            dated.append((default_storage.get_modified_time(f"{folder}/{name}"), f"{folder}/{name}"))
    for index, (stored_at, name) in enumerate(sorted(dated, reverse=True)):
        if index >= MOST_KEPT or stored_at < timezone.now() - KEPT_FOR:
            default_storage.delete(name)
