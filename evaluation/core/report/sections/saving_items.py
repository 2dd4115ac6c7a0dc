"""How few items need people: precision at 10 from all model grades and those of some drawn items."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.correlation import kendall_tau_b_of_rows
from evaluation.core.correlation_rows import in_blocks
from evaluation.core.figures.lines import lines
from evaluation.core.figures.svg import lines_svg
from evaluation.core.prediction_powered import LEAST, plain_means, powered_means
from evaluation.core.report.content import Column, Figure, Table
from evaluation.core.report.study import PEOPLE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from evaluation.core.arrays import Floats, Ints
    from evaluation.core.prediction_powered import EstimatedMeans
    from evaluation.core.report.content import Cell
    from evaluation.core.report.study import Study

CUT = 10
SIZES = (100, 200, 500, 1_000)
SHOWN = (200, 500)  # items of which the estimates of each run are told
CHOICES = 50  # of items to grade, drawn for each number of them
STEADY, SHARE = 0.9, 0.95  # the tau that counts as equivalent, and how many choices must reach it


@dataclass(frozen=True)
class Items:
    """What each shared item adds to each run's precision, [run, item], by people and by the judge."""

    people: Floats
    judge: Floats
    scale: float  # from a mean over items to precision at 10

    @property
    def count(self) -> int:
        """Items that both graded."""
        return int(self.people.shape[1])

    @cached_property
    def full(self) -> Floats:
        """Precision of each run from all of people's grades."""
        precision: Floats = self.people.mean(axis=1) * self.scale
        return precision

    def estimates(self, drawn: Ints) -> tuple[EstimatedMeans, EstimatedMeans]:
        """With the judge, and from people's grades of the drawn items alone; as means over items."""
        people = self.people[:, drawn]
        helped = powered_means(people, self.judge[:, drawn], self.judge.mean(axis=1), units=self.count)
        return helped, plain_means(people, units=self.count)


def items_of(study: Study, judge: int) -> Items | None:
    """The items that people and the judge graded; None where they are too few, or no run has any."""
    pairs = _in_order(study, study.shared_pairs(PEOPLE, judge))
    topics = np.unique(study.topic_of_pair[pairs]).size
    if pairs.size < LEAST or not study.runs:
        return None
    is_top = np.zeros((len(study.runs), study.topic_of_pair.size), dtype=np.bool_)
    for row, found in zip(is_top, study.retrieved, strict=True):
        row[found.pairs[found.ranks < CUT]] = True
    is_top = is_top[:, pairs]
    people, own = (study.grades[place][pairs] >= study.design.level for place in (PEOPLE, judge))
    scale = pairs.size / (CUT * topics)
    return Items((is_top & people).astype(np.float64), (is_top & own).astype(np.float64), scale)


def _in_order(study: Study, pairs: Ints) -> Ints:
    """By topic and docno: a study's own order hangs on hashes, and which items are drawn would with it."""
    topics = study.topic_of_pair.tolist()
    ordered = sorted(pairs.tolist(), key=lambda pair: (topics[pair], study.docnos[pair].encode()))
    return np.array(ordered, dtype=np.int64)


def saving_by_items(study: Study) -> tuple[Table, Table, tuple[Figure, ...], list[str]]:
    """The curve over the number of graded items, each run's estimates, a figure, and where one could stop."""
    rows: list[tuple[Cell, ...]] = []
    estimates: list[tuple[Cell, ...]] = []
    says = []
    for judge in study.others:
        items = items_of(study, judge)
        if items is not None:
            found = list(_curve(study, items))
            rows += [(study.name(judge), *row) for row in found]
            estimates += [(study.name(judge), *row) for row in _estimates(study, items)]
            says += _stop(study.name(judge), found, items.count)
    table = Table(
        "saving-by-items",
        _caption("People's grades needed, item by item"),
        _COLUMNS,
        tuple(rows),
        _notes(study),
    )
    columns = (
        Column("judge"),
        Column("items graded", ",d"),
        Column("run"),
        Column("all items", ".4f"),
        Column("estimate", ".4f"),
        Column("low", ".4f"),
        Column("high", ".4f"),
    )
    caption = _caption("Precision estimated from the first items of one random order")
    told = Table("saving-by-items-estimates", caption, columns, tuple(estimates))
    return table, told, tuple(_figures(table)), says


