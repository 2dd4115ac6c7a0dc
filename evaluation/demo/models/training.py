"""Trains the demo's models, each in a process of its own, where Django is not set up."""

from pathlib import Path

from django.conf import settings

from evaluation.demo.progress import Progress
from evaluation.demo.seeds import SEED


def models_folder() -> Path:
    """The folder of trained models."""
    return Path(settings.TRACKSIDE_VAR) / "models"


def train_clip(progress: Progress) -> Path:
    """Return the folder of the demo's own CLIP."""
    from evaluation.demo.models.tiny_clip import train_tiny_clip  # loads torch, for seconds

    return train_tiny_clip(models_folder(), SEED, progress)


def train_llava(progress: Progress) -> Path:
    """Return the folder of the demo's own LLaVA, over its own CLIP, which may still be in training."""
    from evaluation.demo.models.tiny_clip import folder_of  # loads torch, for seconds
    from evaluation.demo.models.tiny_llava import train_tiny_llava

    return train_tiny_llava(models_folder(), folder_of(models_folder(), SEED), SEED, progress)
