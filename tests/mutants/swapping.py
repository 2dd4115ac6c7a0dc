"""Try mutants of functions in the process that runs the tests: only the function's code is swapped.

A separate process for each mutant takes seconds to import Django and to copy the database. Here both
happen once for all modules with the same tests. A first pass notes which tests run which lines: a mutant
costs only the tests that reach it, those of fast modules first.
"""

import gc
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import _lru_cache_wrapper
from inspect import CO_OPTIMIZED
from pathlib import Path
from time import monotonic
from types import CodeType, FunctionType
from typing import IO, TypeVar

import coverage
import pytest
from _pytest.nodes import Node

from tests.mutants.mutant import Mutant
from tests.mutants.running import SITE, OnSharedServers, Outcome, wait_for

Live = TypeVar("Live")
SLOWER = 5  # times as long as without a mutant, until a test counts as failed
GRACE = 20.0  # s beside that
ENDING = 60.0  # s, until a process that has tried all its mutants is killed
CHOICE = [
    "-p",
    "no:unraisableexception",
    "-q",
    "-m",
    "not long and not whole and not browser",
]


def swaps_of(mutant: Mutant, source: str) -> list[tuple[FunctionType, CodeType]]:
    """Return the live functions that the mutant changes, with their new code; none if it changes others."""
    old = dict(_codes(compile(source, mutant.path, "exec")))
    new = dict(_codes(compile(mutant.source, mutant.path, "exec")))
    changed = {name for name in old if name in new and _shape(old[name]) != _shape(new[name])}
    outermost = {name for name in changed if not any(name.startswith(f"{each}.<locals>") for each in changed)}
    found = [
        (each, new[name])
        for each in _alive(FunctionType)
        if each.__code__.co_filename == mutant.path
        for name in changed  # a decorator's inner function, too: it lives on in what was decorated
        if (each.__code__.co_qualname, each.__code__.co_firstlineno) == (name, old[name].co_firstlineno)
        and each.__code__.co_freevars == new[name].co_freevars
    ]
    is_whole = outermost <= {each.__code__.co_qualname for each, _ in found}
    return found if is_whole and set(new) <= set(old) else []


def _codes(code: CodeType) -> Iterator[tuple[str, CodeType]]:
    """All functions' code by qualified names; classes are entered, not yielded."""
    for each in code.co_consts:
        if isinstance(each, CodeType):
            if each.co_flags & CO_OPTIMIZED:  # the body of a class is not
                yield each.co_qualname, each
            yield from _codes(each)


def _shape(code: CodeType) -> tuple[object, ...]:
    """The parts of a code object that decide its behaviour; not its line numbers."""
    consts = tuple(
        _shape(each) if isinstance(each, CodeType) else (type(each), each) for each in code.co_consts
    )
    return code.co_code, consts, code.co_names, code.co_varnames, code.co_freevars


@contextmanager
def swapped(swaps: Sequence[tuple[FunctionType, CodeType]]) -> Iterator[None]:
    """Replace the functions' code within the block."""
    before = [(function, function.__code__) for function, _ in swaps]
    for function, code in swaps:
        function.__code__ = code
    _clear_caches()
    try:
        yield
    finally:
        for function, code in before:
            function.__code__ = code
        _clear_caches()


def _clear_caches() -> None:
    for each in _caches():
        each.cache_clear()


def _caches() -> "list[_lru_cache_wrapper[object]]":
    """Caches of our functions, such as compiled permissions."""
    ours = ("evaluation.", "assessment.", "judges.")
    return [each for each in _alive(_lru_cache_wrapper) if (each.__module__ or "").startswith(ours)]


def _alive(kind: type[Live]) -> list[Live]:
    """All objects of exactly this type; isinstance would evaluate Django's lazy objects."""
    gc.unfreeze()  # frozen objects, as tests/conftest.py leaves them, are not listed
    return [each for each in gc.get_objects() if type(each) is kind]


