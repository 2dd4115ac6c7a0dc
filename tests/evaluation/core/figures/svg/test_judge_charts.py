"""Charts of people and judges: positions, texts on hover, and keys."""

from xml.etree import ElementTree as ET

import numpy as np
import pytest

from evaluation.core.figures.distribution import distribution
from evaluation.core.figures.judges.bland_altman import bland_altman
from evaluation.core.figures.judges.heat import CELL, heat
from evaluation.core.figures.judges.scatter import ScatterRun, judge_scatter
from evaluation.core.figures.judges.stacks import stacks
from evaluation.core.figures.judges.strips import strips
from evaluation.core.figures.svg.judge_charts import (
    bland_altman_svg,
    cumulative_svg,
    heat_svg,
    judge_scatter_svg,
    stacks_svg,
    strips_svg,
)
from evaluation.core.figures.svg.pdf import pdf_of

NAMES = {"name": "n", "title": "A & B", "desc": "Desc."}


def test_judge_scatter_puts_equal_values_on_its_diagonal_and_the_focus_on_top() -> None:
    runs = [
        ScatterRun("a<b", "one", "j1", is_in_focus=True, across=0.5, up=0.5),
        ScatterRun("c", "two", "j2", is_in_focus=False, across=0.0, up=1.0),
    ]
    chart = judge_scatter(runs)
    assert [mark.run.tag for mark in chart.marks] == ["c", "a<b"]
    svg = judge_scatter_svg(chart, **NAMES, axes=("people", "judge"), focus="CLIP-based")
    assert "<title>a&lt;b: people 0.5000, one 0.5000</title>" in svg
    for text in ("one", "two"):
        assert f">{text}</text>" in svg
    assert 'class="j1 sf"' in svg
    assert 'class="j2 sh"' in svg
    middle = (chart.frame.left + chart.frame.right) / 2
    disc = next(mark.path for mark in chart.marks if mark.run.tag == "a<b")
    # A disc starts a radius left of its middle.
    assert float(disc[1:].split()[0]) == pytest.approx(middle - 3.6, abs=0.06)


def test_judge_scatter_without_a_family_fills_every_mark() -> None:
    chart = judge_scatter([ScatterRun("a", "one", "j1", is_in_focus=False, across=0.1, up=0.2)])
    svg = judge_scatter_svg(chart, **NAMES, axes=("x", "y"), focus="")
    assert 'class="j1 sf"' in svg
    assert 'class="j1 sh"' not in svg


def test_judge_scatter_fits_a_line_within_its_axes() -> None:
    # Values 0, 0.5 and 1 at 0, 0.5 and 1 lie on the diagonal.
    runs = [ScatterRun(str(x), "one", "j1", is_in_focus=False, across=x, up=x) for x in (0.0, 0.5, 1.0)]
    chart = judge_scatter(runs)
    (fit,) = chart.fits
    line, diagonal = fit.line, chart.identity
    slope = (diagonal.y2 - diagonal.y1) / (diagonal.x2 - diagonal.x1)
    assert (line.y2 - line.y1) / (line.x2 - line.x1) == pytest.approx(slope, rel=0.01)
    steep = judge_scatter([ScatterRun(str(x), "one", "j1", False, x, 3 * x) for x in (0.0, 0.1, 0.5)])
    assert steep.frame.top <= steep.fits[0].line.y2 <= steep.frame.bottom


def test_cumulative_lines_have_their_series() -> None:
    chart = distribution({"people": [0.0, 1.0], "one": [0.2, 0.4]}, across=(0.0, 1.0))
    svg = cumulative_svg(chart, {"people": "p1", "one": "j1"}, **NAMES, axis="score")
    assert svg.count('class="p1 sl"') == 2  # the line and its key
    assert svg.count('class="j1 sl"') == 2


def test_cumulative_line_of_many_scores_is_short() -> None:
    curve = distribution({"one": np.random.default_rng(0).random(50_000)}).curves[0]
    assert len(curve.path) < 10_000
    assert curve.n == 50_000


def test_bland_altman_shows_zero_mean_and_limits() -> None:
    chart = bland_altman(
        [("a", True, 0.5, 0.1), ("b", False, 0.3, -0.1)],
        "j2",
        levels={"mean": 0.0, "lower limit": -0.3, "upper limit": 0.3},
    )
    assert chart.levels[0].at == chart.zero
    assert chart.levels[1].at > chart.zero > chart.levels[2].at
    svg = bland_altman_svg(chart, "j2", **NAMES, axes=("average", "difference"), focus="CLIP-based")
    assert svg.count('class="j2 sf"') == svg.count('class="j2 sh"') == 2  # the mark and its key
    assert "<title>b: average 0.3000, difference −0.1000</title>" in svg
    for text in ("mean", "lower limit", "upper limit"):
        assert f">{text}</text>" in svg


def test_heat_map_has_all_cells_but_the_diagonal() -> None:
    chart = heat(["people", "a"], ["p1", "j1"], [[None, 0.5], [None, None]], ("kappa", "tau"))
    assert [cell.title for cell in chart.cells] == ["kappa of people and a", "tau of a and people"]
    above, below = chart.cells
    assert above.x == below.x + CELL + 2
    assert above.opacity > below.opacity
    svg = heat_svg(chart, **NAMES)
    assert "<title>kappa of people and a: 0.50</title>" in svg
    assert "<title>tau of a and people: –</title>" in svg


def test_heat_map_writes_a_value_that_rounds_to_zero_without_sign() -> None:
    svg = heat_svg(heat(["a", "b"], ["j1", "j2"], [[None, -0.001], [-0.25, None]], ("kappa", "tau")), **NAMES)
    assert ": 0.00</title>" in svg
    assert ": −0.25</title>" in svg


def test_strips_draw_equal_values_once_and_the_box_of_the_quartiles() -> None:
    chart = strips([("one", "j1", [0.5, 0.5, -0.5], (-0.5, 0.0, 0.5))], across=(-1.0, 1.0))
    row = chart.rows[0]
    assert row.strokes.count("M") == 2
    assert row.median == chart.zero
    svg = strips_svg(chart, **NAMES, axis="tau")
    assert 'class="j1 sf"' in svg
    assert ">one</text>" in svg


def test_strips_without_quartiles_have_no_box() -> None:
    assert strips([("one", "j1", [], None)], across=(-1.0, 1.0)).rows[0].box is None


def test_stacks_fill_the_bar_and_show_shares() -> None:
    chart = stacks([[("one, people 0", "j1", (0.25, 0.0, 0.75))], [("two, people 0", "j2", None)]], (0, 1, 2))
    first, second = chart.bars
    assert [part.grade for part in first.parts] == [0, 2]
    assert sum(part.width for part in first.parts) == chart.frame.right - chart.frame.left
    assert second.parts == ()
    assert [part.shade for part in first.parts] == ["g0", "g2"]
    assert "<title>one, people 0: grade 2, 75 %</title>" in stacks_svg(chart, **NAMES, axis="share")


def test_charts_are_xml_and_can_be_printed() -> None:
    svg = bland_altman_svg(
        bland_altman([("a", True, 0.5, 0.1)], "j1", levels={"mean": 0.1}),
        "j1",
        **NAMES,
        axes=("x", "y"),
        focus="CLIP",
    )
    root = ET.fromstring(svg)
    assert [child.tag.rpartition("}")[2] for child in root][:2] == ["title", "desc"]
    assert pdf_of(svg).startswith(b"%PDF")
