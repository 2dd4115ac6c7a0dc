"""An encoder without a model that waits before each batch and records in a file what it encoded."""

import hashlib
import os
import time
from collections.abc import Sequence
from pathlib import Path

from tests.faults.judge_worker import BATCH_SECONDS
from tests.judges.counting_encoder import CountingEncoder
from trackside.judging.judge import Vector

ENCODED = "TRACKSIDE_TEST_ENCODED"  # environment variable: the file, one SHA-256 of an input a line


class SlowCounting(CountingEncoder):
    """Two inputs a batch."""

    batch_seconds = float(os.environ.get(BATCH_SECONDS, "0"))

    def encode_texts(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Wait, record, then encode."""
        self._begin([text.encode() for text in texts])
        return super().encode_texts(texts)

    def encode_images(self, prepared: Sequence[bytes]) -> Sequence[Vector]:
        """Wait, record, then encode."""
        self._begin(prepared)
        return super().encode_images(prepared)

    def _begin(self, contents: Sequence[bytes]) -> None:
        time.sleep(self.batch_seconds)
        with Path(os.environ[ENCODED]).open("a") as file:
            file.writelines(f"{hashlib.sha256(content).hexdigest()}\n" for content in contents)
