"""The implementation of `trackside report`."""

import argparse
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from trackside.cli.files.inputs import read_qrels, read_runs
from trackside.cli.files.tables import aligned, padded
from trackside.errors import InputError
from trackside.files.streams import Blocks
from trackside.findings.use_results import UseCode
from trackside.imports.readers import read_topics
from trackside.library.reporting import read_bundle, report
from trackside.measuring.evaluation import read_strata
from trackside.reporting.findings import Findings
from trackside.reporting.plain import margins_of, read_runs_table
from trackside.reporting.tables import Table
from trackside.reporting.views.first_page import first_page, runs_and_topics
from trackside.reporting.views.uses import WORDS, UseRow
from trackside.reporting.writers.bundle import read_scores
from trackside.reporting.writers.files import write_report
from trackside.reporting.writers.tables import WRITERS
from trackside.text.counted import counted
from trackside.text.shown import visible_line

OF_FILES = (
    "runs", "reference", "people", "qrels", "raw_scores", "about", "topics", "strata", "pair_strata",
    "measure", "level", "scale", "clip", "margin", "seed", "resamples",
)  # fmt: skip


def report_output(arguments: argparse.Namespace) -> Iterator[str]:
    """The lines to print. Raises InputError."""
    _refuse_idle(arguments)
    findings = _report(arguments)
    if arguments.format and not arguments.out:
        yield from _written_tables(findings, arguments)
    elif arguments.all or arguments.section or arguments.family:
        yield from report_lines(findings, sections=arguments.section, family=arguments.family)
    else:
        yield from page_lines(findings)
        yield from ("", _where(findings, arguments))


def _where(findings: Findings, arguments: argparse.Namespace) -> str:
    """Where the rest of the report is: the files, which are written here, or how to get it."""
    if not arguments.out:
        return "All sections: --all. Tables, figures and findings.json: --out FOLDER."
    formats = [arguments.format] if arguments.format else []
    files = write_report(findings, arguments.out, formats=formats, pdf=arguments.pdf)
    return f"{len(files)} files in {Path(arguments.out)}"


def _written_tables(findings: Findings, arguments: argparse.Namespace) -> Iterator[str]:
    refuse_absent("section", arguments.section, [section.name for section in findings.sections])
    for section in findings.sections:
        if not arguments.section or section.name in arguments.section:
            for table in section.tables:
                if table.rows:
                    yield WRITERS[arguments.format](table, findings.facts.basis)


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
    options = (name for name in names if getattr(arguments, name) not in (None, []))
    return [f"--{name.replace('_', '-')}" for name in options]


def _report(arguments: argparse.Namespace) -> Findings:
    if arguments.bundle:
        return read_bundle(arguments.bundle)
    if not (arguments.runs and arguments.reference):
        raise InputError("name --runs and --reference, with --qrels of judges, or a bundle.")
    if arguments.clip and not arguments.scale:
        raise InputError("--clip needs the scale to clip to: add --scale, such as --scale 0,1,2,3.")
    scale = _scale(arguments.scale) if arguments.scale else ()
    margins = margins_of(dict(_margins(arguments.margin)))  # what is typed is checked before files are read
    reference, *others = read_qrels([arguments.reference, *arguments.people, *arguments.qrels])
    numbers = {"seed": arguments.seed, "resamples": arguments.resamples}
    return report(
        read_runs(arguments.runs),
        reference,
        others[len(arguments.people) :],
        people=others[: len(arguments.people)],
        raw_scores={name: read_scores(_text(path), path) for name, path in _pairs(arguments.raw_scores)},
        about=read_runs_table(_text(arguments.about), arguments.about) if arguments.about else None,
        topics=read_topics(arguments.topics) if arguments.topics else (),
        strata={name: read_strata(path) for name, path in _pairs(arguments.strata)},
        pair_strata=dict(_pairs(arguments.pair_strata)),
        measures=arguments.measure,
        level=arguments.level,
        scale=scale,
        is_clipped=bool(arguments.clip),
        margins=margins,
        **{name: number for name, number in numbers.items() if number is not None},
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


LONG = 60  # rows; longer tables are for files
MOST_JUDGES = 15  # of the first page
MARKS = {UseCode.AS_PEOPLE: "●", UseCode.DIFFERS: "×", UseCode.OPEN: "–"}  # a sign
WIDTH = 110


def page_lines(report: Findings) -> Iterator[str]:
    """The first page in at most 40 lines: the lead, the table of uses, its margins and limits."""
    page = first_page(report)
    yield from _wrapped(page.lead, 4)
    for warning in page.warnings:
        yield from _wrapped(f"warning: {visible_line(warning)}", 2)
    yield from ("", f"{runs_and_topics(report.facts)}, by {page.measure}:")
    rows = (*page.yardsticks, *page.judges)
    if rows:
        heads = ["grades from", *(head.name for head in page.heads)]
        yield from padded([heads, *(_row(row) for row in rows[:MOST_JUDGES])])
        if len(rows) > MOST_JUDGES:
            yield f"… and {counted(len(rows) - MOST_JUDGES, 'more judge')}: see findings.json, by --out."
        yield ""
        yield f"{', '.join(f'{MARKS[code]} {word.lower()}' for code, word in WORDS.items())}. The margins:"
        for head in page.heads:
            yield f"  {head.name}: {head.title.lower()}, {head.margin} ({head.level})"
        for note in page.notes[1:]:
            yield from _wrapped(note, 2)
    yield from _wrapped(page.limit, 4)


def _row(row: UseRow) -> list[str]:
    """The name, with how much was graded if not all, and the mark and number of each use."""
    cells = (f"{MARKS[cell.code] if cell.code else ' '} {cell.number}" for cell in row.cells)
    name = f"{row.name} (yardstick)" if row.is_yardstick else f"{row.name}{row.share}"
    return [visible_line(name), *cells]


def report_lines(
    report: Findings, *, sections: Sequence[str] = (), measure: str | None = None, family: str | None = None
) -> Iterator[str]:
    """Lines of the named sections, or of all; rows of one measure and family, or of all.

    A missing value reads "undefined (reason)". Raises InputError.
    """
    refuse_absent("section", sections, [section.name for section in report.sections])
    _refuse_unknown(report, measure, family)
    yield report.facts.basis
    for section in report.sections:
        if not sections or section.name in sections:
            yield from ("", section.title, "=" * len(section.title))
            yield from section.says
            for table in section.tables:
                yield from _table_lines(table.where(measure=measure, family=family))


def refuse_absent(what: str, wanted: Sequence[str], choices: Sequence[str]) -> None:
    """Raise InputError, which lists the choices, if a wanted name is not one of them."""
    for name in wanted:
        if name not in choices:
            offered = ", ".join(choices) or "none"
            raise InputError(f"The report has no {what} {name}. Choose one of: {offered}.")


def _refuse_unknown(report: Findings, measure: str | None, family: str | None) -> None:
    refuse_absent("measure", [measure] if measure else [], report.facts.measures)
    refuse_absent("family", [family] if family else [], report.facts.families)


def _wrapped(text: str, most: int) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, max_lines=most, placeholder=" …", break_long_words=False, break_on_hyphens=False
    )


def _table_lines(table: Table) -> Iterator[str]:
    if not table.rows:
        return
    yield from ("", f"{table.caption} [{table.name}]")
    rows = table.texts()
    head = rows[:LONG]
    yield from ("  " + line for line in aligned([[column.name for column in table.columns], *head]))
    if len(rows) > len(head):
        yield f"  … and {len(rows) - len(head):,} rows more: write them with --format csv or --out."
    yield from table.notes
    yield from table.interval_notes()
