from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def tiny_clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a CLIP with random weights."""
    from tests.judges.tiny_clip import save_tiny_clip

    return save_tiny_clip(tmp_path_factory.mktemp("models") / "tiny-clip")