_COLUMNS = (
    Column("judge"),
    Column("items graded", ",d"),
    Column("width with judge", ".4f"),
    Column("width without", ".4f"),
    Column("tau with judge", "z.2f"),
    Column("tau without", "z.2f"),
    Column("choices with tau from 0.9", ".0%"),
)


def _caption(what: str) -> str:
    return f"{what}: P@{CUT} on the items that both graded."


def _notes(study: Study) -> tuple[str, ...]:
    return (
        f"Means over {CHOICES} random choices of items (seed {study.design.seed}) and all runs; what is not "
        f"graded counts as not relevant. Relevant from grade {study.design.level}. Most items are among the "
        f"first {CUT} of few runs and add nothing to the others, so few items can give too narrow intervals.",
    )


def _curve(study: Study, items: Items) -> Iterator[tuple[Cell, ...]]:
    rng = np.random.default_rng(study.design.seed)
    orders = [rng.permutation(items.count) for _ in range(CHOICES)]
    for n in (*(size for size in SIZES if size < items.count), items.count):
        # All items are drawn in one way only.
        drawn = [items.estimates(order[:n]) for order in (orders if n < items.count else orders[:1])]
        sides = list(zip(*drawn, strict=True))
        taus = [_taus(items.full, np.array([each.estimate for each in side])) for side in sides]
        widths = [float(np.mean([each.high - each.low for each in side])) * items.scale for side in sides]
        known = taus[0][~np.isnan(taus[0])]
        steady = float((known >= STEADY).mean()) if known.size else None
        yield (n, *widths, *(_mean(each) for each in taus), steady)


def _taus(full: Floats, estimates: Floats) -> Floats:
    return in_blocks(kendall_tau_b_of_rows, np.broadcast_to(full, estimates.shape), estimates)


def _mean(taus: Floats) -> float | None:
    known = taus[~np.isnan(taus)]
    return float(known.mean()) if known.size else None


def _estimates(study: Study, items: Items) -> Iterator[tuple[Cell, ...]]:
    order = np.random.default_rng(study.design.seed).permutation(items.count)
    for n in (size for size in SHOWN if size < items.count):
        helped, _ = items.estimates(order[:n])
        told = (items.full, *(each * items.scale for each in (helped.estimate, helped.low, helped.high)))
        for tag, numbers in zip(study.tags, np.array(told).T.tolist(), strict=True):
            yield (n, tag, *numbers)


def _stop(judge: str, rows: list[tuple[Cell, ...]], total: int) -> list[str]:
    enough = [row[0] for row in rows if isinstance(row[-1], float) and row[-1] >= SHARE]
    if not enough or enough[0] == total:
        return []
    return [
        f"P@{CUT}, {judge}: {enough[0]:,} of {total:,} items would do; {SHARE:.0%} of such choices order the "
        f"runs as all items do (tau from {STEADY})."
    ]


def _figures(table: Table) -> Iterator[Figure]:
    points = width_lines([(str(row[0]), row[1], row[2], row[3]) for row in table.rows])
    if points:
        title = "Width of the interval by items that people grade"
        desc = f"P@{CUT} of a run; 95 % intervals. The widths are in the table."
        axes = ("items graded by people", "width")
        svg = lines_svg(lines(points), name="saving-by-items", title=title, desc=desc, axes=axes)
        yield Figure("saving-by-items", title, desc, svg, "saving-by-items")


def width_lines(rows: Sequence[tuple[str, Cell, Cell, Cell]]) -> dict[str, list[tuple[float, float]]]:
    """Points of each judge's line, from rows of judge, number graded, width with the judge and without.

    People alone are drawn beside the judge with the most to grade. A judge with one point has no line.
    """
    helped: dict[str, list[tuple[float, float]]] = {}
    alone: dict[str, list[tuple[float, float]]] = {}
    for judge, n, width, without in rows:
        if isinstance(n, int) and isinstance(width, float) and isinstance(without, float):
            helped.setdefault(judge, []).append((n, width))
            alone.setdefault(judge, []).append((n, without))
    drawn = {judge: points for judge, points in helped.items() if len(points) > 1}
    if not drawn:
        return {}
    widest = max(drawn, key=lambda judge: drawn[judge][-1][0])
    return drawn | {"people alone": alone[widest]}
