"""The shades of grades: as many as grades, steps of lightness apart, with digits that can be read."""

import re
from itertools import pairwise
from math import dist
from pathlib import Path

import numpy as np
import pytest

from trackside.figures.shades import shade_of
from trackside.figures.svg import charts

STATIC = Path("evaluation/static/trackside")
CHARTS = STATIC / "charts.css"
WALL = Path("assessment/static/assessment/wall.css")
LEAST_STEP = 12  # of L* or of colours in L*a*b*, between neighbours and from the page
LEAST_CONTRAST = 4.5  # WCAG AA, of text
SCALES = [tuple(range(size)) for size in range(2, 6)]


def test_each_grade_of_a_short_scale_has_a_shade_of_its_own() -> None:
    shown = [[shade_of(grade, scale).css for grade in scale] for scale in SCALES]
    assert shown == [
        ["g0", "g4"],
        ["g0", "g2", "g4"],
        ["g0", "g1", "g3", "g4"],
        ["g0", "g1", "g2", "g3", "g4"],
    ]


def test_only_the_ends_of_a_long_scale_have_the_first_and_last_shade() -> None:
    steps = [shade_of(grade, range(20)).step for grade in range(20)]
    assert steps == sorted(steps, key=lambda step: step or 0)
    assert (steps.count(0), steps.count(4), set(steps)) == (1, 1, {0, 1, 2, 3, 4})


def test_numbers_of_a_scale_may_have_gaps_and_a_grade_may_be_off_it() -> None:
    assert [shade_of(grade, (0, 5, 10)).step for grade in (0, 5, 10, 7, 11)] == [0, 2, 4, 4, 4]
    assert shade_of(3, ()).step == 0


def test_label_is_the_digit_or_a_dash() -> None:
    assert [shade_of(grade, range(3)).label for grade in (0, 2, None)] == ["0", "2", "–"]
    assert shade_of(None, range(3)).css == "ng"


def themes() -> list[dict[str, str]]:
    """The colours of the style sheet, on a light and on a dark page."""
    light, dark = STATIC.joinpath("base.css").read_text().split("prefers-color-scheme: dark", 1)
    found = [dict(re.findall(r"--(\w+): (#[0-9a-f]{3,6});", part)) for part in (light, dark)]
    return [found[0], found[0] | found[1]]


def linear(colour: str) -> list[float]:
    """Red, green and blue of sRGB as amounts of light."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[start : start + 2], 16) / 255 for start in (0, 2, 4)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def luminance(colour: str) -> float:
    """The relative luminance of sRGB, as WCAG defines it."""
    return float(np.dot((0.2126, 0.7152, 0.0722), linear(colour)))


def lightness(colour: str) -> float:
    """CIE L* under white of luminance 1."""
    return 116 * root(luminance(colour)) - 16


def root(part: float) -> float:
    """The cube root of CIE 15, linear near 0."""
    return part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116


def lab(colour: str) -> tuple[float, float, float]:
    """CIE L*, a*, b* under D65."""
    light = linear(colour)
    x = root(float(np.dot((0.4124, 0.3576, 0.1805), light)) / 0.9505)
    y = root(luminance(colour))
    z = root(float(np.dot((0.0193, 0.1192, 0.9505), light)) / 1.089)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def colour_of(sheet: Path, selector: str, name: str) -> str:
    """The name of the colour that the sheet's rule gives a property."""
    rule = re.search(rf"^  {re.escape(selector)} {{([^}}]*)}}", sheet.read_text(), re.MULTILINE)
    assert rule
    (found,) = re.findall(rf"^\s*{name}: var\(--(\w+)\);", rule[1], re.MULTILINE)
    return str(found)


def contrast(*colours: str) -> float:
    low, high = sorted(map(luminance, colours))
    return (high + 0.05) / (low + 0.05)


def test_formulas_know_white_and_mid_grey() -> None:
    """Of #777777: Y = 0.1845 by hand, L* = 50.03, and WCAG's 4.48 on white, which just fails."""
    assert lightness("#777777") == pytest.approx(50.03, abs=0.01)
    assert contrast("#777777", "#fff") == pytest.approx(4.48, abs=0.005)
    assert lab("#fff") == pytest.approx((100, 0, 0), abs=0.02)
    assert lab("#f00") == pytest.approx((53.24, 80.09, 67.20), abs=0.05)  # as tables of sRGB have it


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("scale", SCALES, ids=len)
def test_neighbours_are_apart_and_digits_can_be_read(scale: tuple[int, ...], theme: int) -> None:
    colours = themes()[theme]
    shades = [shade_of(grade, scale).css for grade in scale]
    levels = [lightness(colours[name]) for name in ("bg", *shades)]
    assert all(abs(one - other) >= LEAST_STEP for one, other in pairwise(levels))
    assert sorted(levels) in (levels, levels[::-1])
    for name in shades:
        assert contrast(colours[name], colours[name.replace("g", "on")]) >= LEAST_CONTRAST


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("sheet", "selector", "name"),
    [
        (WALL, ".cell", "background"),
        (WALL, ".cell.marked", "background"),
        (CHARTS, ".ng", "fill"),
        (CHARTS, ".nm", "--shade"),
    ],
    ids=["unset", "marked", "not gradeable", "nominal"],
)
def test_no_shade_of_a_grade_is_that_of_what_has_none(
    sheet: Path, selector: str, name: str, theme: int
) -> None:
    colours = themes()[theme]
    other = lab(colours[colour_of(sheet, selector, name)])
    assert min(dist(lab(colours[f"g{step}"]), other) for step in range(5)) >= LEAST_STEP


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_shades_without_an_edge_stand_out_from_the_page(theme: int) -> None:
    """WCAG 1.4.11: 3 to 1 for what is no text."""
    colours = themes()[theme]
    rule = re.search(r"((?:\.g\d,?\s+)+){\s+stroke: var\(--edge\)", CHARTS.read_text())
    assert rule
    edged = re.findall(r"g\d", rule[1])
    assert edged == ["g0", "g1"]
    assert all(contrast(colours[f"g{step}"], colours["bg"]) >= 3 for step in range(2, 5))
    assert contrast(colours["edge"], colours["bg"]) >= 3


def test_saved_charts_have_the_shades_of_a_light_page() -> None:
    rules = charts.standalone('<svg viewBox="0 0 10 10"></svg>')
    colours = themes()[0]
    assert all(f".g{step}{{fill:{colours[f'g{step}']}}}" in rules for step in range(5))
