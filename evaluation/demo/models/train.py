"""Trains the missing ones of the demo's two models: `python -m evaluation.demo.models.train CLIP LLAVA`."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import torch
from transformers.utils import logging

from evaluation.demo.models.clip import train_clip
from evaluation.demo.models.llava import train_llava
from evaluation.demo.models.training import training_pictures
from evaluation.demo.scenes import SEED

PICTURES = 3000


def main(clip: Path, llava: Path) -> None:
    """Train the models that are not in their folders yet."""
    logging.disable_progress_bar()
    torch.set_num_threads(1)  # a second thread saves little, and changes the order of sums
    scenes, pixels = training_pictures(SEED, PICTURES)
    whole(clip, lambda folder: train_clip(folder, scenes, pixels))
    whole(llava, lambda folder: train_llava(folder, clip, scenes, pixels))


def whole(folder: Path, train: Callable[[Path], None]) -> None:
    """Fill a missing folder; a training that is cut short leaves none."""
    if not folder.is_dir():
        aside = folder.with_name(f".{folder.name}")
        shutil.rmtree(aside, ignore_errors=True)
        aside.mkdir(parents=True)  # fails now if it cannot be stored
        train(aside)
        aside.rename(folder)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
