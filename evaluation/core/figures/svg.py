"""The charts as SVG text: classes of the site's style sheet, no style attributes, title and desc for readers.

Page, command and bundle draw by these; ``standalone`` adds the few rules that a file of its own needs.
"""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

from evaluation.core.figures.axes import Frame, number
from evaluation.core.figures.marks import mark_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from evaluation.core.figures.axes import Tick
    from evaluation.core.figures.bump import Bump
    from evaluation.core.figures.distribution import Distribution
    from evaluation.core.figures.grid import Grid
    from evaluation.core.figures.histogram import Histogram
    from evaluation.core.figures.lines import Lines
    from evaluation.core.figures.scatter import Scatter

    Key = Sequence[tuple[str, str]]  # class such as f2 (mark) or l2 (line), and its text

LINE_CLASSES = ("l1", "l2", "l3", "l4")
KEY_ROW = 18
LETTER = 8.0  # width of a letter of the key at 12 px, on the safe side

_RULES = (
    "text{font-family:Helvetica,Arial,sans-serif;font-size:12px;fill:#1a2027}.t2{fill:#4c5661}"
    ".m{text-anchor:middle}"
    ".e{text-anchor:end}.b{font-weight:650}.grd,.ax,.id,.ln{fill:none;stroke:#dce1e6}.ax{stroke:#7d8893}"
    ".id{stroke:#4c5661;stroke-dasharray:4 4}.ln{stroke-width:2;stroke:#7d8893}.l1{stroke:#0072b2}"
    ".l2{stroke:#d55e00}.l3{stroke:#00835f;stroke-dasharray:7 3}.l4{stroke:#a3487f;stroke-dasharray:2 3}"
    ".f1{fill:#0072b2}.f2{fill:#d55e00}.f3{fill:#00835f}.f4{fill:#a3487f}.mk{stroke:#fff;stroke-width:1.5}"
    ".k0{stroke:#4c5661;stroke-dasharray:2 3}.k1{stroke:#4a8fc4;stroke-dasharray:8 3}.k2{stroke:#0b4f86}"
)


def standalone(svg: str) -> str:
    """The drawing as a file: with its rules, on white, as wide as it was drawn."""
    head, _, rest = svg.partition(">")
    width, height = head.split('viewBox="0 0 ')[1].split('"')[0].split()
    background = f'<rect width="{width}" height="{height}" fill="#fff"/>'
    return f'{head} width="{width}" height="{height}"><style>{_RULES}</style>{background}{rest}\n'


def scatter_svg(
    chart: Scatter, *, name: str, title: str, desc: str, axes: tuple[str, str], key: Key = ()
) -> str:
    """Marks with their run's name and values on hover; ``axes`` names across and up."""
    across, up = axes
    parts = [*_grid(chart.frame, chart.x_ticks, chart.y_ticks, is_crossed=True)]
    if chart.identity:
        line = chart.identity
        parts.append(_path("id", f"M{line.x1} {line.y1}L{line.x2} {line.y2}"))
        parts.append(_text(line.x2, line.y2, "equal", "e t2 h", dy=16))
    for mark in chart.marks:
        told = f"{mark.run.tag}: {across} {mark.run.across:.4f}, {up} {mark.run.up:.4f}"
        parts.append(
            f"<g><title>{escape(told)}</title>{_mark(mark.run.series, mark.x, mark.y, mark.path)}</g>"
        )
    parts += _axis_names(chart.frame, across, up)
    return _svg(replace(chart.frame, height=chart.frame.height + 4), parts, name, title, desc, key)


def bump_svg(chart: Bump, *, name: str, title: str, desc: str, key: Key = ()) -> str:
    """One line a run through the columns, its name at both ends, ranks on hover."""
    parts = [_text(column.x, column.name_y, column.name, "m b") for column in chart.columns]
    for line in chart.lines:
        told = f"{line.tag}: {', '.join(str(stop.rank) for stop in line.stops)}"
        marks = "".join(_mark(line.series, stop.x, stop.y, stop.path, radius=5.2) for stop in line.stops)
        parts.append(f"<g><title>{escape(told)}</title>{_path(f'ln l{line.series}', line.path)}{marks}</g>")
        first, last = line.stops[0], line.stops[-1]
        parts.append(_text(first.x - 18, first.y + 4, f"{first.rank} {line.tag}", "e"))
        parts.append(_text(last.x + 18, last.y + 4, f"{last.rank} {line.tag}", ""))
    return _svg(chart.frame, parts, name, title, desc, key, wide=" wide")


def distribution_svg(chart: Distribution, *, name: str, title: str, desc: str, axis: str) -> str:
    """Cumulative steps, one line a grade of people, and dashed cuts."""
    frame = chart.frame
    parts = [*_grid(frame, chart.x_ticks, chart.y_ticks)]
    for place, cut in enumerate(chart.cuts):
        parts.append(_path("id", f"M{cut.at} 16V{frame.bottom}"))
        parts.append(_text(cut.at + (4 if place else -4), 13, cut.text, "t2" if place else "e t2"))
    classes = [f"k{min(place, 2)}" for place in range(len(chart.curves))]
    parts += [_path(f"ln {kind}", curve.path) for kind, curve in zip(classes, chart.curves, strict=True)]
    parts.append(_text((frame.left + frame.right) / 2, frame.height - 4, axis, "m"))
    key = [(kind, f"people {curve.name}") for kind, curve in zip(classes, chart.curves, strict=True)]
    return _svg(frame, parts, name, title, desc, key)


