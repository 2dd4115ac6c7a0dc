from assessment.core.distribution import GradeSegment, make_distribution
from trackside.figures.shades import shade_of


def test_distribution_counts_each_grade_and_what_has_none() -> None:
    # Eight marks of 12.5 each: four 0, one 1, two 2, one without a grade; each part ends 0.4 early.
    scale = (0, 1, 2)
    assert make_distribution([0, 2, 0, "image", 1, 0, 2, 0], scale) == [
        GradeSegment(0, shade_of(0, scale), 4, 0.0, 49.6),
        GradeSegment(1, shade_of(1, scale), 1, 50.0, 12.1),
        GradeSegment(2, shade_of(2, scale), 2, 62.5, 24.6),
        GradeSegment(None, shade_of(None, scale), 1, 87.5, 12.1),
    ]


def test_distribution_of_nothing_is_empty() -> None:
    assert [(part.count, part.width) for part in make_distribution([], (0, 1))] == [(0, 0.0)] * 3


def test_distribution_of_a_long_scale_has_a_shade_for_each_grade() -> None:
    assert len({part.shade.css for part in make_distribution([], (0, 1, 2, 3))}) == 5
