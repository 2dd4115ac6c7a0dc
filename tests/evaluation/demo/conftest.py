"""A small world and a CLIP trained for a few steps, made once a session, by one worker of pytest-xdist.

What imports torch is imported by the fixtures that need it, not by each worker.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from evaluation.demo.world import WorldSize

if TYPE_CHECKING:
    from torch import Tensor

    from evaluation.demo.scenes import Scene

SMALL = WorldSize(pictures=120, suggestion_topics=4, promotion_topics=3)
STEPS = 80


@pytest.fixture(scope="session")
def learnt() -> tuple[list[Scene], Tensor]:
    """Pictures to learn from."""
    from evaluation.demo.models.training import training_pictures

    return training_pictures(1, 160)


@pytest.fixture(scope="session")
def clip(learnt: tuple[list[Scene], Tensor], tmp_path_factory: pytest.TempPathFactory) -> Path:
    import torch

    from evaluation.demo.models.clip import train_clip

    folder, threads = tmp_path_factory.mktemp("models") / "clip", torch.get_num_threads()
    torch.set_num_threads(1)  # at this size a second thread only waits
    train_clip(folder, *learnt, steps=STEPS)
    torch.set_num_threads(threads)
    return folder
