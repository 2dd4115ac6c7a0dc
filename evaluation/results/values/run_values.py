"""Values of one run by topic, for its page and as a file."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.views.decorators.http import require_safe

from evaluation.platform.access.people import User
from evaluation.results.qrels.models import Qrels
from evaluation.results.values.actions import (
    JUDGED_DEPTHS,
    RECALL_POINTS,
    UNIQUE,
    UNIQUE_TO_TEAM,
    judged_measures,
    recall_measures,
)
from evaluation.results.values.actions import shown_measures as measures_of
from evaluation.results.values.leaderboard import (
    TYPES,
    as_file,
    chosen_qrels,
    means_of,
    qrels_to_choose,
    scored_runs,
    values_of,
)
from evaluation.results.values.models import MeasureValue
from evaluation.submissions.runs.lookups import find_run
from evaluation.submissions.runs.models import Run, RunState
from evaluation.tracks.lookups import find_task
from evaluation.tracks.models import Task
from trackside.arrays import Floats, value_or_none
from trackside.figures.svg.bars import gaps_svg
from trackside.figures.svg.charts import lines_svg
from trackside.measuring import parse_measure
from trackside.reporting.tables import Cell, Column, Table
from trackside.reporting.writers.tables import WRITERS
from trackside.statistics.ranks import run_ranks

Means = Mapping[int, Mapping[str, float | None]]


@dataclass(frozen=True)
class ValueRow:
    """A measure: the run's mean and rank, and the median and the best of all runs' means.

    It has no rank by measures where higher is not better, such as Judged@10.
    """

    measure: str
    mean: float | None
    rank: int | None
    median: float | None
    best: float | None


@dataclass(frozen=True)
class TopicRow:
    """A topic: the run's value, and the median and the best of all runs' values."""

    topic: str
    value: float | None
    median: float | None
    best: float | None


@dataclass(frozen=True)
class RunValues:
    """The values on a run's page under one set of qrels; the figures show one measure."""

    qrels: Qrels
    choices: tuple[Qrels, ...]
    measure: str
    run_count: int
    rows: tuple[ValueRow, ...]
    topics: tuple[TopicRow, ...]
    from_median_svg: str
    from_best_svg: str
    won: int
    lost: int
    recall_svg: str
    judged: tuple[tuple[int, float | None], ...]
    unique: int | None
    unique_to_team: int | None


def read_values(task: Task, run: Run, reader: User | AnonymousUser, asked: QueryDict) -> RunValues | None:
    """Return values for the qrels and the measure in the URL; None if the reader may see none."""
    scored = set(MeasureValue.objects.filter(run=run).values_list("qrels", flat=True))
    choices = [qrels for qrels in qrels_to_choose(task, reader) if qrels.pk in scored]
    if not choices or run.state != RunState.ACCEPTED:
        return None
    qrels = chosen_qrels(choices, asked.get("qrels"))
    runs = scored_runs(qrels, reader)
    measures, curve = measures_of(task), recall_measures(task.relevance_level)
    means = means_of(qrels, runs, [*measures, *curve, *judged_measures(), UNIQUE, UNIQUE_TO_TEAM])
    rows = tuple(_row(run, means, measure) for measure in measures if measure in means[run.pk])
    names = [row.measure for row in rows]
    if not names:
        return None
    wanted = asked.get("measure", "")
    measure = wanted if wanted in names else names[0]
    topics = topic_rows(
        qrels.topics, values_of(qrels, runs, measure), [other.pk for other in runs].index(run.pk)
    )
    gaps = [
        [(row.topic, _difference(row.value, other)) for row, other in zip(topics, others, strict=True)]
        for others in ([row.median for row in topics], [row.best for row in topics])
    ]
    from_median_svg, from_best_svg = _gap_svgs(gaps)
    known = [gap for _, gap in gaps[0] if gap is not None]
    return RunValues(
        qrels,
        tuple(choices),
        measure,
        len(runs),
        rows,
        topics,
        from_median_svg,
        from_best_svg,
        sum(gap > 0 for gap in known),
        sum(gap < 0 for gap in known),
        _recall_svg(run, means, curve),
        tuple(zip(JUDGED_DEPTHS, map(means[run.pk].get, judged_measures()), strict=True)),
        *(_total(means[run.pk].get(name), qrels) for name in (UNIQUE, UNIQUE_TO_TEAM)),
    )


def _row(run: Run, means: Means, measure: str) -> ValueRow:
    known = {str(pk): mean for pk, values in means.items() if (mean := values.get(measure)) is not None}
    values = list(known.values())
    has_rank = parse_measure(measure).family.is_higher_better
    return ValueRow(
        measure,
        means[run.pk].get(measure),
        run_ranks(known).get(str(run.pk)) if has_rank else None,
        float(np.median(values)) if values else None,
        max(values, default=None),
    )


