"""Mean and rank of every run under every set of qrels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.core.report.tables import Column, Table
from evaluation.core.report.study import PEOPLE
from evaluation.core.statistics.ranks import run_ranks

if TYPE_CHECKING:
    from evaluation.core.report.tables import Cell
    from evaluation.core.report.study import Study


def means_table(study: Study) -> Table:
    """Means by measure, best run by people first; each set uses all its topics."""
    names = [study.name(place) for place in range(len(study.sets))]
    columns = [Column(name) for name in ("measure", "run", "team", "families", "type", "backbone")]
    columns += [each for name in names for each in (Column(name, ".4f"), Column(f"rank, {name}", "d"))]
    rows: list[tuple[Cell, ...]] = []
    for at, measure in enumerate(study.measures):
        means = [dict(zip(study.tags, study.means(place, at), strict=True)) for place in range(len(names))]
        ranks = [run_ranks({tag: mean for tag, mean in each.items() if mean == mean}) for each in means]
        for run in sorted(study.runs, key=lambda run: ranks[PEOPLE].get(run.tag, len(study.runs) + 1)):
            cells: list[Cell] = []
            for mean, rank in zip(means, ranks, strict=True):
                value = float(mean[run.tag])
                cells += [value if value == value else None, rank.get(run.tag)]
            about = (run.tag, run.team, ", ".join(run.families), run.type, run.backbone)
            rows.append((measure, *about, *cells))
    caption = "Mean and rank of each run, under each set of qrels over all its topics."
    return Table("means", caption, tuple(columns), tuple(rows))
