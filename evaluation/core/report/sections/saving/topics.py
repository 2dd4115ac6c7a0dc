"""How few topics need people? Each run's mean, estimated from all model grades and some human topics."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.figures.lines import lines
from evaluation.core.figures.svg.charts import lines_svg
from evaluation.core.report.figure_titles import width_title
from evaluation.core.report.tables import Column, Figure, Number, Section, Table, slug
from evaluation.core.report.focus import named_judges
from evaluation.core.report.sections.saving.curves import (
    CHOICES,
    CONDITION,
    PAIRS,
    Point,
    agreement,
    choices,
    claim,
    draws,
    line_series,
    mean_width,
    neighbours,
    width_lines,
)
from evaluation.core.report.sections.saving.items import saving_by_items
from evaluation.core.report.study import PEOPLE
from evaluation.core.statistics.saving.prediction_powered import (
    FEWEST,
    INFORMATIVE,
    LEAST,
    plain_choices,
    plain_means,
    powered_choices,
    powered_means,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from evaluation.core.arrays import Flags, Floats, Ints
    from evaluation.core.report.tables import Cell
    from evaluation.core.report.sections.saving.curves import RankingStability
    from evaluation.core.report.shared_values import Shared
    from evaluation.core.report.study import Study

SIZES = (5, 10, 15, 20, 30, 40, 50, 75, 100, 150)
SHOWN = (20, 40)  # numbers of topics for which the table lists estimates of each run
MEASURED = 20  # choices whose widths are measured


def saving_section(study: Study) -> Section:
    """Interval widths and tau by the number of graded topics, and the smallest number that is enough."""
    rows: list[tuple[Cell, ...]] = []
    says: list[str] = []
    for at, measure in enumerate(study.measures):
        alone: dict[bytes, _Alone] = {}
        for judge in study.others:
            shared = study.own_values(at, PEOPLE, judge)
            if shared.topics.size < LEAST or not shared.runs.size:
                continue
            people = alone.setdefault(shared.values[0].tobytes(), _Alone(shared.values[0], study.design.seed))
            points, name = list(_curve(shared, people)), study.name(judge)
            items = _items_a_topic(study, shared)
            rows += [(measure, name, each.number, items * each.number, *each.cells) for each in points]
            says.append(claim(f"{measure}, {name}", "topics", points))
    caption = "People's grades needed, with and without the judge's help."
    table = Table("saving", caption, _COLUMNS, tuple(rows), _notes(study))
    by_items, item_figures, item_says = saving_by_items(study)
    claims = [text for text in (*says, *item_says) if text]
    return Section(
        "saving",
        "Less human work",
        (*claims, CONDITION) if claims else (),
        (table, _estimates(study), _differences(study), *by_items),
        (*_figures(study, table), *item_figures),
    )


_COLUMNS = (
    Column("measure"),
    Column("judge"),
    Column("topics graded", "d"),
    Column("items graded", ",.0f"),
    Column("width with judge", ".4f"),
    Column("width without", ".4f"),
    Column("tau with judge", "z.2f"),
    Column("tau without", "z.2f"),
    Column("choices with tau from 0.9", ".0%"),
    Column("the same without", ".0%"),
)
ESTIMAND = (
    "Each 95 % interval is of the value that people's grades of all of this track's topics give; it does not "
    f"cover other topics. There is none below {FEWEST} graded topics, or if fewer than {INFORMATIVE} of them "
    "differ from the most frequent value, because a rare value may have been missed."
)


def _notes(study: Study) -> tuple[str, ...]:
    return (
        f"Means over {CHOICES} random choices of topics (seed {study.design.seed}) and all runs. Width: mean "
        f"width in {MEASURED} choices of the intervals of runs' means over all topics. With judge: people's "
        "grades of the chosen topics and the judge's of all (regression estimator). Without: people's "
        "grades alone. Tau: with the order by all of people's grades.",
        ESTIMAND,
    )


@dataclass(frozen=True)
class _Alone:
    """Cache of the estimates from people's grades alone, shared by all judges on the same topics."""

    values: Floats
    seed: int
    _known: dict[int, tuple[float | None, RankingStability]] = field(default_factory=dict)

    @property
    def full(self) -> Floats:
        """Mean of each run over all topics."""
        means: Floats = self.values.mean(axis=1)
        return means

    def chosen(self, n: int) -> Flags:
        """Choices of n topics, (choices, topics); a smaller choice is a subset of a larger one."""
        units = self.values.shape[1]
        return choices(draws(units, self.seed, n), n, units)

    def at(self, n: int) -> tuple[float | None, RankingStability]:
        """Mean width of the intervals, and the agreement of the order, over the choices of n topics."""
        if n not in self._known:
            chosen = self.chosen(n)
            means = plain_means(self.values[:, _places(chosen)], units=self.values.shape[1])
            self._known[n] = mean_width(means), agreement(self.full, plain_choices(self.values, chosen))
        return self._known[n]