def grid_svg(chart: Grid, *, name: str, title: str, desc: str, axes: tuple[str, str]) -> str:
    """A confusion matrix: counts, and shares of the row by shade and number; ``axes`` names rows, columns."""
    rows, columns = axes
    middle = (chart.frame.left + chart.frame.right) / 2
    parts = [
        _text(middle, 16, columns, "m t2"),
        _text(8, (chart.frame.top + chart.frame.bottom) / 2, rows, "t2"),
    ]
    parts += [_text(tick.at, 36, tick.text, "m b") for tick in chart.columns]
    parts += [_text(64, tick.at + 4, tick.text, "e b") for tick in chart.rows]
    for cell in chart.cells:
        place = f'x="{number(cell.x)}" y="{number(cell.y)}" width="{chart.cell}" height="{chart.cell}"'
        parts.append(f'<rect class="f1" fill-opacity="{cell.opacity}" {place}/>')
        if cell.is_same_grade:
            parts.append(f'<rect class="ax" {place}/>')
        share = "–" if cell.share is None else f"{100 * cell.share:.0f} %"
        parts.append(_text(cell.middle[0], cell.middle[1] + 1, f"{cell.count:,}", "m b"))
        parts.append(_text(cell.middle[0], cell.middle[1] + 16, share, "m"))
    return _svg(chart.frame, parts, name, title, desc, ())


def histogram_svg(chart: Histogram, *, name: str, title: str, desc: str, axes: tuple[str, str]) -> str:
    """Bars, with their ends and counts on hover; ``axes`` names across and up."""
    parts = [*_grid(chart.frame, chart.x_ticks, chart.y_ticks)]
    for bar in chart.bars:
        place = f'x="{number(bar.x)}" y="{number(bar.y)}" width="{bar.width}" height="{bar.height}"'
        told = f"{bar.start:.4g} to {bar.end:.4g}: {bar.count:,}"
        parts.append(f'<g><title>{escape(told)}</title><rect class="f1" {place}/></g>')
    return _svg(chart.frame, [*parts, *_axis_names(chart.frame, *axes)], name, title, desc, ())


def lines_svg(chart: Lines, *, name: str, title: str, desc: str, axes: tuple[str, str]) -> str:
    """Broken lines, in turn in the four colours and dashes; ``axes`` names across and up."""
    parts = [*_grid(chart.frame, chart.x_ticks, chart.y_ticks)]
    key = []
    for place, line in enumerate(chart.lines):
        kind = LINE_CLASSES[place % len(LINE_CLASSES)]
        parts.append(f"<g><title>{escape(line.name)}</title>{_path(f'ln {kind}', line.path)}</g>")
        key.append((kind, line.name))
    return _svg(chart.frame, [*parts, *_axis_names(chart.frame, *axes)], name, title, desc, key)


def family_key(names: Sequence[str], series: Iterable[int]) -> Key:
    """The key of runs drawn by family: up to three families, and others where there are any."""
    shown = [(f"f{place}", name) for place, name in enumerate(names[:3], start=2)]
    return [*shown, ("f1", "other")] if shown and 1 in series else shown


def _svg(
    frame: Frame, parts: Iterable[str], name: str, title: str, desc: str, key: Key, wide: str = ""
) -> str:
    keyed, height = _keyed(key, frame)
    label = f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(desc)}</desc>'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart{wide}" '
        f'viewBox="0 0 {number(frame.width)} {number(height)}" role="img" '
        f'aria-labelledby="{name}-title {name}-desc">'
    )
    return f"{head}{label}{''.join(parts)}{keyed}</svg>"


def _keyed(key: Key, frame: Frame) -> tuple[str, float]:
    """The key below the chart, in as many rows as it needs, and the height of all."""
    x, y, parts = 8.0, frame.height + KEY_ROW - 6, []
    for kind, text in key:
        width = 30 + LETTER * len(text)
        if x > 8 and x + width > frame.width:
            x, y = 8.0, y + KEY_ROW
        if kind.startswith("f"):
            series = int(kind[1:])
            parts.append(_mark(series, x + 8, y - 4, mark_path(series, x + 8, y - 4)))
        else:
            parts.append(_path(f"ln {kind}", f"M{number(x)} {number(y - 4)}h18"))
        parts.append(_text(x + 24, y, text, ""))
        x += width
    return "".join(parts), y + 6 if key else frame.height


def _grid(
    frame: Frame, x_ticks: Sequence[Tick], y_ticks: Sequence[Tick], *, is_crossed: bool = False
) -> Iterable[str]:
    for tick in x_ticks:
        if is_crossed:
            yield _path("grd", f"M{tick.at} {frame.top}V{frame.bottom}")
        yield _text(tick.at, frame.bottom + 16, tick.text, "m t2")
    for tick in y_ticks:
        yield _path("grd", f"M{frame.left} {tick.at}H{frame.right}")
        yield _text(frame.left - 6, tick.at + 4, tick.text, "e t2")
    yield _path("ax", f"M{frame.left} {frame.bottom}H{frame.right}")


def _axis_names(frame: Frame, across: str, up: str) -> list[str]:
    return [
        _text((frame.left + frame.right) / 2, frame.bottom + 34, across, "m"),
        _text(0, 10, up, ""),
    ]


def _mark(series: int, x: float, y: float, path: str | None, *, radius: float = 4.6) -> str:
    if path:
        return _path(f"f{series} mk", path)
    return f'<circle class="f{series} mk" cx="{number(x)}" cy="{number(y)}" r="{radius}"/>'


def _path(kind: str, path: str) -> str:
    return f'<path class="{kind}" d="{path}"/>' if path else ""


def _text(x: float, y: float, text: str, kind: str, *, dy: float = 0) -> str:
    classed = f' class="{kind}"' if kind else ""
    return f'<text x="{number(x)}" y="{number(y + dy)}"{classed}>{escape(text)}</text>'
