"""The implementation of `trackside report`."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from trackside.cli.files.inputs import read_qrels, read_runs
from trackside.cli.files.report_text import page_lines, refuse_absent, report_lines
from trackside.code_version import code_version
from trackside.errors import InputError
from trackside.files.streams import Blocks
from trackside.files.topic_lists import read_strata
from trackside.imports.topics import read_topics
from trackside.reporting.build import build_report
from trackside.reporting.findings import Findings
from trackside.reporting.plain import Choices, margins_of, plain_study, read_runs_table
from trackside.reporting.study import Study
from trackside.reporting.writers.bundle import read_bundle, read_scores
from trackside.reporting.writers.files import write_report
from trackside.reporting.writers.tables import WRITERS

OF_FILES = (
    "runs", "reference", "people", "qrels", "raw_scores", "about", "topics", "strata", "measure", "level",
    "scale", "clip", "margin", "seed", "resamples",
)  # fmt: skip


def report_output(arguments: argparse.Namespace) -> Iterator[str]:
    """The lines to print. Raises InputError."""
    _refuse_idle(arguments)
    report = build_report(_study(arguments), code_version=code_version())
    if arguments.format and not arguments.out:
        yield from _written_tables(report, arguments)
    elif arguments.all or arguments.section:
        yield from report_lines(report, sections=arguments.section, family=arguments.family)
    else:
        yield from page_lines(report, family=arguments.family)
        yield from ("", _where(report, arguments))


def _where(report: Findings, arguments: argparse.Namespace) -> str:
    """Where the rest of the report is: the files, which are written here, or how to get it."""
    if not arguments.out:
        return "All sections: --all. Tables, figures and findings.json: --out FOLDER."
    formats = [arguments.format] if arguments.format else []
    files = write_report(report, arguments.out, formats=formats, pdf=arguments.pdf)
    return f"{len(files)} files in {Path(arguments.out)}"


def _written_tables(report: Findings, arguments: argparse.Namespace) -> Iterator[str]:
    refuse_absent("section", arguments.section, [section.name for section in report.sections])
    for section in report.sections:
        if not arguments.section or section.name in arguments.section:
            for table in section.tables:
                if table.rows:
                    yield WRITERS[arguments.format](table, report.facts.basis)


def _refuse_idle(arguments: argparse.Namespace) -> None:
    """Raise InputError for options that would have no effect."""
    if arguments.pdf and not arguments.out:
        raise InputError("--pdf writes files: name a folder with --out too.")
    if arguments.out and (idle := _given(arguments, ("section", "all"))):
        raise InputError(f"{idle[0]} prints, and --out writes every section. Give one of the two.")
    if arguments.bundle and (idle := _given(arguments, OF_FILES)):
        raise InputError(
            f"{idle[0]}: a bundle contains runs, qrels and the report's settings. Name the bundle, or "
            "the files."
        )


def _given(arguments: argparse.Namespace, names: Sequence[str]) -> list[str]:
    given = (name for name in names if getattr(arguments, name) not in (None, []))
    return [f"--{name.replace('_', '-')}" for name in given]


def _study(arguments: argparse.Namespace) -> Study:
    if arguments.bundle:
        return read_bundle(arguments.bundle)
    others = [*arguments.people, *arguments.qrels]
    if not (arguments.runs and arguments.reference):
        raise InputError("name --runs and --reference, with --qrels of judges, or a bundle.")
    if arguments.clip and not arguments.scale:
        raise InputError("--clip needs the scale to clip to: add --scale, such as --scale 0,1,2,3.")
    kinds = ["human", *["second"] * len(arguments.people), *["model"] * len(arguments.qrels)]
    return plain_study(
        read_runs(arguments.runs),
        list(zip(kinds, read_qrels([arguments.reference, *others]), strict=True)),
        _choices(arguments),
        about=read_runs_table(_text(arguments.about), arguments.about) if arguments.about else None,
        raw_scores={name: read_scores(_text(path), path) for name, path in _pairs(arguments.raw_scores)},
    )


def _choices(arguments: argparse.Namespace) -> Choices:
    given = {
        "seed": arguments.seed,
        "replicates": arguments.resamples,
    }
    return Choices(
        scale=_scale(arguments.scale) if arguments.scale else (),
        level=arguments.level,
        measures=tuple(arguments.measure),
        topics=frozenset(read_topics(arguments.topics)) if arguments.topics else frozenset(),
        is_clipped=bool(arguments.clip),
        strata={name: read_strata(path) for name, path in _pairs(arguments.strata)},
        margins=margins_of(dict(_margins(arguments.margin))),
        **{name: value for name, value in given.items() if value is not None},
    )


def _margins(arguments: Sequence[str]) -> Iterator[tuple[str, float]]:
    for name, text in _pairs(arguments):
        try:
            yield name, float(text)
        except ValueError:
            raise InputError(f"--margin {name}={text}: give a number, such as {name}=0.1.") from None


def _scale(text: str) -> tuple[int, ...]:
    parts = text.split(",")
    if not all(part.strip().isdecimal() for part in parts):
        raise InputError(f"--scale {text}: write whole numbers with commas between, such as 0,1,2.")
    return tuple(sorted({int(part) for part in parts}))


def _pairs(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    for argument in arguments:
        name, equals, path = argument.partition("=")
        if not equals:
            raise InputError(f"{argument}: write NAME={argument}.")
        yield name, path


def _text(path: str) -> str:
    try:
        return b"".join(Blocks(path)).decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text ({error}). Save it as UTF-8.") from None
