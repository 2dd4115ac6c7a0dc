"""Which actions a piece of code calls, in their order and nesting: a real trace, by ``sys.setprofile``."""

from __future__ import annotations

import inspect
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.db.models import Model, QuerySet
from django.db.models.manager import BaseManager

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from types import CodeType, FrameType

APPS = ("evaluation.", "assessment.", "judges.")
# Packages and modules without actions: pure code, rows, forms, and what starts the site.
NO_ACTIONS = {"admin", "api", "backends", "cli", "config", "core", "forms", "models", "panels", "registry"}
# What serves every request and message, pure code, tables, and the functions that return the row of a URL.
UNREAD = {"access", "config", "core", "hosting", "lookups", "models", "read_only", "templatetags"}
ENQUEUE = "enqueue"


@dataclass
class Step:
    """A call: the function's name, for ``enqueue`` with the task that it sends, and the calls inside it.

    ``files`` are those of all functions that ran in it and in no step inside it; see ``is_read``.
    """

    name: str
    file: str
    inside: list[Step] = field(default_factory=list)
    files: set[str] = field(default_factory=set)


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


def files_of(steps: Sequence[Step], *, cut: Collection[str]) -> set[str]:
    """The files of the steps and of those inside them; what is inside a step named in ``cut`` is left out."""
    inside = (step.inside for step in steps if step.name not in cut)
    return {step.file for step in steps}.union(*(files_of(each, cut=cut) for each in inside))


def files_read(steps: Sequence[Step], *, cut: Collection[str]) -> set[str]:
    """The files of all functions that ran in the steps, without what ran inside a step named in ``cut``."""
    read = [step for step in steps if step.name not in cut]
    return set().union(*(step.files | files_read(step.inside, cut=cut) for step in read))


class Trace:
    """Records calls of actions, and of functions whose names are given, in the thread that starts it.

    ``files`` are those of the functions that ran outside every step.
    """

    def __init__(self, names: Collection[str]) -> None:
        self.names = set(names)
        self.steps: list[Step] = []
        self.files: set[str] = set()
        self.open: dict[FrameType, Step] = {}

    def __call__(self, frame: FrameType, event: str, _arg: object) -> None:
        """Record a call. A generator is called each time it resumes: only the first call counts."""
        is_generator = bool(frame.f_code.co_flags & inspect.CO_GENERATOR)
        if event == "return" and not is_generator:
            self.open.pop(frame, None)
        if event != "call" or frame in self.open or not (self._is_recorded(frame) or is_read(frame)):
            return
        caller = frame.f_back
        while caller is not None and caller not in self.open:
            caller = caller.f_back
        around = self.open.get(caller) if caller else None
        if self._is_recorded(frame):
            step = Step(_name(frame), frame.f_code.co_filename)
            (around.inside if around else self.steps).append(step)
            self.open[frame] = around = step
        if is_read(frame):
            (around.files if around else self.files).add(frame.f_code.co_filename)

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


def is_read(frame: FrameType) -> bool:
    """Whether the frame is a function that a reader looks up: not of UNREAD, a table or a queryset."""
    code = frame.f_code
    if not code.co_flags & inspect.CO_OPTIMIZED or code.co_filename == "<string>":
        return False  # the body of a module or class, or a method that dataclasses wrote
    module = str(frame.f_globals.get("__name__", ""))
    owner = frame.f_globals.get(code.co_qualname.split(".")[0])
    is_table = isinstance(owner, type) and issubclass(owner, (Model, QuerySet, BaseManager))
    return module.startswith(APPS) and not UNREAD & set(module.split(".")) and not is_table


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
