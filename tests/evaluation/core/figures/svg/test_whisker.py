from evaluation.core.figures.svg.whisker import sign_svg, whisker_svg
from evaluation.core.statistics.estimate import Interval, Reason


def test_a_value_and_its_interval_are_placed_on_0_to_1() -> None:
    # 0 is at 6 and 1 at 82, so 0.5 is at 44 and 0.25 at 25.
    svg = whisker_svg(0.5, Interval(0.25, 0.75, 0.95), 1.0, series="j3")
    assert '<path class="j3 si" d="M25 9H63"/>' in svg
    assert 'class="j3 sf"' in svg
    assert '<path class="ln" d="M82 2V16"/>' in svg


def test_value_beyond_the_axis_is_drawn_at_the_edge() -> None:
    assert 'class="j1 si" d="M6 9H82"' in whisker_svg(0.5, Interval(-0.3, 1.2, 0.95), None, series="j1")


def test_a_value_without_interval_is_hollow_and_an_undefined_one_has_no_mark() -> None:
    none = Interval.undefined(Reason.TOO_FEW_TOPICS, 0.95)
    assert 'class="j2 sh"' in whisker_svg(0.5, none, None, series="j2")
    assert "j2" not in whisker_svg(None, None, 0.9, series="j2")


def test_the_sign_of_a_second_assessor_is_a_ring() -> None:
    assert 'class="p2 sh"' in sign_svg("p2")
    assert 'class="p1 sf"' in sign_svg("p1")
