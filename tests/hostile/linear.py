"""Measure whether a parser takes linear time."""

import gc
import time
from collections.abc import Callable

MEASURED = 0.05  # seconds of processor time; less is noise
MOST = 3.0  # times as long for a doubled text: linear takes 2, quadratic 4
DOUBLINGS = 2  # of a text whose time can be measured: two, as one time may be off by half
LARGEST = 1 << 18  # characters
TRIES = 8  # a quadratic parser fails all, a busy machine not all


def seconds(parse: Callable[[str], object], text: str) -> float:
    """The processor time of one reading, without the garbage collector, whose turns come at any size."""
    gc.disable()
    try:
        start = time.process_time()
        parse(text)
        return time.process_time() - start
    finally:
        gc.enable()


def least_seconds(parse: Callable[[str], object], text: str) -> float:
    """The smaller of two times, to reduce the effect of a busy machine; one time if it is short."""
    first = seconds(parse, text)
    return first if first < MEASURED else min(first, seconds(parse, text))


def assert_linear(parse: Callable[[str], object], unit: str | Callable[[int], str]) -> None:
    """Double the text until its time can be measured, or it exceeds every limit; then double it twice.

    ``unit`` is the repeated part of the text, or returns the part with a number.
    """

    def text_of(count: int) -> str:
        return unit * count if isinstance(unit, str) else "".join(map(unit, range(count)))

    count, text = 250, text_of(250)
    while (before := least_seconds(parse, text)) < MEASURED and len(text) < LARGEST:
        count *= 2
        text = text_of(count)
    text, most = text_of(count * 2**DOUBLINGS), MOST**DOUBLINGS * max(before, MEASURED)
    assert any(seconds(parse, text) < most for _ in range(TRIES))
