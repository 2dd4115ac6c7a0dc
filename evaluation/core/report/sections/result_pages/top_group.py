"""The best runs: those not significantly worse than the first, under people and under each judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.report.tables import Column, Table
from evaluation.core.report.study import PEOPLE

if TYPE_CHECKING:
    from evaluation.core.arrays import Floats
    from evaluation.core.report.tables import Cell
    from evaluation.core.report.study import Study

WORDS = {True: "yes", False: "no"}
NAMED = 5  # most runs listed by name

COLUMNS = (
    Column("measure"),
    Column("qrels"),
    Column("first"),
    Column("tested"),
    Column("best group", ",d"),
    Column("not told from"),
    Column("of people's best group", ",d"),
    Column("found", ",d"),
    Column("missed", ",d"),
    Column("wrongly in", ",d"),
    Column(
        "people's loss", ".4f", estimand="people's mean of their first run minus that of the judge's first"
    ),
)


def top_group(study: Study) -> Table:
    """Rows by measure and qrels; each judge on the topics and items that people also graded."""
    rows: list[tuple[Cell, ...]] = []
    for at, measure in enumerate(study.measures):
        rows.append((measure, study.name(PEOPLE), *_people(study, at)))
        rows += [(measure, study.name(judge), *_judge(study, at, judge)) for judge in study.others]
    notes = (
        "Best group: the first run and those that are not significantly worse (randomised Tukey HSD at "
        f"{study.design.alpha}). Found, missed, wrongly in: the judge's best group against people's. "
        "People's loss: what choosing the judge's first run costs by people's grades.",
    )
    return Table(
        "top-group", "The best runs: not significantly worse than the first.", COLUMNS, tuple(rows), notes
    )


def _people(study: Study, at: int) -> tuple[Cell, ...]:
    shared = study.shared_values(at, PEOPLE)
    if not shared.runs.size:
        return ("", "no", *[None] * 7)
    tags = [study.tags[run] for run in shared.runs]
    members, first, is_tested = _group(study, shared.values[0], tags)
    return (tags[first], WORDS[is_tested], len(members), _named(members, tags, first), *[None] * 5)


def _judge(study: Study, at: int, judge: int) -> tuple[Cell, ...]:
    shared = study.shared_values(at, PEOPLE, judge)
    if not shared.runs.size:
        return ("", "no", *[None] * 7)
    tags = [study.tags[run] for run in shared.runs]
    (truth, best, _), (own, first, is_tested) = (_group(study, values, tags) for values in shared.values)
    means = shared.means()[PEOPLE]
    found = len(set(truth) & set(own))
    counts = len(truth), found, len(truth) - found, len(own) - found
    loss = float(means[best] - means[first])
    return (tags[first], WORDS[is_tested], len(own), _named(own, tags, first), *counts, loss)


def _group(study: Study, values: Floats, tags: list[str]) -> tuple[list[int], int, bool]:
    """Runs not significantly worse than the first, the first run, and whether a test was possible."""
    means = values.mean(axis=1)
    first = min(range(len(tags)), key=lambda run: (-means[run], tags[run]))
    tests = study.tukey(values)
    pairs = np.array(np.triu_indices(len(tags), k=1))
    differing = pairs[:, tests.is_significant(study.design.alpha) & (pairs == first).any(axis=0)]
    beaten = set(differing.ravel().tolist()) - {first}
    order = sorted(set(range(len(tags))) - beaten, key=lambda run: (-means[run], tags[run]))
    return order, first, not tests.is_undefined


def _named(members: list[int], tags: list[str], first: int) -> str:
    names = [tags[run] for run in members if run != first]
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more:,} more" if more > 0 else "")
