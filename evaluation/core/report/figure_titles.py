"""Titles of figures, each a finding from the figure's table.

A title names a run or judge with an extreme value, and stays true if others have the same value. If the table
lacks the values, the title only names what the figure shows. `among` are the judges that titles may name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.core.report.tables import Column, Number, Table

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from evaluation.core.report.tables import Cell

TableRecord = dict[str, "Cell"]


def precision_title(points: Table) -> str:
    """Name the run that no other beats at the most levels of recall; ``points`` has a column per level."""
    levels = [column.name for column in points.columns[1:]]
    records = [each for each in points.records() if all(isinstance(each[level], float) for level in levels)]
    if not records:
        return "Precision by recall"
    highest = {level: max(value_of(each[level]) for each in records) for level in levels}
    counts = [(sum(each[level] == highest[level] for level in levels), each) for each in records]
    count, best = max(counts, key=lambda each: each[0])
    return f"No run has a higher precision than {best['run']} at {count} of {len(levels)} levels of recall"


def unjudged_title(judged: Table, share: str, top: int) -> str:
    """Name the run with the largest share of unjudged results; ``share`` is its column."""
    known = [each for each in judged.records() if isinstance(each[share], float)]
    if not known:
        return "Unjudged results against the value"
    most = max(known, key=lambda each: value_of(each[share]))
    if value_of(most[share]) == 0:
        return f"Every result among the first {top} is judged"
    return (
        f"No run has more unjudged results among its first {top} than {most['run']}: {percent(most[share])}"
    )


def depths_title(depths: Table) -> str:
    """Tau of the shallowest pool, by the first measure."""
    first = next((each for each in depths.records() if is_known(each["tau with all"])), None)
    if first is None:
        return "Tau with all judgments by pool depth"
    tau = cell_text(depths, first, "tau with all")
    return f"A pool of depth {first['depth']} gives a tau of {tau} with all judgments, by {first['measure']}"


def width_title(saving: Table, units: str, among: Collection[str]) -> str:
    """Name the judge that narrows the interval most, and the number graded; ``units`` is its column."""
    pairs = "width with judge", "width without"
    known = [
        each
        for each in saving.records()
        if each["judge"] in among and all(isinstance(each[name], float) for name in pairs)
    ]
    gains = [(value_of(each[pairs[1]]) - value_of(each[pairs[0]]), each) for each in known]
    if not gains:
        return f"Width of the interval by {units}"
    gain, best = max(gains, key=lambda each: each[0])
    if gain <= 0:
        return "No judge narrows the interval of people's grades"
    narrow, wide = (cell_text(saving, best, name) for name in pairs)
    number = cell_text(saving, best, units)
    return f"With {number} {units}, {best['judge']} narrows the interval from {wide} to {narrow}"


def within_topics_title(taus: Table, measure: str, among: Collection[str]) -> str:
    """Name the judge with the highest median tau over the topics."""
    best = highest(
        [each for each in taus.where(measure=measure).records() if each["judge"] in among], "median"
    )
    if best is None:
        return f"tau with people within each topic, {measure}"
    median = cell_text(taus, best, "median")
    return f"Within topics no judge is nearer to people than {best['judge']}: median tau {median}"


def scores_title(distributions: Table, people: str, among: Collection[str]) -> str:
    """Name the judge whose median is the highest, beside people's."""
    records = {str(each["qrels"]): each for each in distributions.records()}
    own = records.pop(people, {})
    name = "median, scaled"
    best = highest([each for judge, each in records.items() if judge in among], name)
    if best is None or own.get(name) is None:
        return "Scores of people and of every judge, scaled to 0 to 1"
    most, least = (cell_text(distributions, each, name) for each in (best, own))
    return f"The median score of {best['qrels']} is at {most} of its range, that of people at {least}"


def lifted_title(confusion: Table, scale: Sequence[int], among: Collection[str]) -> str:
    """Name the judge that gives the highest grade most often where people give the lowest."""
    name = f"judge {scale[-1]}, of row"
    rows = [each for each in confusion.records() if each["people"] == scale[0] and each["judge"] in among]
    best = highest(rows, name)
    if best is None:
        return "Grades of each judge for the items of each of people's grades"
    share = percent(best[name])
    return f"{best['judge']} gives grade {scale[-1]} to {share} of the items that people graded {scale[0]}"