def _curve(shared: Shared, alone: _Alone) -> Iterator[Point]:
    people, own = shared.values
    total = shared.topics.size
    for n in (*(size for size in SIZES if size < total), total):
        chosen = alone.chosen(n)
        places = _places(chosen)
        helped = powered_means(people[:, places], own[:, places], own.mean(axis=1)[:, None], units=total)
        order = agreement(alone.full, powered_choices(people, own, chosen))
        width, order_alone = alone.at(n)
        yield Point(n, mean_width(helped), width, order, order_alone)


def _items_a_topic(study: Study, shared: Shared) -> float:
    """Mean number of items that people graded in a topic, including items that the judge did not grade."""
    by_people = study.topic_of_pair[study.grades[PEOPLE] >= 0]
    return float(np.bincount(by_people, minlength=len(study.topics))[shared.topics].mean())


def _places(chosen: Flags) -> Ints:
    """Indices of the chosen topics in the first ``MEASURED`` choices, (choices, n)."""
    some = chosen[:MEASURED]
    return np.nonzero(some)[1].reshape(len(some), -1)


def _estimates(study: Study) -> Table:
    """Estimate of each run from the first twenty and forty topics of one random order."""
    columns = (
        Column("measure"),
        Column("judge"),
        Column("topics graded", "d"),
        Column("run"),
        Column("all topics", ".4f"),
        Column("estimate", ".4f", has_interval=True, estimand="people's mean over all these topics"),
    )
    rows: list[tuple[Cell, ...]] = []
    for measure, judge, n, shared, drawn in _drawn(study):
        people, own = shared.values
        found = powered_means(people[:, drawn], own[:, drawn], own.mean(axis=1), units=shared.topics.size)
        runs = zip(shared.runs.tolist(), people.mean(axis=1).tolist(), found.intervals(), strict=True)
        rows += [(measure, judge, n, study.tags[run], mean, Number.of(*each)) for run, mean, each in runs]
    caption = "Means estimated from the first topics of one random order."
    return Table("saving-estimates", caption, columns, tuple(rows), (ESTIMAND,))


def _differences(study: Study) -> Table:
    """Difference of each of the best runs and the next one, from the same topics as the estimates."""
    columns = (
        Column("measure"),
        Column("judge"),
        Column("topics graded", "d"),
        Column("run"),
        Column("next run"),
        Column("all topics", "+z.4f"),
        Column("estimate", "+z.4f", has_interval=True, estimand="people's mean over all these topics"),
    )
    rows: list[tuple[Cell, ...]] = []
    for measure, judge, n, shared, drawn in _drawn(study):
        pairs = list(neighbours(shared.values[0].mean(axis=1)))
        if not pairs:
            continue
        first, second = np.array(pairs).T
        people, own = shared.values[:, first] - shared.values[:, second]
        found = powered_means(people[:, drawn], own[:, drawn], own.mean(axis=1), units=shared.topics.size)
        tags = [[study.tags[shared.runs[place]] for place in pair] for pair in pairs]
        found_pairs = zip(tags, people.mean(axis=1).tolist(), found.intervals(), strict=True)
        rows += [(measure, judge, n, *names, mean, Number.of(*each)) for names, mean, each in found_pairs]
    caption = "Differences between neighbours in the order of the runs, estimated from the same topics."
    notes = (
        f"The first {PAIRS} pairs by the means over all topics. A topic's value is the difference of the two "
        "runs' values (paired). The intervals are not corrected for their number.",
        ESTIMAND,
    )
    return Table("saving-differences", caption, columns, tuple(rows), notes)


def _drawn(study: Study) -> Iterator[tuple[str, str, int, Shared, Ints]]:
    """Yield measure, judge, n, values, and the first n topics of one random order."""
    for at, measure in enumerate(study.measures):
        for judge in study.others:
            shared = study.own_values(at, PEOPLE, judge)
            order = np.random.default_rng(study.design.seed).permutation(shared.topics.size)
            for n in (size for size in SHOWN if size < shared.topics.size and shared.runs.size):
                yield measure, study.name(judge), n, shared, order[:n]


def _figures(study: Study, table: Table) -> Iterator[Figure]:
    for measure in study.measures:
        rows = table.where(measure=measure).rows
        points = width_lines([(str(row[1]), row[2], row[4], row[5]) for row in rows])
        if points:
            name = slug("saving", measure=measure)
            title = width_title(table.where(measure=measure), "topics graded", named_judges(study))
            desc = f"Width of the 95 % interval of a run's mean {measure}, by topics that people grade."
            axes = ("topics graded by people", "width")
            svg = lines_svg(
                lines(points, series=line_series(study)), name=name, title=title, desc=desc, axes=axes
            )
            yield Figure(name, title, desc, svg, "saving", measure)
