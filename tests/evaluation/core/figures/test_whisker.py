from evaluation.core.figures.whisker import whisker
from evaluation.core.statistics.estimate import Estimate, Interval, Reason


def test_values_and_ends_have_their_place() -> None:
    figure = whisker(Estimate.of(0.8), Interval(0.5, 0.9, 0.95), Estimate.of(0.95))
    assert (figure.low, figure.high, figure.dot, figure.ceiling, figure.zero) == (45, 81, 72, 85.5, 0)


def test_what_lies_outside_is_drawn_at_the_edge() -> None:
    figure = whisker(Estimate.of(-0.2), Interval(-0.5, 0.1, 0.95))
    assert (figure.low, figure.dot, figure.high) == (0, 0, 9)
    assert whisker(Estimate.of(0.0), across=(-1.0, 1.0)).zero == 45


def test_what_is_undefined_is_not_drawn() -> None:
    figure = whisker(Estimate.undefined(Reason.EMPTY), Interval.undefined(Reason.EMPTY, 0.95))
    assert (figure.low, figure.high, figure.dot, figure.ceiling) == (None, None, None, None)
