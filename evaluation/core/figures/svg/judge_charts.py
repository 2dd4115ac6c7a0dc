"""Charts that compare people and judges, as SVG text with the conventions of ``svg``."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from evaluation.core.figures.axes import number
from evaluation.core.figures.judges.heat import CELL
from evaluation.core.figures.judges.stacks import BAR
from evaluation.core.figures.judges.strips import BOX
from evaluation.core.figures.series import mark_kind, mark_place
from evaluation.core.figures.svg.charts import PANEL
from evaluation.core.figures.svg.elements import (
    chart_svg,
    draw_axis_names,
    draw_grid,
    draw_labels,
    draw_path,
    draw_series_mark,
    draw_text,
)
from evaluation.core.figures.text_width import fitted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from evaluation.core.figures.axes import Frame
    from evaluation.core.figures.distribution import Distribution
    from evaluation.core.figures.judges.bland_altman import BlandAltman
    from evaluation.core.figures.judges.excess import Excesses, ExcessRow
    from evaluation.core.figures.judges.heat import Heat
    from evaluation.core.figures.judges.scatter import JudgeScatter
    from evaluation.core.figures.judges.stacks import Stacks
    from evaluation.core.figures.judges.strips import Strips
    from evaluation.core.figures.svg.elements import Key


def judge_scatter_svg(
    chart: JudgeScatter, *, name: str, title: str, desc: str, axes: tuple[str, str], focus: str
) -> str:
    """The mark's shape and colour show the judge; it is filled for runs of the family in focus."""
    line = chart.identity
    parts = [*draw_grid(chart.frame, chart.x_ticks, chart.y_ticks, is_crossed=True)]
    parts.append(draw_path("id", f"M{line.x1} {line.y1}L{line.x2} {line.y2}"))
    parts.append(draw_text(line.x2, line.y2 + 14, "equal", "e t2 h"))
    for fit in chart.fits:
        path = f"M{number(fit.line.x1)} {number(fit.line.y1)}L{number(fit.line.x2)} {number(fit.line.y2)}"
        parts.append(f"<g><title>{escape(fit.judge)}</title>{draw_path(f'{fit.series} sl', path)}</g>")
    for mark in chart.marks:
        run = mark.run
        hover = f"{run.tag}: people {run.across:.4f}, {run.judge} {run.up:.4f}"
        kind = f"{run.series} {'sf' if run.is_in_focus or not focus else 'sh'}"
        parts.append(f"<g><title>{escape(hover)}</title>{draw_path(kind, mark.path)}</g>")
    parts += [*draw_labels(chart.labels, chart.frame), *draw_axis_names(chart.frame, *axes)]
    return chart_svg(chart.frame, parts, name, title, desc, (), " wide" if chart.frame.width > PANEL else "")


def excess_svg(chart: Excesses, *, name: str, title: str, desc: str, axis: str) -> str:
    """A row per judge: name and verdict above; run-blind range, interval, bare difference and mark below."""
    frame, parts = chart.frame, []
    for tick in chart.x_ticks:
        parts.append(draw_path("grd", f"M{tick.at} {frame.top}V{frame.bottom}"))
        parts.append(draw_text(tick.at, frame.bottom + 14, tick.text, "m t2"))
    parts.append(draw_path("zero", f"M{chart.zero} {frame.top}V{frame.bottom}"))
    for row in chart.rows:
        hover = f"<title>{escape(row.excess.name)}</title>"
        parts.append(f"<g>{hover}{''.join(_excess_row(row, frame))}</g>")
    parts.append(draw_text(frame.width / 2, frame.bottom + 32, fitted(axis, frame.width), "m"))
    return chart_svg(frame, parts, name, title, desc, ())


def _excess_row(row: ExcessRow, frame: Frame) -> Iterator[str]:
    series, y = row.excess.series, row.y
    if row.band:
        low, high = row.band
        yield draw_path("band", f"M{number(low)} {number(y - 6)}H{number(high)}v12H{number(low)}z")
    yield draw_text(0, row.name_y, row.name, "b h")
    yield draw_text(frame.width, row.name_y, row.verdict, "e t2 h")
    if row.interval:
        yield draw_path(f"{series} si", f"M{number(row.interval[0])} {number(y)}H{number(row.interval[1])}")
    if row.tick is not None:
        yield draw_path("bare", f"M{number(row.tick)} {number(y - 6)}v12")
    # A hollow mark has no interval.
    yield draw_path(mark_kind(series, is_filled=row.interval is not None), row.mark)
    yield draw_text(row.text_x, y + 4, row.excess.text, "b h")


def cumulative_svg(
    chart: Distribution, series: Mapping[str, str], *, name: str, title: str, desc: str, axis: str
) -> str:
    """One cumulative line per series, styled by its class."""
    parts = [*draw_grid(chart.frame, chart.x_ticks, chart.y_ticks)]
    for curve in chart.curves:
        hover = f"<title>{escape(curve.name)}</title>"
        parts.append(f"<g>{hover}{draw_path(f'{series[curve.name]} sl', curve.path)}</g>")
    parts.append(draw_text((chart.frame.left + chart.frame.right) / 2, chart.frame.height - 4, axis, "m"))
    key = [(series[curve.name], curve.name) for curve in chart.curves]
    return chart_svg(chart.frame, parts, name, title, desc, key)


