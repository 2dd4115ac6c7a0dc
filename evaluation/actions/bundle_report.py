"""Pack a report with all that it was computed from."""

from __future__ import annotations

import json
from typing import IO, TYPE_CHECKING, Any, TypeVar

from evaluation.actions.compute_report import described, graded_set, report_design, report_runs
from evaluation.actions.compute_values import rankings_of
from evaluation.core.errors import InputError
from evaluation.core.report.bundle import run_path, write_bundle
from evaluation.core.report.files import report_files
from evaluation.core.report.stored import from_json
from evaluation.models import Qrels

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from evaluation.core.report.study import GradedSet
    from evaluation.models import Report, Run

Thing = TypeVar("Thing")


class ReportOutdated(InputError):
    """Runs or qrels have changed since the report was computed."""


def bundle_report(*, report: Report, target: IO[bytes]) -> None:
    """Write the zip of the report: runs, qrels, raw scores, provenance, tables, figures, metadata, checksums.

    Raises ReportOutdated.
    """
    runs = _runs(report)
    sets = [graded_set(_qrels(report, told)) for told in _told(report)]
    write_bundle(
        target,
        design=report_design(report.task),
        runs=[described(run) for run in runs],
        rankings=rankings_of(runs),
        sets=sets,
        beside=_beside(report, runs, sets),
    )


def _told(report: Report) -> list[dict[str, Any]]:
    return [report.content["reference"], *report.content["others"]]


def _qrels(report: Report, told: Mapping[str, Any]) -> Qrels:
    """The very version that the report was computed from: qrels are immutable."""
    same = Qrels.objects.filter(task=report.task, name=told["name"], version=told["version"])
    return _there(report, same.filter(sha256=told["sha256"]).first())


def _runs(report: Report) -> list[Run]:
    accepted = {run.tag: run for run in report_runs(report.task)}
    return [_there(report, accepted.get(told["tag"])) for told in report.content["runs"]]


def _there(report: Report, found: Thing | None) -> Thing:
    if found is None:
        raise ReportOutdated(f"{report.task}: runs or qrels have changed. Compute the report anew.")
    return found


def _beside(report: Report, runs: Sequence[Run], sets: Sequence[GradedSet]) -> Iterator[tuple[str, str]]:
    yield from report_files(from_json(report.content["report"]))
    for place, each in enumerate(sets):
        yield f"provenance/{place}.json", _json(dict(each.facts))
    for run in runs:
        yield f"ir_metadata/{run.tag}.yaml", _ir_metadata(run)
    yield "croissant.json", _json(_croissant(report, runs, sets))


def _ir_metadata(run: Run) -> str:
    """The fields of ir_metadata 0.2 that an upload tells; strings as JSON, which is YAML too."""
    fields = {
        "schema-version": "ir_metadata/0.2",
        "tag": run.tag,
        "actor": {"team": run.team.name},
        "method": {"description": run.description, "families": list(described(run).families)},
    }
    return _json(fields)


def _croissant(report: Report, runs: Sequence[Run], sets: Sequence[GradedSet]) -> dict[str, Any]:
    """Croissant 1.0: the files of qrels and runs, by name, form and path."""
    objects = [
        _file(f"qrels-{place}", f"qrels/{place}.qrels", f"{each.name}, SHA-256 {each.facts['sha256']}")
        for place, each in enumerate(sets)
    ]
    objects += [_file(f"run-{run.tag}", run_path(run.tag), f"run of {run.team.name}") for run in runs]
    return {
        "@context": {"@vocab": "https://schema.org/", "cr": "http://mlcommons.org/croissant/"},
        "@type": "Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": f"{report.task.track.slug}-{report.task.slug}",
        "description": f"Runs and qrels of {report.task}, and what its report says of them.",
        "version": report.code_version,
        "distribution": objects,
    }


def _file(name: str, path: str, description: str) -> dict[str, str]:
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": path,
        "encodingFormat": "application/gzip" if path.endswith(".gz") else "text/plain",
        "description": description,
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"