def topic_rows(topics: Sequence[str], values: Floats, index: int) -> tuple[TopicRow, ...]:
    """Return the rows of the run at this index of values [run, topic], which are NaN where unknown."""
    known = [column[~np.isnan(column)].tolist() for column in values.T]
    return tuple(
        TopicRow(
            topic, value_or_none(value), float(np.median(every)) if every else None, max(every, default=None)
        )
        for topic, value, every in zip(topics, values[index], known, strict=True)
    )


def _difference(value: float | None, other: float | None) -> float | None:
    return None if value is None or other is None else value - other


def _span(gaps: Sequence[Sequence[tuple[str, float | None]]]) -> tuple[float, float]:
    """Return the least and greatest gap for the shared axis of both figures; they differ if all are zero."""
    known = [gap for row in gaps for _, gap in row if gap]
    return (min(known), max(known)) if known else (-0.1, 0.1)


def _gap_svgs(gaps: Sequence[Sequence[tuple[str, float | None]]]) -> Iterator[str]:
    """Yield the figures of the gaps from the median and from the best, on one axis."""
    figures = (
        ("median", "One bar a topic: up if this run is better than the median run, down if it is worse."),
        ("best", "One bar a topic, down from zero by the difference from the best run."),
    )
    for row, (other, desc) in zip(gaps, figures, strict=True):
        title = f"Difference from the {other} run"
        yield gaps_svg(row, up=_span(gaps), name=f"from-{other}", title=title, desc=desc)


def _recall_svg(run: Run, means: Means, curve: Sequence[str]) -> str:
    """Plot interpolated precision at eleven points of recall: this run, and the median of all runs."""
    places = [float(point) for point in RECALL_POINTS]
    table = np.array([[values.get(name) for name in curve] for values in means.values()], dtype=np.float64)
    if np.isnan(table).any():
        return ""  # values of older code lack the curve; the next scoring adds it
    precisions = table[list(means).index(run.pk)]
    points = {run.tag: precisions, f"median of {len(means)} runs": np.median(table, axis=0)}
    desc = "; ".join(
        f"{name}: {', '.join(f'{value:.2f}' for value in curve)}" for name, curve in points.items()
    )
    return lines_svg(
        {name: list(zip(places, curve.tolist(), strict=True)) for name, curve in points.items()},
        dict(zip(points, ("fam", "oth"), strict=True)),
        name="recall",
        title="Precision at eleven points of recall",
        desc=f"{desc}.",
        axes=("Recall", "Precision"),
    )


def _total(mean: float | None, qrels: Qrels) -> int | None:
    """Return the total over all topics behind a stored mean."""
    return None if mean is None else round(mean * len(qrels.topics))


def scores_table(task: Task, run: Run, qrels: Qrels) -> Table:
    """Return a table with a column per stored measure, a row per topic, and the means last, as "all"."""
    names = [*measures_of(task), *judged_measures(), *recall_measures(task.relevance_level)]
    stored = MeasureValue.objects.filter(run=run, qrels=qrels, measure__in=names)
    pairs = {
        measure: (values, mean) for measure, values, mean in stored.values_list("measure", "values", "mean")
    }
    measures = [name for name in dict.fromkeys(names) if name in pairs]
    rows: list[tuple[Cell, ...]] = [
        (topic, *(pairs[name][0][index] for name in measures)) for index, topic in enumerate(qrels.topics)
    ]
    rows.append(("all", *(pairs[name][1] for name in measures)))
    columns = (Column("topic"), *(Column(name, ".4f") for name in measures))
    return Table("scores", f"Values of {run.tag} under {qrels}.", columns, tuple(rows))


@require_safe
def run_scores(request: HttpRequest, track: str, task: str, run: int, form: str) -> HttpResponse:
    """Send all values of the run, a row per topic, under the qrels in the URL, by default people's."""
    task_run, track_task = find_run(request, track, task, run), find_task(request, track, task)
    choices = qrels_to_choose(track_task, request.user)
    if not choices or form not in WRITERS:
        raise Http404
    qrels = chosen_qrels(choices, request.GET.get("qrels"))
    table = scores_table(track_task, task_run, qrels)
    if len(table.columns) == 1:
        raise Http404
    basis = f"Qrels {qrels.name}, version {qrels.version}, sha256 {qrels.sha256[:12]}."
    return as_file(WRITERS[form](table, basis), TYPES[form], f"{task_run.tag}-{qrels.name}.{form}")
