"""Train the demo's two models and store them: `python -m tools.tiny_models [FOLDER]`, about two minutes."""

import sys
from pathlib import Path

import torch
from transformers.utils import logging

from evaluation.running.demo.models import WEIGHTS
from evaluation.running.demo.scenes import SEED
from tools.tiny_models.clip import train_clip
from tools.tiny_models.llava import train_llava
from tools.tiny_models.training import training_pictures

PICTURES = 3000


def main(folder: Path) -> None:
    """Train a CLIP into `clip` of this folder and a LLaVA into `llava`, over the files that are there."""
    logging.disable_progress_bar()
    torch.set_num_threads(1)  # a second thread saves little, and changes the order of sums
    scenes, pixels = training_pictures(SEED, PICTURES)
    train_clip(folder / "clip", scenes, pixels)
    train_llava(folder / "llava", folder / "clip", scenes, pixels)


if __name__ == "__main__":
    main(*(map(Path, sys.argv[1:]) if sys.argv[1:] else [WEIGHTS]))
