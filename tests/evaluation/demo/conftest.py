"""A small world and a CLIP trained for a few steps, made once a session, by one worker of pytest-xdist.

What imports torch is imported by the fixtures that need it, not by each worker.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from evaluation.demo.drawing.pictures import draw_pictures
from evaluation.demo.world import CaptionedPicture, World, WorldSize, make_world
from tests.evaluation.demo.quiet import silent

if TYPE_CHECKING:
    from evaluation.demo.edition import Edition

SMALL = WorldSize(pictures=120, suggestion_topics=4, promotion_topics=3)


@pytest.fixture(scope="session")
def world() -> World:
    return make_world(1, size=SMALL)


@pytest.fixture(scope="session")
def images(world: World) -> dict[str, bytes]:
    tasks = (world.suggestion, world.promotion)
    items = [item for task in tasks for item in (*task.topics, *task.documents)]
    return draw_pictures([item for item in items if isinstance(item, CaptionedPicture)], silent)


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="session")
def clip(models: Path) -> Path:
    from evaluation.demo.models.tiny_clip import train_tiny_clip
    from tests.evaluation.demo.recipes import SHORT

    return train_tiny_clip(models, 1, silent, recipe=SHORT)


@pytest.fixture(scope="session")
def edition(clip: Path) -> Edition:
    from evaluation.demo.edition import hold_edition

    return hold_edition(1, clip, silent, size=SMALL)
