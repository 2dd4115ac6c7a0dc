import pytest

from trackside.figures.axes import Axis, Tick, number, padded_range, round_step, tick_text


def test_values_become_coordinates() -> None:
    axis = Axis(0.2, 0.85, 30, 292)
    assert (axis.at(0.2), axis.at(0.85)) == (30, 292)
    # 30 + 262 * 0.2 / 0.65.
    assert axis.at(0.4) == 110.6
    assert Axis(0.0, 1.0, 264, 22).at(1.0) == 22
    assert Axis(5.0, 5.0, 0, 100).at(5.0) == 50


@pytest.mark.parametrize(
    ("low", "high", "texts"),
    [
        (0.2, 0.85, ["0.2", "0.4", "0.6", "0.8"]),
        (0.0, 100.0, ["0", "20", "40", "60", "80", "100"]),
        (-1.0, 1.0, ["−1.0", "−0.5", "0.0", "0.5", "1.0"]),
        (0.125, 0.25, ["0.125", "0.150", "0.175", "0.200", "0.225", "0.250"]),
        (5.0, 5.0, ["5"]),
    ],
)
def test_ticks_are_round_and_within_the_axis(low: float, high: float, texts: list[str]) -> None:
    ticks = Axis(low, high, 0, 100).ticks()
    assert [tick.text for tick in ticks] == texts
    assert all(0 <= tick.at <= 100 for tick in ticks)


def test_ticks_carry_their_place() -> None:
    assert Axis(0.0, 1.0, 40, 292).ticks(2) == (Tick(40, "0.0"), Tick(166, "0.5"), Tick(292, "1.0"))


def test_steps_are_one_two_two_and_a_half_or_five() -> None:
    assert [round_step(0, high, 5) for high in (1, 5, 6, 12, 20, 40)] == [0.2, 1, 2, 2.5, 5, 10]


def test_text_has_the_decimals_of_its_step_and_a_true_minus() -> None:
    assert (tick_text(0.25, 0.25), tick_text(-0.5, 0.5), tick_text(-0.0, 0.5)) == ("0.25", "−0.5", "0.0")
    assert tick_text(1000, 250) == "1,000"


def test_ranges_are_padded_and_never_empty() -> None:
    assert padded_range([0.0, 1.0], share=0.1) == pytest.approx((-0.1, 1.1))
    assert padded_range([]) == (0.0, 1.0)
    low, high = padded_range([0.5, 0.5])
    assert low < 0.5 < high


def test_coordinates_have_no_trailing_zeros() -> None:
    assert (number(30.0), number(30.04), number(30.06)) == ("30", "30", "30.1")
