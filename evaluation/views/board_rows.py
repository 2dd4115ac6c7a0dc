"""The rows of a task's leaderboard for what its address asks for: qrels, measure, filters and order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from evaluation.actions.compute_values import shown_measures
from evaluation.core.standings import Standing, standings
from evaluation.models import Family, MeasureValue, Qrels, QrelsKind, Run

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from django.contrib.auth.models import AnonymousUser
    from django.http import QueryDict

    from evaluation.core.arrays import Floats
    from evaluation.models import Task, User


@dataclass(frozen=True)
class BoardRow:
    """One run: its place by the chosen measure, and its means by name."""

    run: Run
    standing: Standing
    families: tuple[str, ...]
    means: Mapping[str, float | None]


@dataclass(frozen=True)
class Board:
    """A leaderboard: `run_count`, `teams` and `families` are those of all runs, before the filters."""

    qrels: Qrels
    measure: str
    measures: tuple[str, ...]
    rows: tuple[BoardRow, ...]
    run_count: int
    teams: tuple[str, ...]
    families: tuple[str, ...]
    types: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The measures beside the one that the runs are ordered by; those that praise no run stand last."""
        others = (name for name in self.measures if name != self.measure)
        return tuple(sorted(others, key=lambda name: name.startswith("Judged")))


def qrels_to_choose(task: Task, reader: User | AnonymousUser) -> list[Qrels]:
    """The latest versions of the qrels one may see: people's first, the newest of them leading."""
    current = Qrels.objects.visible_to(reader).filter(task=task).current()
    order = {QrelsKind.HUMAN: 0, QrelsKind.SECOND: 1, QrelsKind.MODEL: 2}
    return sorted(current, key=lambda each: (order[QrelsKind(each.kind)], -each.created_at.timestamp()))


def chosen_qrels(found: Sequence[Qrels], wanted: str | None) -> Qrels:
    """The set of that number, or the first."""
    return next((each for each in found if str(each.pk) == wanted), found[0])


def read_board(task: Task, reader: User | AnonymousUser, qrels: Qrels, asked: QueryDict) -> Board:
    """Rows of the runs with values that the reader may see."""
    runs = scored_runs(qrels, reader)
    families = families_of(runs, reader)
    means = means_of(qrels, runs, shown_measures(task))
    measures = tuple(name for name in shown_measures(task) if any(name in own for own in means.values()))
    measure = asked.get("measure", "")
    measure = measure if measure in measures else measures[0] if measures else ""
    kept = [run for run in runs if _is_wanted(run, families[run.pk], asked)]
    if asked.get("best"):
        kept = _best_of_teams(kept, means, measure)
    rows = _rows(kept, values_of(qrels, kept, measure), families, means)
    sort = SORTS.get(asked.get("sort", ""))
    return Board(
        qrels,
        measure,
        measures,
        tuple(sorted(rows, key=sort) if sort else rows),
        len(runs),
        tuple(sorted({run.team.name for run in runs})),
        tuple(sorted({name for own in families.values() for name in own})),
        tuple(sorted({run.type for run in runs if run.type})),
    )


SORTS: dict[str, Callable[[BoardRow], Any]] = {
    "run": lambda row: row.run.tag,
    "team": lambda row: (row.run.team.name, row.standing.rank or np.inf),
}


def scored_runs(qrels: Qrels, reader: User | AnonymousUser) -> list[Run]:
    """Accepted runs with values under the qrels that one may see, by tag."""
    visible = MeasureValue.objects.visible_to(reader).filter(qrels=qrels)
    accepted = Run.objects.accepted().filter(task=qrels.task_id, pk__in=visible.values("run"))
    return list(accepted.select_related("team").order_by("tag"))


def families_of(runs: Sequence[Run], reader: User | AnonymousUser) -> dict[int, tuple[str, ...]]:
    """Names of the families that one may see, by run."""
    found: dict[int, tuple[str, ...]] = {run.pk: () for run in runs}
    visible = Family.objects.visible_to(reader).filter(runs__in=runs).order_by("name")
    for run, name in visible.values_list("runs", "name"):
        if run in found:
            found[run] += (name,)
    return found


def means_of(
    qrels: Qrels, runs: Sequence[Run], measures: Sequence[str]
) -> dict[int, dict[str, float | None]]:
    """Mean by measure, by run."""
    means: dict[int, dict[str, float | None]] = {run.pk: {} for run in runs}
    stored = MeasureValue.objects.filter(qrels=qrels, run__in=means, measure__in=measures)
    for run, measure, mean in stored.values_list("run", "measure", "mean"):
        means[run][measure] = mean
    return means


def values_of(qrels: Qrels, runs: Sequence[Run], measure: str) -> Floats:
    """Values of one measure as (runs, topics), NaN where a run has none; topics are those of the qrels."""
    stored = MeasureValue.objects.filter(qrels=qrels, run__in=runs, measure=measure)
    by_run = dict(stored.values_list("run", "values"))
    nothing = [None] * len(qrels.topics)
    table = [by_run.get(run.pk, nothing) for run in runs]
    return np.array(table, dtype=np.float64).reshape(len(runs), len(qrels.topics))


def _is_wanted(run: Run, families: Sequence[str], asked: QueryDict) -> bool:
    is_team = asked.get("team", "") in ("", run.team.name)
    is_type = asked.get("type", "") in ("", run.type)
    return is_team and is_type and (not asked.get("family") or asked["family"] in families)


def _best_of_teams(
    runs: Sequence[Run], means: Mapping[int, Mapping[str, float | None]], measure: str
) -> list[Run]:
    """The run of the highest mean of each team; of equal ones the first by tag."""
    best: dict[str, tuple[float, Run]] = {}
    for run in runs:
        mean = means[run.pk].get(measure)
        height = -np.inf if mean is None else mean
        if run.team.name not in best or height > best[run.team.name][0]:
            best[run.team.name] = height, run
    return [run for _, run in best.values()]


def _rows(
    runs: Sequence[Run],
    values: Floats,
    families: Mapping[int, tuple[str, ...]],
    means: Mapping[int, Mapping[str, float | None]],
) -> list[BoardRow]:
    """Best first."""
    by_tag = {run.tag: run for run in runs}
    return [
        BoardRow((run := by_tag[standing.tag]), standing, families[run.pk], means[run.pk])
        for standing in standings(values, list(by_tag))
    ]


def row_series(rows: Sequence[BoardRow], families: Sequence[str]) -> list[int]:
    """The style sheet's series of each row: 2 to 4 for the task's first three families, 1 for others."""
    places = {name: place for place, name in enumerate(families[:3], start=2)}
    return [next((places[name] for name in row.families if name in places), 1) for row in rows]
