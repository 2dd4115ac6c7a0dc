"""The demo's progress on a terminal and in a file."""

from io import StringIO

import pytest

from evaluation.demo.steps.console import PLAIN, Console


class Terminal(StringIO):
    """A file that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


class Clock:
    """A clock that moves only when it is advanced."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_console_rewrites_one_line_on_a_terminal(clock: Clock) -> None:
    out = Terminal()
    console = Console(out, clock)
    for done in (0, 500):
        console.progress(done, 1000, "drawing")
        clock.now += 1
    console.progress(1000, 1000, "drawing")
    console.say("Done.")
    assert out.getvalue() == (
        "\rDrawing: 0 of 1,000\rDrawing: 500 of 1,000\rDrawing: 1,000 in 2.0 s\nDone.\n"
    )


def test_console_covers_a_longer_line_on_a_terminal(clock: Clock) -> None:
    out = Terminal()
    console = Console(out, clock)
    console.progress(8_999_999, 9_999_999, "x")
    console.progress(9_999_999, 9_999_999, "x")
    assert out.getvalue() == "\rX: 8,999,999 of 9,999,999\rX: 9,999,999 in 0.0 s    \n"


def test_console_limits_how_often_it_draws(clock: Clock) -> None:
    out = Terminal()
    console = Console(out, clock)
    console.progress(0, 9, "drawing")
    console.progress(1, 9, "drawing")
    assert out.getvalue() == "\rDrawing: 0 of 9"


def test_console_writes_plain_lines_now_and_then_to_a_file(clock: Clock) -> None:
    out = StringIO()
    console = Console(out, clock)
    for done in range(4):
        console.progress(done, 4, "drawing")
        clock.now += PLAIN / 2
    console.progress(4, 4, "drawing")
    assert out.getvalue() == f"Drawing: 2 of 4\nDrawing: 4 in {2 * PLAIN:.1f} s\n"


def test_console_leaves_an_unfinished_step_on_a_separate_line(clock: Clock) -> None:
    out = Terminal()
    console = Console(out, clock)
    console.progress(1, 9, "drawing")
    console.progress(1, 5, "training")
    assert out.getvalue() == "\rDrawing: 1 of 9\n\rTraining: 1 of 5"


def test_console_shows_how_long_a_step_without_counts_took(clock: Clock) -> None:
    out = StringIO()
    with Console(out, clock).step("Starting the site"):
        assert out.getvalue() == "Starting the site ... "  # before the step ends
        clock.now += 1.5
    assert out.getvalue() == "Starting the site ... 1.5 s\n"


def test_console_leaves_the_line_of_a_step_that_fails(clock: Clock) -> None:
    out = StringIO()
    with pytest.raises(KeyboardInterrupt), Console(out, clock).step("Starting the site"):
        raise KeyboardInterrupt
    assert out.getvalue() == "Starting the site ... \n"
