"""A training in a separate process."""

import os
import threading
import time
from functools import partial
from pathlib import Path

import pytest

from evaluation.demo.progress import Progress
from evaluation.demo.steps.training import training
from tests.evaluation.demo.quiet import silent
from trackside.errors import InputError

HERE = Path("here")
PATIENCE = 60.0  # seconds
LOCK = threading.Lock()


def train(note: Path, tell: Progress) -> Path:
    note.write_text(str(os.getpid()))
    tell(1, 2, "training")
    return HERE


def train_for_ever(note: Path, _tell: Progress) -> Path:
    try:
        note.touch()
        time.sleep(600)
    finally:
        note.unlink()
    return HERE


def train_too_large(_tell: Progress) -> Path:
    raise MemoryError("too large a world")


def train_in_many_steps(note: Path, tell: Progress) -> Path:
    for step in range(10_000):
        tell(step, 10_000, "training")
    note.touch()
    return HERE


def train_under_lock(note: Path, tell: Progress) -> Path:
    assert LOCK.acquire(timeout=1), "held by nobody who could release it"
    return train(note, tell)


@pytest.fixture
def note(tmp_path: Path) -> Path:
    """A file that a training writes."""
    return tmp_path / "begun"


def wait_for(note: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while not note.exists():
        assert time.monotonic() < deadline, "the training did not get there"
        time.sleep(0.01)


def test_training_gives_the_folder_once_asked_and_again(note: Path) -> None:
    progress: list[tuple[int, int, str]] = []
    with training(partial(train, note)) as clip:
        assert clip.folder(lambda *each: progress.append(each)) == HERE
        assert clip.folder(silent) == HERE
    assert int(note.read_text()) != os.getpid()
    assert progress in ([(1, 2, "training")], [])  # progress from before the request may be missing


def test_training_begins_only_when_asked(note: Path) -> None:
    with training(partial(train, note)):
        pass
    assert not note.exists()


def test_training_left_early_is_stopped_and_cleans_up(note: Path) -> None:
    with training(partial(train_for_ever, note)) as clip:
        clip.begin()
        wait_for(note)
    assert not note.exists()


def test_training_that_fails_reports_it(capfd: pytest.CaptureFixture[str]) -> None:
    with training(train_too_large) as clip, pytest.raises(InputError):
        clip.folder(silent)
    assert "too large a world" in capfd.readouterr().err


def test_training_does_not_wait_for_a_listener(note: Path) -> None:
    with training(partial(train_in_many_steps, note)) as clip:
        clip.begin()
        wait_for(note)
        assert clip.folder(silent) == HERE


def test_training_inherits_no_lock_that_a_thread_holds(note: Path) -> None:
    with LOCK, training(partial(train_under_lock, note)) as clip:
        assert clip.folder(silent) == HERE
