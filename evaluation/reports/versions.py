"""The versions of a task's whole report, and what changed from one to the next."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from evaluation.reports.models import ReportQuerySet
from trackside.findings.plain import from_plain
from trackside.reporting.findings import FORM, ReportFacts
from trackside.text.counted import counted

MOST_NAMED = 5  # runs


@dataclass(frozen=True)
class Version:
    """A stored report with its date; ``changes`` since the version before it, None for the first one."""

    pk: int
    computed_at: datetime
    changes: tuple[str, ...] | None


@dataclass(frozen=True)
class _Stored:
    """What the list of versions reads of a row; ``facts`` is None in a row of another form."""

    pk: int
    computed_at: datetime
    code_version: str
    facts: ReportFacts | None


def versions(reports: ReportQuerySet, *, since: datetime | None) -> list[Version]:
    """The versions of one task's whole report, latest first; readers see none older than at ``since``."""
    rows = reports.whole().order_by("computed_at", "pk")
    values = rows.values_list("pk", "computed_at", "code_version", "facts__form", "facts__facts")
    stored = [
        _Stored(pk, computed_at, code_version, _facts(form, facts))
        for pk, computed_at, code_version, form, facts in values
    ]
    if since:
        public_from = max((index for index, row in enumerate(stored) if row.computed_at <= since), default=0)
        stored = stored[public_from:]
    rows_with_last = zip([None, *stored], stored, strict=False)
    changes = ((row, tuple(_changes(before, row)) if before else None) for before, row in rows_with_last)
    return [Version(row.pk, row.computed_at, changed) for row, changed in changes][::-1]


def _facts(form: int | None, facts: Mapping[str, Any] | None) -> ReportFacts | None:
    return from_plain(ReportFacts, facts) if form == FORM and facts else None


def _changes(before: _Stored, after: _Stored) -> Iterator[str]:
    if before.facts and after.facts:
        yield from _changed_sets(before.facts, after.facts)
        tags = [{run.tag for run in facts.runs} for facts in (before.facts, after.facts)]
        yield from _changed_runs("added", tags[1] - tags[0])
        yield from _changed_runs("left out", tags[0] - tags[1])
        yield from _changed_runs("with other families or team", _redescribed(before.facts, after.facts))
    if before.code_version != after.code_version:
        yield f"software {after.code_version} instead of {before.code_version}"


def _changed_sets(before: ReportFacts, after: ReportFacts) -> Iterator[str]:
    old, new = ({graded.name: graded for graded in facts.qrels} for facts in (before, after))
    for name, graded in new.items():
        if name not in old:
            yield f"grades of {name} added ({counted(graded.graded_count, 'grade')})"
        elif graded.sha256 != old[name].sha256:
            yield (
                f"grades of {name}: version {graded.version} instead of {old[name].version} "
                f"({counted(graded.graded_count, 'grade')} instead of {old[name].graded_count:,})"
            )
    for name in old:
        if name not in new:
            yield f"grades of {name} left out"


def _changed_runs(verb: str, tags: Iterable[str]) -> Iterator[str]:
    names = sorted(tags)
    if names:
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        yield f"{counted(len(names), 'run')} {verb}: {', '.join(names[:MOST_NAMED])}{more}"


def _redescribed(before: ReportFacts, after: ReportFacts) -> set[str]:
    old, new = ({run.tag: (run.team, run.families) for run in facts.runs} for facts in (before, after))
    return {tag for tag in old.keys() & new.keys() if old[tag] != new[tag]}