def bland_altman_svg(
    chart: BlandAltman, series: str, *, name: str, title: str, desc: str, axes: tuple[str, str], focus: str
) -> str:
    """Marks of the runs in the judge's series, and named dashed lines of mean difference and limits."""
    frame = chart.frame
    parts = [*draw_grid(frame, chart.x_ticks, chart.y_ticks)]
    parts.append(draw_path("ax", f"M{frame.left} {chart.zero}H{frame.right}"))
    for level in chart.levels:
        parts.append(draw_path("id", f"M{frame.left} {level.at}H{frame.right}"))
        parts.append(draw_text(frame.right, level.at - 4, level.text, "e t2 h"))
    for mark in chart.marks:
        hover = f"{mark.tag}: average {mark.average:.4f}, difference {mark.difference:+.4f}".replace("-", "−")
        kind = f"{series} {'sf' if mark.is_in_focus or not focus else 'sh'}"
        parts.append(f"<g><title>{escape(hover)}</title>{draw_path(kind, mark.path)}</g>")
    key = focus_key(series, focus, (mark.is_in_focus for mark in chart.marks))
    return chart_svg(frame, [*parts, *draw_axis_names(frame, *axes)], name, title, desc, key)


def focus_key(series: str, focus: str, are_in_focus: Iterable[bool]) -> Key:
    """The key of one judge's runs: filled in the family in focus, else hollow; only what is drawn."""
    if not focus:
        return []
    place, found = mark_place(series), set(are_in_focus)
    names = {True: (f"{series} sf:{place}", focus), False: (f"{series} sh:{place}", "other runs")}
    return [names[is_in] for is_in in (True, False) if is_in in found]


def heat_svg(chart: Heat, *, name: str, title: str, desc: str) -> str:
    """Shaded cells with their numbers; the diagonal is empty. Each name has the mark of its series."""
    parts = [draw_series_mark(kind, x, chart.frame.top - 12) for x, kind in chart.columns]
    for y, kind, text in chart.names:
        parts.append(draw_series_mark(kind, 10, y))
        parts.append(draw_text(22, y + 4, fitted(text, chart.frame.left - 26), ""))
    for cell in chart.cells:
        place = f'x="{number(cell.x)}" y="{number(cell.y)}" width="{CELL}" height="{CELL}"'
        shown = "–" if cell.value is None else f"{cell.value:z.2f}".replace("-", "−")
        box = f'<rect class="shade" fill-opacity="{cell.opacity}" {place}/>'
        text = draw_text(cell.x + CELL / 2, cell.y + CELL / 2 + 4, shown, "m")
        parts.append(f"<g><title>{escape(f'{cell.title}: {shown}')}</title>{box}{text}</g>")
    return chart_svg(chart.frame, parts, name, title, desc, ())


def strips_svg(chart: Strips, *, name: str, title: str, desc: str, axis: str) -> str:
    """One stroke per value, the middle half as a box, the median as the series' mark."""
    frame = chart.frame
    parts = []
    for tick in chart.x_ticks:
        parts.append(draw_path("grd", f"M{tick.at} {frame.top}V{frame.bottom}"))
        parts.append(draw_text(tick.at, frame.bottom + 16, tick.text, "m t2"))
    parts.append(draw_path("ax", f"M{chart.zero} {frame.top}V{frame.bottom}"))
    for row in chart.rows:
        parts.append(draw_text(frame.left - 8, row.y + 4, fitted(row.name, frame.left - 8), "e"))
        parts.append(draw_path(f"{row.series} ss", row.strokes))
        if row.box is not None and row.median is not None:
            low, high = row.box
            box = f"M{number(low)} {number(row.y - BOX / 2)}H{number(high)}v{BOX}H{number(low)}z"
            parts.append(draw_path(f"{row.series} sl", box))
            parts.append(draw_series_mark(row.series, row.median, row.y))
    parts.append(draw_text((frame.left + frame.right) / 2, frame.bottom + 34, axis, "m"))
    return chart_svg(frame, parts, name, title, desc, (), " wide")


def stacks_svg(chart: Stacks, *, name: str, title: str, desc: str, axis: str) -> str:
    """Bars of shaded parts, the lightest for the lowest grade; shares on hover."""
    frame = chart.frame
    parts = []
    for tick in chart.x_ticks:
        parts.append(draw_path("grd", f"M{tick.at} {frame.top}V{frame.bottom}"))
        parts.append(draw_text(tick.at, frame.bottom + 16, tick.text, "m t2"))
    for bar in chart.bars:
        parts.append(draw_text(frame.left - 8, bar.y + BAR - 4, fitted(bar.name, frame.left - 26), "e"))
        parts.append(draw_series_mark(bar.series, 8, bar.y + BAR / 2))
        for part in bar.parts:
            place = f'x="{number(part.x)}" y="{number(bar.y)}" width="{part.width}" height="{BAR}"'
            hover = f"{bar.name}: grade {part.grade}, {100 * part.share:.0f} %"
            opacity = "" if part.opacity == 1 else f' fill-opacity="{part.opacity}"'
            box = f'<rect class="{part.shade}"{opacity} {place}/>'
            parts.append(f"<g><title>{escape(hover)}</title>{box}</g>")
    parts.append(draw_text((frame.left + frame.right) / 2, frame.bottom + 34, axis, "m"))
    return chart_svg(frame, parts, name, title, desc, (), " wide")
