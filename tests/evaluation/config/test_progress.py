"""Parts get time while they work, however slow the machine is."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time

import pytest

from evaluation.hosting import progress
from evaluation.hosting.process_tree import PartEnded, ProcessTree
from evaluation.hosting.progress import processor_seconds
from evaluation.hosting.site_parts import Announce


@pytest.fixture(autouse=True)
def _short_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(progress, "WINDOW_SECONDS", 1.0)
    monkeypatch.setattr(progress, "LEAST_WORK", 0.01)


def slow(announce: Announce) -> None:
    """Work for three windows, mostly in a child and most of the time not at all, then get ready."""
    for _ in range(30):
        child = multiprocessing.get_context("fork").Process(target=burn)
        child.start()
        child.join()
        time.sleep(0.1)
    announce()
    signal.pause()


def burn() -> None:
    until = time.process_time() + 0.02
    while time.process_time() < until:
        pass


def idle(_announce: Announce) -> None:
    signal.pause()


def endless(_announce: Announce) -> None:
    while True:
        burn()


def test_slow_part_is_waited_for() -> None:
    with ProcessTree(sys.stdout, is_prefixed=True) as tree:
        tree.start("slow", slow)
        tree.wait_until_ready()
        assert tree.parts["slow"].is_ready
        assert processor_seconds(tree.parts["slow"].process.pid or 0) > 0.5


@pytest.mark.parametrize("part", [idle, endless])
def test_part_that_waits_in_vain_or_runs_in_circles_ends_the_start(
    part: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "MOST_WORK", 1.0)
    with ProcessTree(sys.stdout, is_prefixed=True) as tree:
        tree.start("part", part)  # type: ignore[arg-type]
        with pytest.raises(PartEnded, match="part ended by itself or did not get ready"):
            tree.wait_until_ready()


def test_processor_time_of_another_session_does_not_count() -> None:
    assert processor_seconds(os.getsid(0)) > 0
    assert processor_seconds(2**30) == 0
