"""Which actions a piece of code calls, in their order and nesting: a real trace, by ``sys.setprofile``."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType, FrameType

APPS = ("evaluation.", "assessment.", "judges.", "trackside.")
# Packages and modules without actions: pure code, rows, forms, and what starts the site.
NO_ACTIONS = {"admin", "api", "config", "forms", "models", "panels", "trackside"}
ENQUEUE = "enqueue"


@dataclass
class Step:
    """A call: the function's name, for ``enqueue`` with the task that it sends, and the calls inside it."""

    name: str
    inside: list[Step] = field(default_factory=list)


def lines_of(steps: Sequence[Step], *, cut: Collection[str] = (), depth: int = 0) -> list[str]:
    """A line a step, two blanks a level; what is inside a step named in ``cut`` is left out.

    A step that repeats the one before it, as in a loop, is written once.
    """
    lines: list[str] = []
    before: list[str] = []
    for step in steps:
        inside = [] if step.name in cut else lines_of(step.inside, cut=cut, depth=depth + 1)
        written = ["  " * depth + step.name, *inside]
        if written != before:
            lines += written
        before = written
    return lines


class Trace:
    """Records calls of actions, and of functions whose names are given, in the thread that starts it."""

    def __init__(self, names: Collection[str]) -> None:
        self.names = set(names)
        self.steps: list[Step] = []
        self.open: dict[FrameType, Step] = {}

    def __call__(self, frame: FrameType, event: str, _arg: object) -> None:
        """Record a call. A generator is called each time it resumes: only the first call counts."""
        is_generator = bool(frame.f_code.co_flags & inspect.CO_GENERATOR)
        if event == "return" and not is_generator:
            self.open.pop(frame, None)
        if event != "call" or frame in self.open or not self._is_recorded(frame):
            return
        caller = frame.f_back
        while caller is not None and caller not in self.open:
            caller = caller.f_back
        around = self.open.get(caller) if caller else None
        step = Step(_name(frame))
        (around.inside if around else self.steps).append(step)
        self.open[frame] = step

    def _is_recorded(self, frame: FrameType) -> bool:
        module = str(frame.f_globals.get("__name__", ""))
        code = frame.f_code
        return module.startswith(APPS) and (code.co_name in self.names or is_action(code, module))


def is_action(code: CodeType, module: str) -> bool:
    """Whether the function is an action: public, of a module, with keyword arguments only, above models."""
    return (
        not code.co_name.startswith(("_", "<"))
        and "." not in code.co_qualname
        and code.co_argcount == 0
        and code.co_kwonlyargcount > 0
        and not NO_ACTIONS & set(module.split("."))
    )


def _name(frame: FrameType) -> str:
    name = frame.f_code.co_name
    return f"{name} {frame.f_locals['name']}" if name == ENQUEUE else name


@contextmanager
def traced(names: Collection[str]) -> Iterator[Trace]:
    """The trace of the block, complete when it ends."""
    trace = Trace(names)
    sys.setprofile(trace)
    try:
        yield trace
    finally:
        sys.setprofile(None)
