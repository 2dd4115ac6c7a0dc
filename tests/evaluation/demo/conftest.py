"""A small world and a CLIP trained for a few steps, made once a session, by one worker of pytest-xdist."""

from pathlib import Path

import pytest

from evaluation.demo.drawing import draw_pictures
from evaluation.demo.edition import Edition, hold_edition
from evaluation.demo.tiny_clip import Recipe, train_tiny_clip
from evaluation.demo.world import Picture, World, WorldSize, make_world
from tests.evaluation.demo.quiet import silent

SMALL = WorldSize(pictures=120, suggestion_topics=4, promotion_topics=3)
SHORT = Recipe(pictures=160, steps=40, batch=32, merges=120)
LEAST = Recipe(pictures=16, steps=2, batch=8, merges=10)


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the demo's tests on one worker: another would make its own world and train its own CLIP."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.xdist_group("demo"))


@pytest.fixture(scope="session")
def world() -> World:
    return make_world(1, size=SMALL)


@pytest.fixture(scope="session")
def images(world: World) -> dict[str, bytes]:
    tasks = (world.suggestion, world.promotion)
    items = [item for task in tasks for item in (*task.topics, *task.documents)]
    return draw_pictures([item for item in items if isinstance(item, Picture)], silent)


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="session")
def clip(models: Path) -> Path:
    return train_tiny_clip(models, 1, silent, recipe=SHORT)


@pytest.fixture(scope="session")
def edition(clip: Path) -> Edition:
    return hold_edition(1, clip, silent, size=SMALL)
