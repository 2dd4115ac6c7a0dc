"""The real CLIP backend with small batches and an optional delay."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from judges.backends.clip.encoder import ClipEncoder
from tests.faults.judge_worker import BATCH_SECONDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch

    from trackside.judging.judge import Vector


class SlowClip(ClipEncoder):
    """CLIP, two inputs a batch."""

    batch_size: int = 2
    batch_seconds = float(os.environ.get(BATCH_SECONDS, "0"))

    def encode_texts(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Wait, then encode."""
        time.sleep(self.batch_seconds)
        return super().encode_texts(texts)

    def encode_images(self, prepared: Sequence[torch.Tensor]) -> Sequence[Vector]:
        """Wait, then encode."""
        time.sleep(self.batch_seconds)
        return super().encode_images(prepared)
