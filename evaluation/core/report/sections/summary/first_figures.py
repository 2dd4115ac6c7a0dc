"""The three figures of the report's first page, of equal size: values of runs, their ranks, and favour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from evaluation.core.figures.axes import Frame
from evaluation.core.figures.bump import bump
from evaluation.core.figures.judges.excess import WIDTH, Excess, excesses, panel_height
from evaluation.core.figures.judges.scatter import ScatterRun, judge_scatter
from evaluation.core.figures.svg.charts import bump_svg
from evaluation.core.figures.svg.judge_charts import excess_svg, judge_scatter_svg
from evaluation.core.report.favour.favours import FOUND
from evaluation.core.report.favour.reversal import condition_of, verb_of
from evaluation.core.report.tables import Column, Conclusion, ConclusionCode, Figure, Number, slug
from evaluation.core.report.focus import classes_of, series_of, well_covered
from evaluation.core.report.rank_columns import rank_columns
from evaluation.core.report.study import PEOPLE
from evaluation.core.statistics.estimate import Reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from evaluation.core.report.tables import Cell, Table
    from evaluation.core.report.study import Study

TAU, POINTS = Column("tau", "z.2f"), Column("excess, points", "+z.1f")
RELATED = (ConclusionCode.SAME_ORDER, ConclusionCode.NEAR_ORDER, ConclusionCode.OTHER_ORDER)
SHORT = {
    ConclusionCode.FAVOURS: "favours",
    ConclusionCode.DISFAVOURS: "disfavours",
    ConclusionCode.FAVOURS_UNLESS_PEOPLE_ERR: "favours, unless people err",
    ConclusionCode.DISFAVOURS_UNLESS_PEOPLE_ERR: "disfavours, unless people err",
    ConclusionCode.NO_SIGN: "no sign",
    ConclusionCode.CANNOT_TELL: "cannot be told",
    ConclusionCode.UNDEFINED: "undefined",
}


def first_figures(study: Study, judges: Table) -> Iterator[Figure]:
    """Yield the figures of each measure and family; without families there is no favour."""
    height = panel_height(len(study.others))
    for at, measure in enumerate(study.measures):
        for family in study.families or [""]:
            records = list(judges.where(measure=measure, family=family).records())
            yield from _scatter(study, at, family, records, height)
            yield _ranks(study, at, family, height)
            if family:
                yield _favour(study, measure, family, records, height)


def judged_runs(study: Study, at: int, family: str) -> list[ScatterRun]:
    """Means of each run by people and by each judge, on the topics and items of both."""
    is_in = study.in_family(family) if family else np.zeros(len(study.runs), dtype=np.bool_)
    points = []
    for judge, series in zip(study.others, classes_of(study)[1:], strict=True):
        shared = study.shared_values(at, PEOPLE, judge)
        for run, across, up in zip(shared.runs, *shared.means(), strict=True):
            about = study.tags[run], study.name(judge), series, bool(is_in[run])
            points.append(ScatterRun(*about, float(across), float(up)))
    return points


def of_models(records: list[dict[str, Cell]]) -> list[dict[str, Cell]]:
    """The models' records, which headlines are about; all records if no judge is a model."""
    return [each for each in records if each["kind"] == "model"] or records


@dataclass(frozen=True)
class Nearest:
    """The nearest judges and their tau.

    ``is_highest`` is False if another judge has a higher tau, but on too few topics or not significant.
    """

    tau: float
    judges: tuple[str, ...]
    is_highest: bool

    @property
    def verb(self) -> str:
        """The verb after the names of the judges."""
        return "is" if len(self.judges) == 1 else "are"


