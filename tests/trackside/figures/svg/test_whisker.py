import re

from trackside.figures.svg.forest import shared_axis, sign_svg


def test_a_value_and_its_interval_are_placed_on_the_shared_axis() -> None:
    # 0 is at 8 and 1 at 104, so 0.5 is at 56 and 0.25 at 32.
    svg = shared_axis([0.5, None], 0.0, 1.0).whisker_svg(0.5, 0.25, 0.75, series="j3")
    assert '<path class="j3 si" d="M32 21H80"/>' in svg
    assert 'class="j3 sf"' in svg
    assert "band" not in svg


def test_the_axis_holds_every_value_and_the_band() -> None:
    whiskers = shared_axis([-0.5], 0.0, 1.0, band=(0.9, 1.1))
    assert (whiskers.axis.low, whiskers.axis.high) == (-0.5, 1.1)
    assert (whiskers.axis.low, whiskers.axis.high) == (-0.5, 1.1)
    assert 'class="zero" d="M38 -99V141"' in whiskers.whisker_svg(
        None, None, None, series="j1"
    )  # 8 + 96 * 5/16


def test_ticks_of_a_signed_axis_have_signs_but_zero() -> None:
    svg = shared_axis([-9.0, 31.0], -5.0, 5.0, is_signed=True).head_svg()
    assert re.findall(">([^<]+)</text>", svg) == ["0", "+20"]


def test_a_value_without_interval_is_hollow_and_an_undefined_one_has_no_mark() -> None:
    axis = shared_axis([], 0.0, 1.0)
    assert 'class="j2 sh"' in axis.whisker_svg(0.5, None, None, series="j2")
    assert "j2" not in axis.whisker_svg(None, None, None, series="j2")


def test_the_sign_of_a_second_assessor_is_a_ring() -> None:
    assert 'class="p2 sh"' in sign_svg("p2")
    assert 'class="p1 sf"' in sign_svg("p1")
