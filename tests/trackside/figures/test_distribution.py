import re

import numpy as np

from trackside.figures.axes import Axis, Tick
from trackside.figures.distribution import distribution, step_path


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


def test_groups_have_curves_with_their_number_and_median() -> None:
    figure = distribution(
        {"0": [0.1, 0.2, 0.9], "1": [0.4], "2": []}, cuts={"grade 0": 0.5}, across=(0.0, 1.0)
    )
    assert [(curve.name, curve.n, curve.median) for curve in figure.curves] == [("0", 3, 0.2), ("1", 1, 0.4)]
    assert figure.cuts == (Tick(169, "grade 0"),)  # halfway from 46 to 292
    assert [tick.text for tick in figure.y_ticks] == ["0 %", "25 %", "50 %", "75 %", "100 %"]


def test_no_scores_give_axes_alone() -> None:
    assert distribution({"0": []}).curves == ()


def test_equal_scores_give_one_step() -> None:
    (curve,) = distribution({"0": [3.0, 3.0]}).curves
    assert curve.path.count("V") == 1
