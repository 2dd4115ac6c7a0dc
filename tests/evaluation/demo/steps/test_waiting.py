"""Waiting for workers."""

import pytest

from evaluation.demo.steps import waiting as module
from evaluation.demo.steps.waiting import waiting
from trackside.errors import InputError


class SiteGone(Exception):
    """The site ended."""


def fine() -> None:
    """The site runs."""


def refuse() -> None:
    raise SiteGone


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "POLL", 0.0)


def test_waiting_prints_each_count_until_all_is_done() -> None:
    counts = iter([(0, 2), (1, 2), (1, 2), (2, 2)])
    progress: list[tuple[int, int, str]] = []
    waiting(lambda *each: progress.append(each), fine)(lambda: next(counts), "checking")
    assert list(dict.fromkeys(progress)) == [(0, 2, "checking"), (1, 2, "checking"), (2, 2, "checking")]
    assert next(counts, None) is None


def test_waiting_prints_nothing_if_nothing_is_left() -> None:
    progress: list[object] = []
    waiting(lambda *each: progress.append(each), refuse)(lambda: (3, 3), "checking")
    assert progress == []


def test_waiting_gives_up_when_the_site_is_gone() -> None:
    with pytest.raises(SiteGone):
        waiting(lambda *_: None, refuse)(lambda: (0, 1), "checking")


def test_waiting_gives_up_without_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE", -1.0)
    with pytest.raises(InputError, match="checking, 0 of 1"):
        waiting(lambda *_: None, fine)(lambda: (0, 1), "checking")
