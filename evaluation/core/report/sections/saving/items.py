"""How few items need people? Precision at 10 from all model grades and people's grades of drawn items."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np

from evaluation.core.figures.lines import lines
from evaluation.core.figures.svg.charts import lines_svg
from evaluation.core.report.figure_titles import width_title
from evaluation.core.report.tables import Column, Figure, Number, Table
from evaluation.core.report.focus import named_judges
from evaluation.core.report.sections.saving.curves import (
    CHOICES,
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
from evaluation.core.report.study import PEOPLE
from evaluation.core.statistics.saving.post_stratified import FEWEST, post_stratified_totals
from evaluation.core.statistics.saving.prediction_powered import LEAST

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scipy.sparse import csr_array

    from evaluation.core.arrays import Flags, Floats, Ints
    from evaluation.core.report.tables import Cell
    from evaluation.core.report.study import Study
    from evaluation.core.statistics.saving.prediction_powered import EstimatedMeans

CUT = 10
SIZES = (100, 200, 500, 1_000, 2_000)
SHOWN = (200, 500)  # numbers of items for which the table lists estimates of each run


@dataclass(frozen=True)
class Items:
    """The items that people and the judge graded and that some run has among its first ten.

    ``is_top`` [run, item] flags the items in each run's first ten, ``people`` and ``judge`` relevant ones.
    ``scale`` converts a number of relevant items to precision.
    """

    is_top: Flags
    people: Flags
    judge: Flags
    scale: float

    @property
    def count(self) -> int:
        """Number of items to choose from."""
        return self.people.size

    @cached_property
    def full(self) -> Floats:
        """Precision of each run from all of people's grades."""
        precision: Floats = (self.is_top & self.people).sum(axis=1) * self.scale
        return precision

    def estimates(self, chosen: Flags) -> tuple[EstimatedMeans, EstimatedMeans]:
        """Precisions (runs, choices) from people's grades of the chosen items (choices, items).

        Returns the estimates with the judge's grades of all items, then those without.
        """
        kinds = np.array([self.judge, ~self.judge])
        drawn = self._drawn(chosen)
        counts = _counts([self.is_top & kind for kind in kinds], drawn)
        helped = post_stratified_totals(*counts, shares=_shares(kinds, drawn))
        everything = np.ones((1, self.count), dtype=np.bool_)
        together = [each.sum(axis=0, keepdims=True) for each in counts]
        alone = post_stratified_totals(*together, shares=_shares(everything, drawn))
        return helped.scaled(self.scale), alone.scaled(self.scale)

    def differences(self, pairs: Ints, chosen: Flags) -> EstimatedMeans:
        """Precision of the first run of each pair minus the second's; items that both have cancel out."""
        first, second = self.is_top[pairs.T]
        sides = (first & ~second, first & ~second, second & ~first, second & ~first)
        kinds = np.array([self.judge, ~self.judge] * 2)
        drawn = self._drawn(chosen)
        counts = _counts([side & kind for side, kind in zip(sides, kinds, strict=True)], drawn)
        signs = np.array([1.0, 1.0, -1.0, -1.0])
        found = post_stratified_totals(*counts, shares=_shares(kinds, drawn), signs=signs)
        return found.scaled(self.scale)

    def _drawn(self, chosen: Flags) -> csr_array:
        """The chosen items and the relevant ones of these, sparse: [item, choice], then [item, choice]."""
        from scipy.sparse import csr_array

        return csr_array(np.concatenate([chosen, chosen & self.people]).T, dtype=np.int32)


def _counts(strata: Sequence[Flags], drawn: csr_array) -> tuple[Floats, Floats, Floats]:
    """Counts of all items in strata [stratum, run, item], of the chosen, and of the chosen relevant."""
    sizes = np.array([each.sum(axis=1) for each in strata], dtype=np.float64)[..., None]
    in_common = np.array([_in_common(each, drawn) for each in strata], dtype=np.float64)
    chosen, relevant = np.split(in_common, 2, axis=-1)
    return np.broadcast_to(sizes, chosen.shape), chosen, relevant


