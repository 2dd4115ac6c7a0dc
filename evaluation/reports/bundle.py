"""Pack a report with all its inputs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import IO, Any

from evaluation.collections.files import file_name, named_images
from evaluation.collections.models import Topic
from evaluation.imports.models import ChosenFields
from evaluation.reports.inputs import ReportInputs, gather_inputs
from evaluation.reports.models import Report
from evaluation.runs.models import Run, RunType
from evaluation.values.actions import rankings_of
from trackside.errors import InputError
from trackside.reporting.choice import Choice
from trackside.reporting.design import GradedSet
from trackside.reporting.writers.bundle import write_bundle
from trackside.reporting.writers.croissant import croissant_text
from trackside.reporting.writers.files import report_files
from trackside.reporting.writers.manifest import facts_json
from trackside.reporting.writers.stored import from_json


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
        listed.append({"topic": topic.number, "text": text} | by_role)
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
