"""Limits on how much of a run file is read and stored, derived from its task."""

from dataclasses import dataclass

LINE_BYTES = 4096  # six columns of 255 characters fit
UNKNOWN_TOPICS = 1000  # examined; lines of further ones are only counted
TAGS = 1000  # examined; lines with further ones are only counted
_LEAST_LINES = 1_000_000
_LEAST_ROWS = 20_000
_BYTES_A_LINE = 256  # for each of twice the lines a run may have


@dataclass(frozen=True, slots=True)
class Bounds:
    """Reading stops after ``line_count`` lines or ``byte_count`` unpacked bytes.

    The first ``row_count`` results of each topic are examined, the others only counted.
    """

    line_count: int
    byte_count: int
    row_count: int


def bounds_of(topic_count: int, max_per_topic: int) -> Bounds:
    """Twice the size of the largest valid run, and at least enough of any file to diagnose it."""
    lines = max(2 * topic_count * max_per_topic, _LEAST_LINES)
    return Bounds(lines, lines * _BYTES_A_LINE, max(2 * max_per_topic, _LEAST_ROWS))