def _shares(kinds: Flags, drawn: csr_array) -> Floats:
    """Relevant share of each kind [kind, item] among all chosen items, [kind, 1, choice].

    Adds half a relevant item and one item, for kinds without drawn items.
    """
    chosen, relevant = np.split(_in_common(kinds, drawn).astype(np.float32), 2, axis=-1)
    shares: Floats = ((relevant + 0.5) / (chosen + 1)).astype(np.float64)[:, None]
    return shares


def _in_common(sets: Flags, drawn: csr_array) -> Ints:
    """Count the items that each of the sets [set, item] has in common with each column of ``drawn``.

    A run has few of the items among its first ten: a matrix of all takes 400 MB for a report of 500 runs.
    """
    from scipy.sparse import csr_array

    return cast("csr_array", csr_array(sets, dtype=np.int32) @ drawn).toarray()


def items_of(study: Study, judge: int) -> Items | None:
    """The top items that people and the judge graded; None if there are fewer than ``LEAST``."""
    pairs = _in_order(study, study.shared_pairs(PEOPLE, judge))
    topics = np.unique(study.topic_of_pair[pairs]).size
    is_top = np.zeros((len(study.runs), study.topic_of_pair.size), dtype=np.bool_)
    for row, found in zip(is_top, study.retrieved, strict=True):
        row[found.pairs[found.ranks < CUT]] = True
    pairs = pairs[is_top[:, pairs].any(axis=0)]
    if pairs.size < LEAST:
        return None
    people, own = (study.grades[place][pairs] >= study.design.level for place in (PEOPLE, judge))
    return Items(is_top[:, pairs], people, own, 1 / (CUT * topics))


def _in_order(study: Study, pairs: Ints) -> Ints:
    """Sort by topic and docno, because the study's own order depends on hashes and would change the draws."""
    topics = study.topic_of_pair.tolist()
    ordered = sorted(pairs.tolist(), key=lambda pair: (topics[pair], study.docnos[pair].encode()))
    return np.array(ordered, dtype=np.int64)


def saving_by_items(study: Study) -> tuple[tuple[Table, ...], tuple[Figure, ...], list[str]]:
    """The curve by the number of graded items, estimates of runs and differences, a figure, and claims."""
    rows: list[tuple[Cell, ...]] = []
    estimates: list[tuple[Cell, ...]] = []
    differences: list[tuple[Cell, ...]] = []
    says = []
    for judge in study.others:
        items, name = items_of(study, judge), study.name(judge)
        if items is not None:
            points = list(_curve(items, study.design.seed))
            rows += [(name, each.number, *each.cells) for each in points]
            says.append(claim(f"P@{CUT}, {name}", "items", points))
            for n, chosen in _shown(items, study.design.seed):
                estimates += [(name, n, *row) for row in _estimates(study, items, chosen)]
                differences += [(name, n, *row) for row in _differences(study, items, chosen)]
    tables = (
        _table("saving-by-items", "People's grades needed, item by item", _CURVE, rows, _notes(study)),
        _table(
            "saving-by-items-estimates",
            "Precision estimated from the first items of one random order",
            _ESTIMATES,
            estimates,
            (ESTIMAND,),
        ),
        _table(
            "saving-by-items-differences",
            "Differences between neighbours in the order of the runs, estimated from the same items",
            _DIFFERENCES,
            differences,
            (_PAIRED, ESTIMAND),
        ),
    )
    return tables, tuple(_figures(study, tables[0])), says


