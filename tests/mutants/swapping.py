"""Try mutants of functions in the process that runs the tests: only the function's code is swapped.

A separate process for each mutant takes seconds to import Django and to copy the database. Here both
happen once, and each mutant costs its tests alone.
"""

import gc
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import _lru_cache_wrapper
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FunctionType
from typing import IO, TypeVar

import pytest

from tests.mutants.mutant import Mutant
from tests.mutants.running import SITE, OnSharedServers, Outcome, wait_for
from tests.mutants.targets import Target

Live = TypeVar("Live")
MOST_SECONDS = 7200.0  # for all mutants of a module
CHOICE = [
    "-p",
    "no:unraisableexception",
    "-q",
    "-m",
    "not long and not whole and not browser",
    "--timeout=120",
]  # s a test, on a mutant


def swaps_of(mutant: Mutant, path: str, source: str) -> list[tuple[FunctionType, CodeType]]:
    """Return the live functions that the mutant changes, with their new code; none if it changes others."""
    old = dict(_codes(compile(source, path, "exec")))
    new = dict(_codes(compile(mutant.source, path, "exec")))
    changed = {name for name in old if name in new and _shape(old[name]) != _shape(new[name])}
    outermost = {name for name in changed if not any(name.startswith(f"{each}.<locals>") for each in changed)}
    found = [
        (each, new[name])
        for each in _alive(FunctionType)
        if each.__code__.co_filename == path
        for name in changed  # a decorator's inner function, too: it lives on in what was decorated
        if (each.__code__.co_qualname, each.__code__.co_firstlineno) == (name, old[name].co_firstlineno)
        and each.__code__.co_freevars == new[name].co_freevars
    ]
    is_whole = outermost <= {each.__code__.co_qualname for each, _ in found}
    return found if is_whole and set(old) == set(new) else []


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
    """Clear caches of our functions, such as compiled permissions."""
    for each in _alive(_lru_cache_wrapper):
        if (each.__module__ or "").startswith(("evaluation.", "assessment.", "judges.")):
            each.cache_clear()


def _alive(kind: type[Live]) -> list[Live]:
    """All objects of exactly this type; isinstance would evaluate Django's lazy objects."""
    gc.unfreeze()  # frozen objects, as tests/conftest.py leaves them, are not listed
    return [each for each in gc.get_objects() if type(each) is kind]


class _Swapper:
    """A plugin of pytest that runs the tests once for each mutant, the latest killers first.

    In the end it runs them without a mutant again: a test that fails when repeated would kill every mutant.
    """

    def __init__(self, mutants: Sequence[Mutant], path: str, written: IO[str]) -> None:
        self._mutants, self._path, self._written = mutants, path, written
        self._source = Path(path).read_text()
        self._has_failed = False
        self.is_green = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._has_failed |= report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = list(session.items)
        if self._killing_test(items):
            return True
        for mutant in self._mutants:
            swaps = swaps_of(mutant, self._path, self._source)
            if not swaps:
                continue
            with swapped(swaps):
                killer = self._killing_test(items)
            if killer:
                items.remove(killer)
                items.insert(0, killer)
            outcome = Outcome.KILLED if killer else Outcome.SURVIVED
            print(json.dumps([mutant.name, outcome]), file=self._written)
        self.is_green = self._killing_test(items) is None
        return True

    def _killing_test(self, items: Sequence[pytest.Item]) -> pytest.Item | None:
        """Run the tests until one fails, and return it."""
        self._has_failed = False
        for item, following in zip(items, [*items[1:], *items[:1]], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self._has_failed:
                return item
        return None


def try_in_turn(target: Target, mutants: Sequence[Mutant]) -> dict[str, Outcome]:
    """Return the outcomes by names: of the nearest tests, and of the others if these notice nothing.

    Missing are mutants that change more than functions, and all if the tests fail without a mutant.
    """
    known = _try_together(target, mutants, target.near)
    alive = [each for each in mutants if known.get(each.name) == Outcome.SURVIVED]
    if not (alive and target.far):
        return known
    killed = {name: outcome for name, outcome in known.items() if outcome == Outcome.KILLED}
    return killed | _try_together(target, alive, target.far)


def _try_together(target: Target, mutants: Sequence[Mutant], tests: Sequence[str]) -> dict[str, Outcome]:
    with tempfile.NamedTemporaryFile("r") as outcomes:
        child = os.fork()
        if not child:
            _run(target, mutants, tests, outcomes.name)
        wait_for(child, MOST_SECONDS)
        return {name: Outcome(value) for name, value in map(json.loads, outcomes)}


def _run(target: Target, mutants: Sequence[Mutant], tests: Sequence[str], outcomes: str) -> None:
    """Try the mutants in this forked process, write their outcomes, and end it."""
    with suppress(BaseException), Path(outcomes).open("w", buffering=1) as written:
        os.setpgrp()
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        swapper = _Swapper(mutants, str(target.path), written)
        pytest.main([*SITE, *CHOICE, *tests], plugins=[swapper, OnSharedServers()])
        if not swapper.is_green:
            written.truncate(0)
    os._exit(0)
