"""How far the demo is: one line a step, rewritten in place on a terminal, plain lines otherwise."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

REDRAW = 0.1  # seconds between two drawings of a line on a terminal
PLAIN = 5.0  # seconds between two plain lines of one step


class Console:
    """Writes what is said to a terminal or a file."""

    def __init__(self, out: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._out, self._clock = out, clock
        self._interval = REDRAW if out.isatty() else PLAIN
        self._text, self._began, self._drawn = "", 0.0, 0.0
        self._width = 0  # of an unfinished line on a terminal

    def say(self, line: str = "") -> None:
        """Write a line of its own."""
        self.end_line()
        self._out.write(line + "\n")
        self._out.flush()

    def progress(self, done: int, total: int, text: str) -> None:
        """Take notice of a step's progress (a `Progress`); ``done == total`` ends it."""
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
        """Say that a step without counts begins, and how long it took."""
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
        """End a line that would be rewritten, so that others can write."""
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
