import re
from typing import Any

import numpy as np

from trackside.figures.axes import Axis
from trackside.figures.svg.charts import cumulative_svg, step_path

NAMES: Any = {"name": "n", "title": "Title", "desc": "Desc.", "axis": "score"}


def test_a_step_line_rises_at_each_score() -> None:
    # Scores 0.25 and 0.75 (twice) of 0 to 1 on 40 to 240: steps of 1/3 and 2/3.
    path = step_path(np.array([0.25, 0.75, 0.75]), Axis(0, 1, 40, 240), Axis(0, 1, 216, 16))
    assert path == "M90 216H90V149.3H190V16H240"


def test_a_step_line_of_many_scores_stays_short_and_true_to_half_a_unit() -> None:
    scores = np.sort(np.random.default_rng(1).random(50_000))
    x, y = Axis(0, 1, 40, 292), Axis(0, 1, 216, 20)
    steps = re.findall(r"H([\d.]+)V([\d.]+)", step_path(scores, x, y))
    assert len(steps) <= 2 * 252 + 1
    for column, height in steps[::25]:
        score = (float(column) - 40) / 252
        share = (216 - float(height)) / 196
        assert abs(share - score) < 0.5 / 252 + 0.01


def test_groups_have_keyed_lines_over_the_cuts() -> None:
    svg = cumulative_svg(
        {"zero": [0.1, 0.2, 0.9], "one": [0.4], "two": []},
        {"zero": "k0", "one": "k1", "two": "k2"},
        cuts={"0 | 1": 0.5},
        across=(0.0, 1.0),
        **NAMES,
    )
    assert re.findall(r"<g><title>(\w+)</title><path class=\"(ln \w+)\"", svg) == [
        ("zero", "ln k0"),
        ("one", "ln k1"),
    ]
    assert 'class="id" d="M169 16V216"' in svg  # halfway from 46 to 292
    assert re.findall(r">(\d+ %)</text>", svg) == ["0 %", "25 %", "50 %", "75 %", "100 %"]
    assert ">one</text>" in svg
    assert ">two</text>" not in svg


def test_no_values_give_axes_alone() -> None:
    svg = cumulative_svg({"all": []}, {"all": "k0"}, **NAMES)
    assert ">50 %</text>" in svg
    assert "ln k0" not in svg


def test_equal_values_give_one_step() -> None:
    svg = cumulative_svg({"all": [3.0, 3.0]}, {"all": "k0"}, **NAMES)
    (path,) = re.findall(r'class="ln k0" d="([^"]*)"', svg)
    assert path.count("V") == 1


def test_lines_have_the_style_of_their_series() -> None:
    svg = cumulative_svg({"people": [0.0, 1.0], "a<b": [0.5]}, {"people": "p1", "a<b": "j1"}, **NAMES)
    assert 'class="p1 sl"' in svg
    assert "<title>a&lt;b</title>" in svg
