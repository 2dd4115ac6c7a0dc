"""The runs' means, the pool by topic, and each run without the pairs that only its team found."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from trackside.arrays import Flags
from trackside.findings.retrieved import Retrieved, means_of
from trackside.measuring import parse_measure
from trackside.measuring.judged import place_in_topic
from trackside.measuring.lookup import ABSENT
from trackside.reporting.design import ReportRun
from trackside.reporting.findings import Findings
from trackside.reporting.sections.parts import NEW_TOPICS, compared, forest_figure
from trackside.reporting.study import PEOPLE, Study
from trackside.reporting.tables import Column, Figure, Selector, Table, table_of
from trackside.statistics.estimate import Estimate, Number, Reason
from trackside.statistics.ranks import run_ranks
from trackside.uncertainty.means import mean_intervals

MOST_DRAWN = 40  # runs in a figure
SHALLOWEST = 10  # lower bound of an inferred pool depth, in ranks


class MeanRow(NamedTuple):
    """A run by one measure: people's mean and rank, and its mean by each judge on the pairs of both."""

    measure: str
    run: ReportRun
    mean: Number
    rank: int | None
    by_judges: tuple[float | None, ...]


LEFT_OUT = (
    Column("measure", selector=Selector.MEASURE),
    Column("team"),
    Column("run"),
    Column("in pool", ",d"),
    Column("unique to the team", ",d"),
    Column("unique relevant", ",d"),
    Column("with", ".4f"),
    Column("without", ".4f"),
    Column("difference", "+z.4f"),
    Column("ranks lost", "+d"),
)


def mean_rows(study: Study, findings: Findings) -> list[MeanRow]:
    """Rows by measure, best run by people first; runs without a value on every topic come last."""
    return [row for index in range(len(study.measures)) for row in _means(study, findings, index)]


def _means(study: Study, findings: Findings, index: int) -> Iterator[MeanRow]:
    measure, shared = study.measures[index], study.shared_values(index, PEOPLE)
    means = dict(zip(shared.runs.tolist(), shared.means()[0].tolist(), strict=True))
    intervals = mean_intervals(shared.values[0], bounds=parse_measure(measure).bounds).intervals
    cells = {
        run: Number.of(Estimate.of(means[run]), interval)
        for run, interval in zip(means, intervals, strict=True)
    }
    ranks = run_ranks({study.tags[run]: mean for run, mean in means.items()})
    order = sorted(range(len(study.runs)), key=lambda run: (-means.get(run, -1.0), study.tags[run].encode()))
    by_judges = [graded.order(measure).judge_means for graded in compared(findings)]
    for run in order:
        yield MeanRow(
            measure,
            study.runs[run],
            cells.get(run, Number(None, Reason.NO_TOPICS)),
            ranks.get(study.tags[run]),
            tuple(values[run] if values else None for values in by_judges),
        )


def means_table(findings: Findings, rows: list[MeanRow]) -> Table:
    """People's means with intervals, and the means by each judge."""
    columns = (
        Column("measure", selector=Selector.MEASURE),
        Column("run"),
        Column("team"),
        Column("families"),
        Column("type"),
        Column("rank", "d"),
        Column("people", ".4f", has_interval=True, estimand=NEW_TOPICS),
        *(Column(graded.name, ".4f") for graded in compared(findings)),
    )
    cells = (
        (measure, run.tag, run.team, ", ".join(run.families), run.type, rank, mean, *by_judges)
        for measure, run, mean, rank, by_judges in rows
    )
    notes = (
        "People: on all pairs that they graded, with 95 % intervals over topics. Each judge: on the pairs "
        "that people graded, too.",
    )
    return table_of("means", "Mean of each run, best first by people's grades.", columns, cells, notes)


def means_figure(measure: str, family: str | None, rows: Sequence[MeanRow]) -> Figure:
    """People's means of the best runs, with intervals; triangles are the family."""
    best = [row for row in rows if row.measure == measure and row.mean.value is not None][:MOST_DRAWN]
    focus = f" Triangles: {family} runs." if family else ""
    return forest_figure(
        "means",
        [(row.run.tag, "fam" if family in row.run.families else "oth", row.mean) for row in best],
        ".3f",
        title=f"{best[0].run.tag} leads by {measure}" if best else f"No run has a mean {measure}",
        axis=f"mean {measure} by people's grades",
        caption=f"Mean {measure} of the best runs by people's grades, 95 % intervals over topics.{focus}",
        table="means",
        measure=measure,
        zero=None,
    )


