"""Progress of the demo: one line per step, rewritten in place on a terminal, else plain lines."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

REDRAW = 0.1  # seconds between two updates of a line on a terminal
PLAIN = 5.0  # seconds between two plain lines of one step


class Console:
    """Writes lines and progress to a terminal or a file."""

    def __init__(self, out: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._out, self._clock = out, clock
        self._interval = REDRAW if out.isatty() else PLAIN
        self._text, self._began, self._drawn = "", 0.0, 0.0
        self._width = 0  # width of an unfinished line on a terminal

    def say(self, line: str = "") -> None:
        """Write a separate line."""
        self.end_line()
        self._out.write(line + "\n")
        self._out.flush()

    def progress(self, done: int, total: int, text: str) -> None:
        """Show a step's progress (a `Progress`); ``done == total`` ends it."""
        now = self._clock()
        if text != self._text:
            self.end_line()
            self._text, self._began = text, now
            self._drawn = -math.inf if self._out.isatty() else now
        counted = f"{text[0].upper()}{text[1:]}"
        if done == total:
            self._draw(f"{counted}: {total:,} in {now - self._began:.1f} s")
            self._text = ""
            self.end_line()
        elif now - self._drawn >= self._interval:
            self._drawn = now
            self._draw(f"{counted}: {done:,} of {total:,}")

    @contextmanager
    def step(self, text: str) -> Iterator[None]:
        """Show the start and the duration of a step without counts."""
        began = self._clock()
        self.end_line()
        self._out.write(f"{text} ... ")
        self._out.flush()
        try:
            yield
        except BaseException:
            self.say()
            raise
        self.say(f"{self._clock() - began:.1f} s")

    def end_line(self) -> None:
        """End the current progress line, so that others can write."""
        if self._width:
            self._out.write("\n")
            self._width = 0

    def _draw(self, line: str) -> None:
        if self._out.isatty():
            self._out.write("\r" + line.ljust(self._width))
            self._width = len(line)
        else:
            self._out.write(line + "\n")
        self._out.flush()