def difference_title(differences: Table, measure: str, judge: str) -> str:
    """Mean difference between the runs' means under a judge and under people."""
    column, record = "mean difference", differences.record(measure=measure, judge=judge) or {}
    found = record.get(column)
    if not is_known(found):
        return f"{judge} minus people, run by run"
    size = f"{abs(value_of(found)):.4f}"
    if not float(size):
        return f"On average {judge} puts {measure} of a run {size} from people"
    side = "above" if value_of(found) > 0 else "below"
    return f"On average {judge} puts {measure} of a run {size} {side} people"


def alike_title(orders: Table, measure: str, among: Collection[str]) -> str:
    """Name the two sets of qrels with the highest tau."""
    rows = [
        each for each in orders.where(measure=measure).records() if {each["one"], each["other"]} <= {*among}
    ]
    best = highest(rows, "tau")
    if best is None:
        return f"Agreement of every two sets of qrels, {measure}"
    tau = cell_text(orders, best, "tau")
    return f"No two order the runs more alike by {measure} than {best['one']} and {best['other']}: tau {tau}"


def power_title(power: Table, measure: str, test: str, people: str, among: Collection[str]) -> str:
    """Share of the pairs of runs that people distinguish, and the largest share of any judge."""
    rows = list(power.where(measure=measure, test=test).records())
    own = next((each for each in rows if each["qrels"] == people), {})
    best = highest([each for each in rows if each["qrels"] in among], "discriminative power")
    if own.get("discriminative power") is None:
        return "Achieved significance levels"
    title = f"By {measure} people distinguish {percent(own['discriminative power'])} of the pairs of runs"
    return title if best is None else f"{title}, {best['qrels']} {percent(best['discriminative power'])}"


def by_grade_title(scores: Table, judge: str, scale: Sequence[int]) -> str:
    """Median raw scores of the items of the lowest and the highest of people's grades."""
    known = {each["people"]: each for each in scores.where(judge=judge).records() if is_known(each["median"])}
    if scale[0] not in known or scale[-1] not in known:
        return f"Raw scores of {judge} by people's grade"
    low, high = (cell_text(scores, known[grade], "median") for grade in (scale[0], scale[-1]))
    return (
        f"Median score of {judge}: {low} where people grade {scale[0]}, {high} where they grade {scale[-1]}"
    )


def fullest_title(bins: Table, judge: str) -> str:
    """The bin of a judge's raw scores with the most items."""
    rows = list(bins.where(judge=judge).records())
    best = highest(rows, "items")
    if best is None:
        return f"Raw scores of {judge}"
    total = sum(value_of(each["items"]) for each in rows)
    start, end = (cell_text(bins, best, name) for name in ("from", "to"))
    return f"{judge} scores {cell_text(bins, best, 'items')} of {total:,.0f} items from {start} to {end}"


def ranking_title(areas: Table, level: int, among: Collection[str]) -> str:
    """Name the judge whose raw scores rank the relevant items best."""
    best = highest(
        [each for each in areas.records() if each["relevant from"] == level and each["judge"] in among],
        "ROC area",
    )
    if best is None:
        return "ROC of the raw scores"
    area = Column("area", ".3f").text(value_of(best["ROC area"]))
    return f"No judge ranks relevant items better than {best['judge']}: ROC area {area}"


def highest(records: Sequence[TableRecord], name: str) -> TableRecord | None:
    """The first record with the highest value of the column; None if none has one."""
    known = [each for each in records if is_known(each[name])]
    return max(known, key=lambda each: value_of(each[name]), default=None)


def is_known(cell: Cell) -> bool:
    """Whether the cell has a value."""
    return isinstance(cell, int | float) or (isinstance(cell, Number) and cell.value is not None)


def value_of(cell: Cell) -> float:
    """The value of a cell. Raises TypeError for a cell without one."""
    value = cell.value if isinstance(cell, Number) else cell
    if not isinstance(value, int | float):
        raise TypeError(f"a cell without a number: {cell!r}")
    return float(value)


def cell_text(table: Table, record: TableRecord, name: str) -> str:
    """Format a number of the record as the table does, without its interval."""
    column = next(each for each in table.columns if each.name == name)
    return column.text(int(value_of(record[name])) if "d" in column.form else value_of(record[name]))


def percent(cell: Cell) -> str:
    """Format a share in whole per cent."""
    return Column("share", ".0%").text(value_of(cell))