def pool_table(study: Study) -> Table:
    """The judged pairs of each topic, by grade."""
    scale, is_graded = study.design.scale, study.grades[PEOPLE] >= 0
    columns = (
        Column("topic"),
        Column("judged", ",d"),
        *(Column(f"grade {grade}", ",d") for grade in scale),
        Column("relevant", ".1%"),
    )
    counts = np.zeros((len(study.topics), len(scale)), np.int64)
    indices = np.searchsorted(scale, study.grades[PEOPLE][is_graded])
    np.add.at(counts, (study.topic_of_pair[is_graded], indices), 1)
    is_relevant = np.array(scale) >= study.design.level
    rows = (
        (topic, int(row.sum()), *row.tolist(), float(row[is_relevant].sum() / row.sum()))
        for topic, row in zip(study.topics, counts, strict=True)
        if row.any()
    )
    return table_of("pool", "Judged pairs of each topic, by people's grade.", columns, rows)


def left_out_table(study: Study) -> Table:
    """Each run without what only its team found; no rows with one team."""
    caption = "Leaving one team out: each run without the pairs that only its team found."
    selection = study.design.chosen
    others = f"Among the chosen runs only ({selection}): others may have found the same items."
    notes = (_depths_note(study), *([others] if " runs" in selection else []))
    rows = sorted(_left_out(study), key=lambda row: study.measures.index(str(row[0])))
    return table_of("leave-one-team-out", caption, LEFT_OUT, rows, notes)


def _left_out(study: Study) -> Iterator[tuple[str | float, ...]]:
    """Each run with and without the judged pairs that only its team contributed to the pool."""
    teams = sorted({run.team for run in study.runs if run.team})
    if len(teams) < 2:
        return
    contributions = _contributions(study)
    finders, people = contributions.sum(axis=0), study.grades[PEOPLE]
    means = [study.means(PEOPLE, index) for index in range(len(study.measures))]
    for team in teams:
        members = np.array([run.team == team for run in study.runs])
        counts = contributions[members].sum(axis=0)
        unique: Flags = (counts > 0) & (counts == finders) & (people >= 0)
        graded = study.judgments(np.where(unique, ABSENT, people))
        relevant = int((unique & (people >= study.design.level)).sum())
        for run in np.flatnonzero(members).tolist():
            values = graded.values(study.retrieved[run], study.measures)[:, study.is_judged[PEOPLE]]
            for index, without in enumerate(means_of(values).tolist()):
                full = float(means[index][run])
                if np.isfinite(full) and np.isfinite(without):
                    others = np.delete(means[index], run)
                    yield (
                        study.measures[index],
                        study.runs[run].team,
                        study.runs[run].tag,
                        int(contributions[run].sum()),
                        int(unique.sum()),
                        relevant,
                        full,
                        without,
                        without - full,
                        int((others > without).sum()) - int((others > full).sum()),
                    )


def _contributions(study: Study) -> Flags:
    """Flag the judged pairs that each run retrieved above its known or inferred pool depth, [run, pair]."""
    contributions = np.zeros((len(study.runs), study.topic_of_pair.size), dtype=np.bool_)
    for row, run, retrieved in zip(contributions, study.runs, study.retrieved, strict=True):
        depth = _inferred(study, retrieved) if run.pool_depth is None else run.pool_depth
        is_judged = study.grades[PEOPLE][retrieved.pairs] >= 0
        row[retrieved.pairs[is_judged & (retrieved.ranks < depth)]] = True
    return contributions


def _depths_note(study: Study) -> str:
    """Note on whether the depths are known or inferred."""
    unknown = sum(run.pool_depth is None for run in study.runs)
    if not unknown:
        return "Pool depths are those to which the runs were pooled."
    subject = "Pool depths are" if unknown == len(study.runs) else f"Pool depths of {unknown} runs are"
    return (
        f"{subject} inferred from the judgments: the depth to which all results are judged in the median "
        f"topic, at least {SHALLOWEST}."
    )


def _inferred(study: Study, retrieved: Retrieved) -> int:
    """The depth in ranks to which all is judged in half of the topics."""
    is_judged = study.grades[PEOPLE][retrieved.pairs] >= 0
    topics, ranks = study.topic_of_pair[retrieved.pairs][is_judged], retrieved.ranks[is_judged]
    unbroken = topics[place_in_topic(topics) == ranks]
    depths = np.bincount(unbroken, minlength=len(study.topics))[study.is_judged[PEOPLE]]
    return max(SHALLOWEST, int(np.median(depths)) if depths.size else 0)
