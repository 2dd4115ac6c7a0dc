"""Do the judge's qrels lead to the same findings? Significance under people and under each judge."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.figures.lines import lines
from evaluation.core.figures.svg.charts import lines_svg
from evaluation.core.report.figure_titles import power_title
from evaluation.core.report.tables import Column, Figure, Section, Table, slug
from evaluation.core.report.focus import named_judges, series_of
from evaluation.core.report.study import PEOPLE
from evaluation.core.statistics.comparison.decisions import (
    KINDS,
    TUKEY_DRAWS,
    compare_decisions,
    paired_t_tests,
)

if TYPE_CHECKING:
    from evaluation.core.report.tables import Cell
    from evaluation.core.report.study import Study
    from evaluation.core.statistics.comparison.decisions import PairTests

TESTS = ("paired t, Holm", "randomised Tukey HSD")


def decisions_section(study: Study) -> Section:
    """Kinds of agreement over all pairs of runs, discriminative power, false discoveries."""
    if len(study.runs) < 2:
        return Section("decisions", "Findings", ("One run only: there is no other run to compare it with.",))
    tests = _Tests(study)
    tested = {
        (at, place, test): tests.of(at, place, test)
        for at in range(len(study.measures))
        for place in range(len(study.sets))
        for test in TESTS
    }
    tables = (_kinds(study, tests), _power(study, tested))
    figures = tuple(
        _curve(study, at, tested, tables[1])
        for at in range(len(study.measures))
        if not all(tested[at, place, TESTS[1]].is_undefined for place in range(len(study.sets)))
    )
    return Section("decisions", "Differences of runs", (), tables, figures)


@dataclass(frozen=True)
class _Tests:
    """Cache of the tests of all pairs of runs, by test and values."""

    study: Study
    known: dict[tuple[str, bytes], PairTests] = field(default_factory=dict)

    def of(self, at: int, place: int, test: str, *beside: int) -> PairTests:
        """Run the test under one set, on the topics that it and the ``beside`` sets judge."""
        values = self.study.shared_values(at, place, *beside).values[0]
        key = test, values.tobytes()
        if key not in self.known:
            self.known[key] = paired_t_tests(values) if test == TESTS[0] else self.study.tukey(values)
        return self.known[key]


def _kinds(study: Study, tests: _Tests) -> Table:
    columns = (
        Column("measure"),
        Column("judge"),
        Column("test"),
        Column("pairs", ",d"),
        *(Column(kind, ",d") for kind in KINDS),
        Column("findings of the judge", ",d"),
        Column("false", ",d"),
        Column("share false", ".0%"),
    )
    rows: list[tuple[Cell, ...]] = []
    for at, measure in enumerate(study.measures):
        for judge in study.others:
            for test in TESTS:
                truth, own = (tests.of(at, place, test, beside) for place, beside in _both(judge))
                found = compare_decisions(truth, own, alpha=study.design.alpha)
                counts = [found.counts[kind] for kind in KINDS]
                share = found.false / found.found if found.found else None
                cells: tuple[Cell, ...] = (*counts, found.found, found.false, share)
                if truth.is_undefined or own.is_undefined:
                    cells = (None,) * len(cells)
                rows.append((measure, study.name(judge), test, truth.p.size, *cells))
    notes = (
        f"Pairs of runs, significant at {study.design.alpha}, on the topics that both judge. AA, AD: both "
        "find a difference, in the same or the other direction; MA, MD: one does; PA, PD: none does. False: "
        "what the judge finds and people do not, or in the other direction. A dash: no pair could be "
        "tested, for example over one topic.",
    )
    return Table("decisions", "Findings under people and under each judge.", columns, tuple(rows), notes)


def _both(judge: int) -> tuple[tuple[int, int], tuple[int, int]]:
    return (PEOPLE, judge), (judge, PEOPLE)


def _power(study: Study, tested: dict[tuple[int, int, str], PairTests]) -> Table:
    columns = (
        Column("measure"),
        Column("qrels"),
        Column("test"),
        Column("pairs", ",d"),
        Column("significant", ",d"),
        Column("discriminative power", ".1%"),
    )
    rows: list[tuple[Cell, ...]] = []
    for (at, place, test), each in tested.items():
        count = None if each.is_undefined else int(each.is_significant(study.design.alpha).sum())
        share = None if count is None else count / each.p.size
        rows.append((study.measures[at], study.name(place), test, each.p.size, count, share))
    notes = (f"Over all topics of each set. Tukey: {TUKEY_DRAWS:,} shuffles, seed {study.design.seed}.",)
    return Table(
        "discriminative-power",
        "Pairs with a significant difference under each set.",
        columns,
        tuple(rows),
        notes,
    )


def _curve(study: Study, at: int, tested: dict[tuple[int, int, str], PairTests], power: Table) -> Figure:
    """Achieved significance levels: the adjusted p of all pairs in ascending order."""
    measure = study.measures[at]
    points = {}
    for place in range(len(study.sets)):
        if tested[at, place, TESTS[1]].is_undefined:
            continue
        levels = np.sort(np.nan_to_num(tested[at, place, TESTS[1]].p, nan=1.0))
        pairs = np.arange(1, levels.size + 1)
        points[study.name(place)] = list(zip(pairs.tolist(), levels.tolist(), strict=True))
    title = power_title(power, measure, TESTS[1], study.name(PEOPLE), named_judges(study))
    desc = (
        f"Adjusted p of all pairs of runs by {measure} ({TESTS[1]}), sorted; a lower curve finds more "
        "differences."
    )
    name = slug("asl", measure=measure)
    svg = lines_svg(
        lines(points, series=series_of(study), up=(0.0, 1.0)),
        name=name,
        title=title,
        desc=desc,
        axes=("pairs of runs", "p"),
    )
    return Figure(name, title, desc, svg, "discriminative-power", measure)
