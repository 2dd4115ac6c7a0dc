"""The drawings as text: escaped, named for readers, keyed, and complete as files."""

import re
from xml.etree import ElementTree as ET

from evaluation.core.figures.axes import tick_text
from evaluation.core.figures.bump import bump
from evaluation.core.figures.distribution import distribution
from evaluation.core.figures.lines import lines
from evaluation.core.figures.scatter import RunPoint, scatter
from evaluation.core.figures.svg.charts import (
    bump_svg,
    distribution_svg,
    family_key,
    lines_svg,
    scatter_svg,
    standalone,
)
from evaluation.core.figures.text_width import text_width

NAMES = {"name": "n", "title": "A & B", "desc": "Desc."}


def test_scatter_shows_run_and_values_and_escapes_names() -> None:
    chart = scatter([RunPoint("a<b", "fam", True, 0.25, 0.5)])
    svg = scatter_svg(chart, **NAMES, axes=("people", "model"), key=family_key("CLIP", ["fam"]))
    assert "<title>a&lt;b: people 0.2500, model 0.5000</title>" in svg
    assert '<title id="n-title">A &amp; B</title>' in svg
    assert 'aria-labelledby="n-title n-desc"' in svg
    assert ">CLIP</text>" in svg


def test_family_key_names_what_the_figure_shows() -> None:
    assert family_key("CLIP", ["oth", "fam"]) == [("fam sf:2", "CLIP"), ("oth sh:1", "other runs")]
    assert family_key("CLIP", ["fam"]) == [("fam sf:2", "CLIP")]
    assert family_key("", ["oth"]) == []


def test_bump_names_runs_and_columns_and_shows_ranks_on_hover() -> None:
    ranks = {"people": {"a": 1, "b": 2}, "model": {"a": 2, "b": 1}}
    svg = bump_svg(bump(ranks, ["p1", "j1"], frozenset("b")), **NAMES, key=[])
    for text in ("a", "b", "people", "model", "1", "2"):
        assert f">{text}</text>" in svg
    assert "<title>b: 2, 1</title>" in svg
    assert 'class="fam sl"' in svg


def test_distribution_keys_its_curves_by_grade() -> None:
    svg = distribution_svg(
        distribution({"0": [0.1], "2": [0.4]}, cuts={"grade 0": 0.2}), **NAMES, axis="raw score"
    )
    assert ">people 0</text>" in svg
    assert ">people 2</text>" in svg


def test_cuts_at_the_edges_have_their_names_within_the_figure() -> None:
    chart = distribution({"0": [5.0, 80.0]}, cuts={"grade 0": 5.0, "grade 2": 80.0})
    drawn = distribution_svg(chart, name="d", title="t", desc="d", axis="raw score")
    found = {word: float(x) for x, word in re.findall(r'<text[^>]* x="([\d.]+)"[^>]*>(grade \d)', drawn)}
    assert found["grade 0"] - text_width("grade 0") >= 0  # anchored at its end
    assert found["grade 2"] + text_width("grade 2") <= chart.frame.width


def test_standalone_file_has_size_rules_and_is_whole() -> None:
    svg = lines_svg(lines({"a": [(0, 0), (1, 1)]}), **NAMES, axes=("x", "y"))
    root = ET.fromstring(standalone(svg))
    assert root.attrib["width"] == root.attrib["viewBox"].split()[2]
    assert root[0].tag.endswith("style")
    assert tick_text(0.5, 0.5) in standalone(svg)
