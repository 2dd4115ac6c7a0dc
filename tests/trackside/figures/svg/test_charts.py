"""The drawings as text: escaped, named for readers, and complete as files."""

import sys
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from trackside.errors import InputError
from trackside.figures.axes import tick_text
from trackside.figures.svg.bars import stacks_svg
from trackside.figures.svg.charts import lines_svg, pdf_of, standalone
from trackside.figures.svg.elements import fitted, text_width
from trackside.figures.svg.forest import ForestRow, forest_svg
from trackside.figures.svg.panels import NamedPanel, PanelRun, panels_svg

NAMES: Any = {"name": "n", "title": "A & B", "desc": "Desc."}


def test_standalone_file_has_size_rules_and_is_whole() -> None:
    svg = lines_svg({"a": [(0, 0), (1, 1)]}, {"a": "fam"}, **NAMES, axes=("x", "y"))
    root = ET.fromstring(standalone(svg))
    assert root.attrib["width"] == root.attrib["viewBox"].split()[2]
    assert root[0].tag.endswith("style")
    assert tick_text(0.2, 0.2) in standalone(svg)


def test_lines_are_placed_from_0_to_1_and_keyed() -> None:
    # x from 0 to 1 is 48 to 408, y from 0 to 1 is 256 to 22.
    svg = lines_svg({"a<b": [(0, 0), (0.5, 1), (1, 0.5)]}, {"a<b": "fam"}, **NAMES, axes=("x", "y"))
    assert 'd="M48 256L228 22L408 139"' in svg
    assert ">a&lt;b</text>" in svg


def test_forest_draws_intervals_over_the_band_and_names_its_rows() -> None:
    known = ForestRow("a<b", "j1", 3.0, 1.0, 5.0, "3.0 (1.0 to 5.0)")
    unknown = ForestRow("none", "j2", None, None, None, "–")
    svg = forest_svg([known, unknown], **NAMES, axis="points", band=(-5.0, 5.0))
    assert "<title>a&lt;b: 3.0 (1.0 to 5.0)</title>" in svg
    assert svg.count('class="j1 si"') == 1
    assert 'class="band"' in svg
    assert "j2 si" not in svg
    assert 'aria-labelledby="n-title n-desc"' in svg
    ET.fromstring(svg)


def test_forest_mark_without_an_interval_is_hollow() -> None:
    svg = forest_svg([ForestRow("a", "j1", 0.5, None, None, "0.50")], **NAMES, axis="tau")
    assert 'class="j1 sh"' in svg


def test_panels_share_axes_and_draw_the_family_on_top() -> None:
    runs = [PanelRun("in", 0.2, 0.4, is_in_focus=True), PanelRun("out", 0.1, 0.3, is_in_focus=False)]
    svg = panels_svg(
        [NamedPanel("one", "j1", runs), NamedPanel("two", "j2", runs)], **NAMES, measure="AP", focus="CLIP"
    )
    assert svg.index("out: people 0.1000, one 0.3000") < svg.index("in: people 0.2000, one 0.4000")
    assert ">CLIP</text>" in svg
    assert svg.count("<g transform") == 2
    ET.fromstring(svg)


def test_stacks_are_shares_of_each_bar() -> None:
    rows = ("a, people 0", "j1", (0.25, 0.75)), ("b", "j2", None)
    svg = stacks_svg([rows], (0, 1), **NAMES, axis="share")
    assert "a, people 0: grade 1, 75 %" in svg
    assert "b: grade" not in svg


SVG = lines_svg({"a": [(0, 0), (1, 1)]}, {"a": "fam"}, name="n", title="Title", desc="Desc", axes=("x", "y"))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of what they import
def test_pdf_is_the_same_twice() -> None:
    pytest.importorskip("svglib")
    found = pdf_of(SVG)
    assert found.startswith(b"%PDF")
    assert found == pdf_of(SVG)


def test_pdf_without_its_libraries_shows_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "svglib.svglib", None)
    with pytest.raises(InputError, match=r"pip install 'trackside\[pdf\]'"):
        pdf_of(SVG)


def test_fitted_text_is_cut_to_its_width() -> None:
    assert fitted("short", 100) == "short"
    cut = fitted("a-very-long-name-of-a-judge", 60)
    assert cut.endswith("…")
    assert text_width(cut) <= 60
    assert fitted("anything", 0) == ""