def listed(names: Sequence[str]) -> str:
    """Join names: "a", "a and b", "a, b and c"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def nearest_judge(records: list[dict[str, Cell]]) -> Nearest | None:
    """The nearest judges of those whose order is significantly related to people's.

    Judges on ten topics or more come first.
    """
    known = [
        (number.value, TAU.text(number.value), number.missing is not Reason.TOO_FEW_TOPICS, each)
        for each in records
        if isinstance(number := each["tau"], Number) and number.value is not None
    ]
    related = [
        each
        for each in known
        if isinstance(verdict := each[3]["order"], Conclusion) and verdict.outcome in RELATED
    ]
    if not related:
        return None
    best, shown, is_covered, _ = max(related, key=lambda each: (each[2], each[0]))
    names = tuple(str(each["judge"]) for _, *own, each in related if own == [shown, is_covered])
    return Nearest(best, names, all(tau <= best or text == shown for tau, text, *_ in known))


def none_nearest(records: list[dict[str, Cell]]) -> str:
    """Say that no judge is near to people, and which order the runs in reverse."""
    turned = [
        str(each["judge"])
        for each in records
        if isinstance(verdict := each["order"], Conclusion)
        if verdict.outcome is ConclusionCode.REVERSED_ORDER
    ]
    if not turned:
        return "no judge's order of the runs can be distinguished from chance"
    verb = f"order{'s' * (len(turned) == 1)}"
    none = "no judge's order of the runs is significantly like people's"
    return f"{none}; {listed(turned)} {verb} them in reverse"


def order_title(study: Study, records: list[dict[str, Cell]]) -> str:
    """Name the nearest models and, of those with enough topics, the ones with the lowest tau."""
    records = of_models(records)
    covered = {study.name(place) for place in well_covered(study)}
    known = [
        (number.value, str(each["judge"]))
        for each in records
        if isinstance(number := each["tau"], Number) and number.value is not None
        if each["judge"] in covered
    ]
    if not known:
        return "No tau with people is defined"
    nearest, low = nearest_judge(records), min(known)[0]
    if len(known) == 1:
        return f"{known[0][1]} against people's order of the runs: tau {TAU.text(Number(low))}"
    if nearest is None:
        words = none_nearest(records)
        return words[0].upper() + words[1:]
    least, most, highest = (TAU.text(Number(each)) for each in (low, nearest.tau, max(known)[0]))
    if least == highest:
        who = "Both" if len(known) == 2 else f"All {len(known)}"
        return f"{who} judges are equally near to people's order of the runs: tau {least}"
    where = "" if nearest.is_highest else " where it can be told"
    first = f"{listed(nearest.judges)} {nearest.verb} nearest to people's order (tau {most}){where}"
    if low >= nearest.tau or least == most:
        return first
    farthest = [judge for tau, judge in known if TAU.text(Number(tau)) == least]
    return f"{first}, {listed(farthest)} farthest ({least})"


def _scatter(
    study: Study, at: int, family: str, records: list[dict[str, Cell]], height: float
) -> Iterator[Figure]:
    measure, points = study.measures[at], judged_runs(study, at, family)
    if not points:
        return
    name, title = _name("first-scatter", family, measure), order_title(study, records)
    frame = Frame(WIDTH, height, 34, WIDTH, 20, height - 44)
    svg = judge_scatter_svg(
        judge_scatter(points, frame=frame),
        name=name,
        title=title,
        desc=f"Mean {measure}: one mark per run and judge, one line per judge; the values are in the table.",
        axes=(f"people, mean {measure}", f"judge, mean {measure}"),
        focus=family,
    )
    filled = f" Filled: {family}; hollow: other." if family else ""
    caption = f"One mark per run, one fitted line per judge.{filled}"
    yield Figure(name, title, caption, svg, "means", measure, family=family)


def _ranks(study: Study, at: int, family: str, height: float) -> Figure:
    measure, columns = study.measures[at], rank_columns(study, at)
    focus = columns.focus(study, family)
    name, title = _name("first-ranks", family, measure), columns.title(study, family)
    svg = bump_svg(
        bump(columns.ranks, columns.series, focus, width=WIDTH, height=height),
        name=name,
        title=title,
        desc=f"Ranks of {len(columns.tags)} runs by mean {measure}; they are in the table of means.",
    )
    coloured = f" Triangles: {family}; rings: other." if family else ""
    return Figure(
        name, title, f"Rank of each run, 1 is best.{coloured}", svg, "means", measure, family=family
    )


def _favour(study: Study, measure: str, family: str, records: list[dict[str, Cell]], height: float) -> Figure:
    series = series_of(study)
    rows = [_excess(each, series[str(each["judge"])]) for each in records]
    name, title = slug("first-favour", family, measure=measure), favour_title(records, family)
    svg = excess_svg(
        excesses(rows, height=height),
        name=name,
        title=title,
        desc=f"Excess of each judge over run-blind judges, {measure}; the values are in the table.",
        axis=f"points of Relative Delta, {family} runs against the others",
    )
    parts = {
        "Excess, 95 % interval.": True,
        "Grey: run-blind judges.": any(row.blind for row in rows),
        "Tick: bare difference.": any(row.difference is not None for row in rows),
    }
    caption = " ".join(words for words, is_there in parts.items() if is_there)
    return Figure(name, title, caption, svg, "bias", measure, family=family)


def _name(kind: str, family: str, measure: str) -> str:
    return slug(kind, *([family] if family else []), measure=measure)


def _excess(record: dict[str, Cell], series: str) -> Excess:
    found, blind, verdict = record["excess, points"], record["run-blind judges"], record["favour"]
    difference = record["difference in Relative Delta"]
    value = found.value if isinstance(found, Number) else None
    text = POINTS.text(Number(value)) if value is not None else "undefined"
    interval = band = None
    if isinstance(found, Number) and found.low is not None and found.high is not None:
        interval = found.low, found.high
    elif value is not None:
        text += ", no interval"
    if isinstance(blind, Number) and None not in (blind.value, blind.low, blind.high):
        band = (blind.low or 0.0) - (blind.value or 0.0), (blind.high or 0.0) - (blind.value or 0.0)
    words = SHORT.get(verdict.outcome, "") if isinstance(verdict, Conclusion) else ""
    bare = difference.value if isinstance(difference, Number) else None
    return Excess(str(record["judge"]), series, words, value, text, interval, band, bare)


def favour_title(records: list[dict[str, Cell]], family: str) -> str:
    """Say which judge has the largest favour that was found, or that none was."""
    verdicts = [(each["favour"], each) for each in records if isinstance(each["favour"], Conclusion)]
    found = [
        (abs(number.value), str(each["judge"]), verdict.outcome, number)
        for verdict, each in verdicts
        if isinstance(verdict, Conclusion) and verdict.outcome in FOUND
        if isinstance(number := each["excess, points"], Number) and number.value is not None
    ]
    if found:
        _, name, outcome, number = max(found, key=lambda each: each[:2])
        shown = POINTS.text(Number(number.value))
        most = "" if len(found) == 1 else " most"
        claim = f"{name} {verb_of(outcome)}s {family} runs{most}{condition_of(outcome)}"
        return f"{claim}: {shown} points beyond run-blind judges"
    outcomes = {verdict.outcome for verdict, _ in verdicts if isinstance(verdict, Conclusion)}
    if ConclusionCode.NO_SIGN not in outcomes:
        return f"Whether a judge favours {family} runs cannot be told"
    rest = outcomes - {ConclusionCode.NO_SIGN}
    return f"No judge shows a sign of favouring {family} runs" + (" where it can be told" if rest else "")
