"""What `trackside report` does with its arguments."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

from evaluation.cli.inputs import read_qrels, read_runs
from evaluation.cli.report_text import refuse_absent, report_lines
from evaluation.core.code_version import code_version
from evaluation.core.errors import InputError
from evaluation.core.figures.pdf import pdf_of
from evaluation.core.measures import parse_measures
from evaluation.core.report.build import build_report
from evaluation.core.report.bundle import read_bundle, read_scores
from evaluation.core.report.choice import Choice
from evaluation.core.report.design import Design, GradedSet
from evaluation.core.report.files import report_files
from evaluation.core.report.study import study_of
from evaluation.core.report.summary import ReportRun
from evaluation.core.report.writers import WRITERS
from evaluation.core.trec_files import Qrels
from evaluation.core.trec_files.topic_lists import read_strata, read_topics

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping, Sequence

    from evaluation.core.measures import Measure
    from evaluation.core.report.content import Report
    from evaluation.core.report.study import Study

OF_FILES = (
    "runs", "reference", "people", "qrels", "raw_scores", "about", "topics", "strata", "measure", "level",
    "scale", "seed", "resamples",
)  # fmt: skip
FIELDS = ("tag", "team", "families", "backbone", "type", "pool_depth")


class BadReportOption(InputError):
    """Options of a report that are missing, or that do not make sense."""


def report_output(arguments: argparse.Namespace) -> Iterator[str]:
    """The lines to print. Raises InputError."""
    _refuse_idle(arguments)
    report = build_report(_study(arguments), code_version=code_version())
    if arguments.out:
        yield from _write(report, Path(arguments.out), is_pdf_too=arguments.pdf)
    elif arguments.format in (None, "text"):
        yield from report_lines(report, sections=arguments.section)
    else:
        refuse_absent("section", arguments.section, [section.name for section in report.sections])
        for section in report.sections:
            if not arguments.section or section.name in arguments.section:
                for table in section.tables:
                    yield WRITERS[arguments.format](table, report.basis)


def _refuse_idle(arguments: argparse.Namespace) -> None:
    """An option that would do nothing is a mistake of whoever gave it."""
    if arguments.pdf and not arguments.out:
        raise BadReportOption("--pdf writes files: name a folder with --out too.")
    if arguments.out and (idle := _given(arguments, ("section", "format"))):
        raise BadReportOption(f"{idle[0]}: --out writes every table in every form. Give one of the two.")
    if arguments.bundle and (idle := _given(arguments, OF_FILES)):
        raise BadReportOption(
            f"{idle[0]}: a bundle brings runs, qrels and all that was decided along. Name the bundle, or "
            "the files."
        )


def _given(arguments: argparse.Namespace, names: Sequence[str]) -> list[str]:
    given = (name for name in names if getattr(arguments, name) not in (None, []))
    return [f"--{name.replace('_', '-')}" for name in given]


def _write(report: Report, folder: Path, *, is_pdf_too: bool) -> Iterator[str]:
    files = {name: text.encode() for name, text in report_files(report)}
    if is_pdf_too:
        files |= {f"figures/{figure.name}.pdf": pdf_of(figure.svg) for figure in report.figures()}
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    count = len(files)
    yield f"{count} files in {folder}"


def _study(arguments: argparse.Namespace) -> Study:
    if arguments.bundle:
        return read_bundle(arguments.bundle)
    others = [*arguments.people, *arguments.qrels]
    if not (arguments.runs and arguments.reference and others):
        raise BadReportOption("name --runs, --reference and --qrels, or a bundle.")
    qrels = read_qrels([arguments.reference, *others])
    kinds = ["human", *["second"] * len(arguments.people), *["model"] * len(arguments.qrels)]
    chosen = ""
    if arguments.topics:
        wanted, every = read_topics(arguments.topics), {topic for each in qrels for topic in each.topics}
        choice = Choice.among((), wanted, all_tags=(), all_topics=every)
        chosen = choice.words(run_count=0, topic_count=len(every))
        qrels = [_within(each, wanted) for each in qrels]
    scores = {name: read_scores(_text(path)) for name, path in _pairs(arguments.raw_scores)}
    unknown = sorted(scores.keys() - {each.name for each in qrels})
    if unknown:
        raise BadReportOption(f"--raw-scores {unknown[0]}: no qrels have that name.")
    sets = [
        _graded_set(each, kind, scores.get(each.name, {})) for each, kind in zip(qrels, kinds, strict=True)
    ]
    runs = _runs(arguments.about) if arguments.about else None
    return study_of(_design(arguments, qrels, chosen), runs, read_runs(arguments.runs), sets)


def _design(arguments: argparse.Namespace, qrels: Sequence[Qrels], chosen: str) -> Design:
    grades = sorted({int(grade) for each in qrels for grade in set(each.grades.tolist()) if grade >= 0})
    scale = _scale(arguments.scale) if arguments.scale else tuple(grades)
    level = arguments.level or 1
    levels = [grade for grade in scale if grade >= level]
    names = arguments.measure or ["nDCG@10", *(f"AP(rel={grade})" for grade in levels)]
    given = {"seed": arguments.seed, "replicates": arguments.resamples}
    return Design(
        scale=scale,
        level=level,
        measures=tuple(str(_at_level(each, arguments.level)) for each in parse_measures(names)),
        strata={name: read_strata(path) for name, path in _pairs(arguments.strata)},
        chosen=chosen,
        **{name: value for name, value in given.items() if value is not None},
    )


def _at_level(measure: Measure, level: int | None) -> Measure:
    """A level in the name goes first."""
    return measure if level is None or measure.level is not None else measure.at_level(level)


def _within(qrels: Qrels, topics: set[str]) -> Qrels:
    kept = {topic: grades for topic, grades in qrels if topic in topics}
    if not kept:
        raise BadReportOption(f"--topics: {qrels.name} has none of these topics. Write them as in the qrels.")
    return Qrels.from_dict(kept, name=qrels.name)


def _scale(text: str) -> tuple[int, ...]:
    parts = text.split(",")
    if not all(part.strip().isdigit() for part in parts):
        raise BadReportOption(f"--scale {text}: write whole numbers with commas between, such as 0,1,2.")
    return tuple(sorted({int(part) for part in parts}))


def _pairs(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    for argument in arguments:
        name, equals, path = argument.partition("=")
        if not equals:
            raise BadReportOption(f"{argument}: write NAME={argument}.")
        yield name, path


def _graded_set(qrels: Qrels, kind: str, scores: Mapping[tuple[str, str], float]) -> GradedSet:
    graded = int((qrels.grades >= 0).sum())
    facts = {
        "name": qrels.name,
        "version": 1,
        "kind": kind,
        "sha256": qrels.sha256,
        "pair_count": len(qrels),
        "graded_count": graded,
        "provenance": {},
    }
    return GradedSet(facts, qrels, scores)


def _runs(path: str) -> list[ReportRun]:
    """What is known of each run."""
    reader = csv.DictReader(_text(path).splitlines())
    if "tag" not in (reader.fieldnames or ()):
        raise BadReportOption(f"{path}: the first line names the columns {','.join(FIELDS)}.")
    return [
        ReportRun(
            row["tag"],
            row.get("team") or "",
            tuple(name.strip() for name in (row.get("families") or "").split(";") if name.strip()),
            row.get("backbone") or "",
            row.get("type") or "",
            _depth(path, row.get("pool_depth") or ""),
        )
        for row in reader
    ]


def _depth(path: str, text: str) -> int | None:
    if text and not text.isdecimal():
        raise BadReportOption(f"{path}: pool_depth {text} is no whole number. Leave it empty if unknown.")
    return int(text) if text else None


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadReportOption(f"{path}: cannot be read as UTF-8 text ({error}).") from None
