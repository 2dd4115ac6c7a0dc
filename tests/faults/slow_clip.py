"""The real CLIP backend with small batches and an optional delay, and a worker that offers it."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from judges.backends.clip import ClipEncoder
from judges.registry import BACKENDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judges.backends.clip import PreparedImages
    from judges.core.inputs import Gap
    from judges.core.judge import Vector

NAME, PATH = "slow-clip", "tests.faults.slow_clip:SlowClip"
BATCH_SECONDS = "TRACKSIDE_TEST_BATCH_SECONDS"  # environment variable: seconds before each batch


class SlowClip(ClipEncoder):
    """CLIP, two inputs a batch."""

    batch_size: int = 2
    batch_seconds = float(os.environ.get(BATCH_SECONDS, "0"))

    def encode_texts(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Wait, then encode."""
        time.sleep(self.batch_seconds)
        return super().encode_texts(texts)

    def encode_images(self, prepared: PreparedImages) -> Sequence[Vector | Gap]:
        """Wait, then encode."""
        time.sleep(self.batch_seconds)
        return super().encode_images(prepared)


def main() -> None:
    """Work on the queues that a job needs until killed."""
    from evaluation.config.celery import app

    BACKENDS[NAME] = PATH
    app.worker_main(
        [
            "worker",
            "--pool=threads",
            "--concurrency=1",
            "--queues=default,judges",
            "--without-mingle",
            "--without-gossip",
        ]
    )


if __name__ == "__main__":
    main()