class _Swapper:
    """A plugin of pytest that runs for each mutant the tests that reach it, the latest killers first."""

    def __init__(self, mutants: Sequence[Mutant], written: IO[str], told: IO[str]) -> None:
        self._mutants, self._written, self._told = mutants, written, told
        self._sources = {each.path: Path(each.path).read_text() for each in mutants}
        self._reached: dict[str, dict[int, list[str]]] = {}
        self._has_failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._has_failed |= report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = self._passing(session)
        for mutant in self._mutants:
            print(self._outcome(items, mutant), file=self._written)
        return True

    def _passing(self, session: pytest.Session) -> list[pytest.Item]:
        """Run the tests without a mutant; return those that pass, modules without a slow test first."""
        recorder = coverage.Coverage(data_file=None, include=list(self._sources))
        caches, seconds = _caches(), {}
        with recorder.collect():
            for item, following in zip(session.items, [*session.items[1:], session], strict=True):
                recorder.switch_context(item.nodeid)
                for cache in caches:
                    cache.cache_clear()
                started = monotonic()
                if self._fails(item, following):
                    print(f"  left out, for it fails without a change: {item.nodeid}", file=self._told)
                    continue
                seconds[item] = monotonic() - started
                item.add_marker(pytest.mark.timeout(SLOWER * seconds[item] + GRACE))
        data = recorder.get_data()
        self._reached = {path: data.contexts_by_lineno(path) for path in self._sources}
        slowest: dict[Path, float] = {}
        for item, duration in seconds.items():
            slowest[item.path] = max(duration, slowest.get(item.path, 0))
        return sorted(seconds, key=lambda item: slowest[item.path])

    def _outcome(self, items: list[pytest.Item], mutant: Mutant) -> Outcome:
        swaps = swaps_of(mutant, self._sources[mutant.path])
        if not swaps:
            return Outcome.UNTRIED
        reached = self._tests_of(mutant, min(code.co_firstlineno for _, code in swaps))
        with swapped(swaps):
            killer = self._killer([item for item in items if item.nodeid in reached])
        if not killer:
            return Outcome.SURVIVED
        # A fixture of the module may be the mutant's.
        killer.session._setupstate.teardown_exact(killer.session)  # type: ignore[arg-type]
        items.remove(killer)
        if self._fails(killer, killer.session):
            print(f"  left out, for it fails when repeated: {killer.nodeid}", file=self._told)
            return self._outcome(items, mutant)
        items.insert(0, killer)
        return Outcome.KILLED

    def _tests_of(self, mutant: Mutant, first: int) -> set[str]:
        """Return the tests that run the mutant's line; parts of a statement may lie on the one before."""
        lines = self._reached[mutant.path]
        nearest = max((line for line in lines if first <= line <= mutant.line), default=None)
        return set(lines[nearest]) if nearest else set()

    def _killer(self, items: Sequence[pytest.Item]) -> pytest.Item | None:
        following = [*items[1:], *(item.session for item in items[-1:])]
        pairs = zip(items, following, strict=True)
        return next((item for item, following in pairs if self._fails(item, following)), None)

    def _fails(self, item: pytest.Item, following: Node) -> bool:
        self._has_failed = False
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        return self._has_failed


def try_in_turn(mutants: Sequence[Mutant], tests: Sequence[str]) -> Iterator[Outcome]:
    """Yield the outcomes of the mutants, in their order."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        _run(mutants, tests, writing)
    os.close(writing)
    try:
        with os.fdopen(reading) as outcomes:
            yield from (Outcome(outcomes.readline().strip() or Outcome.UNTRIED) for _ in mutants)
    finally:
        wait_for(child, ENDING)


def _run(mutants: Sequence[Mutant], tests: Sequence[str], writing: int) -> None:
    """Try the mutants in this forked process, write their outcomes, and end it."""
    with suppress(BaseException), os.fdopen(writing, "w", 1) as written, os.fdopen(os.dup(2), "w", 1) as told:
        os.setpgrp()
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        swapper = _Swapper(mutants, written, told)
        pytest.main([*SITE, *CHOICE, *tests], plugins=[swapper, OnSharedServers()])
    os._exit(0)
