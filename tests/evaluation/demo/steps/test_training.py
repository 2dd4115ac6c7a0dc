"""A training in a process of its own."""

import os
import time
from pathlib import Path

import pytest

from evaluation.demo.progress import Progress
from evaluation.demo.steps.training import ModelNotTrained, training
from tests.evaluation.demo.quiet import silent

HERE = Path("here")


def note(folder: Path) -> Path:
    return folder / "begun"


def test_training_gives_the_folder_once_asked_and_again(tmp_path: Path) -> None:
    def train(tell: Progress) -> Path:
        note(tmp_path).write_text(str(os.getpid()))
        tell(1, 2, "training")
        return HERE

    told: list[tuple[int, int, str]] = []
    with training(train) as clip:
        assert clip.folder(lambda *each: told.append(each)) == HERE
        assert clip.folder(silent) == HERE
    assert int(note(tmp_path).read_text()) != os.getpid()
    assert told in ([(1, 2, "training")], [])  # what is no longer news may be left out


def test_training_begins_only_when_asked(tmp_path: Path) -> None:
    def train(_tell: Progress) -> Path:
        note(tmp_path).touch()
        return HERE

    with training(train):
        pass
    assert not note(tmp_path).exists()


def test_training_left_early_is_stopped_and_cleans_up(tmp_path: Path) -> None:
    def train(_tell: Progress) -> Path:
        try:
            note(tmp_path).touch()
            time.sleep(600)
        finally:
            note(tmp_path).unlink()
        return HERE

    with training(train) as clip:
        clip.begin()
        while not note(tmp_path).exists():
            time.sleep(0.01)
    assert not note(tmp_path).exists()


def test_training_that_fails_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    def train(_tell: Progress) -> Path:
        raise MemoryError("too large a world")

    with training(train) as clip, pytest.raises(ModelNotTrained):
        clip.folder(silent)
    assert "too large a world" in capfd.readouterr().err


def test_training_does_not_wait_for_a_listener(tmp_path: Path) -> None:
    def train(tell: Progress) -> Path:
        for step in range(10_000):
            tell(step, 10_000, "training")
        note(tmp_path).touch()
        return HERE

    with training(train) as clip:
        clip.begin()
        deadline = time.monotonic() + 60
        while not note(tmp_path).exists():
            assert time.monotonic() < deadline, "it waits for somebody to listen"
            time.sleep(0.01)
        assert clip.folder(silent) == HERE