_CURVE = (
    Column("judge"),
    Column("items graded", ",d"),
    Column("width with judge", ".4f"),
    Column("width without", ".4f"),
    Column("tau with judge", "z.2f"),
    Column("tau without", "z.2f"),
    Column("choices with tau from 0.9", ".0%"),
    Column("the same without", ".0%"),
)
_ESTIMATES = (
    Column("judge"),
    Column("items graded", ",d"),
    Column("run"),
    Column("all items", ".4f"),
    Column("estimate", ".4f", has_interval=True, estimand="people's precision by all these items"),
)
_DIFFERENCES = (
    Column("judge"),
    Column("items graded", ",d"),
    Column("run"),
    Column("next run"),
    Column("all items", "+z.4f"),
    Column("estimate", "+z.4f", has_interval=True, estimand="people's precision by all these items"),
)
ESTIMAND = (
    "Each 95 % interval is of the value that people's grades of all these items give; it does not cover "
    f"other topics. A run with fewer than {FEWEST} of the drawn items among its first {CUT} has none."
)
_PAIRED = (
    f"The first {PAIRS} pairs by the precision from all items. Items that both runs have among their first "
    f"{CUT} cancel out; an interval needs {FEWEST} drawn ones of the others. The intervals are not "
    "corrected for their number."
)


def _notes(study: Study) -> tuple[str, ...]:
    return (
        f"Means over {CHOICES} random choices of items (seed {study.design.seed}) and all runs. The items "
        f"are those that some run has among its first {CUT}: no other adds to P@{CUT}. What is not graded "
        f"counts as not relevant. Relevant from grade {study.design.level}.",
        f"A run's items among the first {CUT} are split by the judge's grade (relevant or not). Each part's "
        "relevant share has Wilson's interval for a finite set. The parts' intervals are combined after Zou "
        "and Donner (2008).",
        ESTIMAND,
    )


def _table(
    name: str, what: str, columns: tuple[Column, ...], rows: list[tuple[Cell, ...]], notes: tuple[str, ...]
) -> Table:
    caption = f"{what}: P@{CUT} on the items that both graded."
    return Table(name, caption, columns, tuple(rows), notes)


def _curve(items: Items, seed: int) -> Iterator[Point]:
    drawn = draws(items.count, seed, min(SIZES[-1], items.count))
    for n in (*(size for size in SIZES if size < items.count), items.count):
        chosen = choices(drawn, n, items.count)
        helped, alone = items.estimates(chosen)
        orders = [agreement(items.full, each.estimate.T) for each in (helped, alone)]
        yield Point(n, mean_width(helped), mean_width(alone), *orders)


def _shown(items: Items, seed: int) -> Iterator[tuple[int, Flags]]:
    """Yield the first choice of each size, (1, items)."""
    drawn = draws(items.count, seed, min(SHOWN[-1], items.count))[:1]
    for n in (size for size in SHOWN if size < items.count):
        yield n, choices(drawn, n, items.count)


def _estimates(study: Study, items: Items, chosen: Flags) -> Iterator[tuple[Cell, ...]]:
    found = items.estimates(chosen)[0].of_choice(0)
    for tag, full, each in zip(study.tags, items.full.tolist(), found.intervals(), strict=True):
        yield tag, full, Number.of(*each)


def _differences(study: Study, items: Items, chosen: Flags) -> Iterator[tuple[Cell, ...]]:
    pairs = np.array(list(neighbours(items.full)), dtype=np.int64).reshape(-1, 2)
    found = items.differences(pairs, chosen).of_choice(0)
    for (first, second), each in zip(pairs.tolist(), found.intervals(), strict=True):
        full = float(items.full[first] - items.full[second])
        yield study.tags[first], study.tags[second], full, Number.of(*each)


def _figures(study: Study, table: Table) -> Iterator[Figure]:
    points = width_lines([(str(row[0]), row[1], row[2], row[3]) for row in table.rows])
    if points:
        title = width_title(table, "items graded", named_judges(study))
        desc = f"Width of the 95 % interval of a run's P@{CUT}, by items that people grade."
        axes = ("items graded by people", "width")
        svg = lines_svg(
            lines(points, series=line_series(study)),
            name="saving-by-items",
            title=title,
            desc=desc,
            axes=axes,
        )
        yield Figure("saving-by-items", title, desc, svg, "saving-by-items")
