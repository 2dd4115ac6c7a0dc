"""Zips of reports: a worker packs them on request, and they are kept for an hour."""

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial
from tempfile import TemporaryFile
from typing import IO, Any

from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from evaluation.collections.chosen_fields import ChosenFields
from evaluation.collections.files import file_name, named_images
from evaluation.collections.models import Topic
from evaluation.platform.access.people import User, organizes
from evaluation.results.reports.inputs import ReportInputs, gather_inputs
from evaluation.results.reports.models import Packing, Report
from evaluation.results.reports.passports import passport_files
from evaluation.results.values.actions import rankings_of
from evaluation.submissions.runs.models import Run, RunType
from evaluation.tracks.work.queueing import end_work, queue_work
from trackside.errors import InputError
from trackside.reporting.design import Choice, GradedSet
from trackside.reporting.writers.bundle import facts_json, write_bundle
from trackside.reporting.writers.croissant import croissant_text
from trackside.reporting.writers.files import report_files
from trackside.reporting.writers.stored import from_json

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
        is_due = by is not None and organizes(by, report.task.track_id)
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


class ReportOutdated(InputError):
    """Runs or qrels have changed since the report was computed."""

    status = 409


def current_inputs(report: Report) -> ReportInputs:
    """Return the inputs of a report. Raises ReportOutdated if they have changed."""
    inputs = gather_inputs(task=report.task, choice=Choice.from_json(report.choice))
    if inputs is None or inputs.sha256 != report.inputs_sha256:
        raise ReportOutdated(f"{report.task}: runs or qrels have changed. Recompute the report.")
    return inputs


def bundle_report(*, report: Report, target: IO[bytes]) -> None:
    """Write the zip of the report with inputs, tables and figures. Raises ReportOutdated."""
    inputs = current_inputs(report)
    sets = inputs.graded_sets()
    write_bundle(
        target,
        design=inputs.design,
        runs=inputs.described,
        rankings=rankings_of(inputs.runs),
        sets=sets,
        beside=_beside(report, inputs, sets),
        index=("croissant.json", partial(_croissant, report)),
    )


def _beside(
    report: Report, inputs: ReportInputs, sets: Sequence[GradedSet]
) -> Iterator[tuple[str, str | bytes]]:
    yield from report_files(from_json(report.stored))
    yield from passport_files(report)
    yield from _topics(inputs)
    for index, graded_set in enumerate(sets):
        yield f"provenance/{index}.json", _json(facts_json(graded_set))
    for run in inputs.runs:
        yield f"ir_metadata/{run.tag}.yaml", _ir_metadata(report, run)


def _topics(inputs: ReportInputs) -> Iterator[tuple[str, str | bytes]]:
    """Yield the pictures of the judged topics among the chosen ones, and the list of these topics.

    A topic has a line for each field, and its texts by role.
    """
    numbers = {number for qrels in inputs.qrels for number in qrels.topics}
    chosen = numbers & set(inputs.choice.topics or numbers)
    roles = ChosenFields.objects.topic_roles(inputs.task.pk)
    listed: list[dict[str, Any]] = []
    topics = Topic.objects.filter(task=inputs.task, number__in=chosen).order_by("number")
    for topic in topics.select_related("image__original"):
        texts = dict(topic.fields)
        text = "\n".join(f"{name}: {text}" for name, text in topic.fields)
        by_role = {role: texts[name] for role, name in roles.items() if name in texts}
        stratum = {"stratum": topic.stratum} if topic.stratum else {}
        listed.append({"topic": topic.number, "text": text} | by_role | stratum)
        paths = []
        for number, image in enumerate(topic.images, start=1):
            content = image.original.read()
            paths.append(f"topics/{file_name(topic.number, content, number)}")
            yield paths[-1], content
        if paths:
            listed[-1]["image"] = named_images(paths)
    yield "topics.json", _json(listed)


def _ir_metadata(report: Report, run: Run) -> str:
    """Return the fields of an upload as ir_metadata 0.1 (ir-metadata.org), in JSON, which is valid YAML."""
    track = report.task.track
    fields = {
        "schema-version": "0.1",
        "run-version": "1.0",
        "tag": run.tag,
        "research goal": {
            "venue": {"name": track.name, "year": track.year},
            "evaluation": {"reported measures": list(report.summary.facts.measures)},
        },
        "method": {
            **({"automatic": run.type == RunType.AUTOMATIC} if run.type else {}),
            "retrieval": [{"name": run.tag, "method": run.description, "backbone": run.backbone}],
        },
        "actor": {"team": run.team.name, "role": "experimenter"},
        "data": {"test collection": {"name": report.task.collection.name}},
    }
    return _json(fields)


def _croissant(report: Report, sums: Mapping[str, str]) -> str:
    track = report.task.track
    return croissant_text(
        name=f"{report.task.track.slug}-{report.task.slug}",
        description=f"Runs and qrels of {report.task}, and what its report says of them.",
        version=f"{report.reference.version}.0.0",  # MAJOR.MINOR.PATCH; MAJOR is people's version
        sums=sums,
        more={
            "license": track.licence,
            "citeAs": track.citation,
            "datePublished": report.computed_at.date().isoformat(),
        },
    )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
