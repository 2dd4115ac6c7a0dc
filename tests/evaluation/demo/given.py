"""A model that needs no training."""

from functools import partial
from pathlib import Path

from evaluation.demo.progress import Progress
from evaluation.demo.steps.training import Train


def given(folder: Path) -> Train:
    """Return a training that gives the folder at once."""
    return partial(_give, folder)


def _give(folder: Path, _progress: Progress) -> Path:
    return folder
