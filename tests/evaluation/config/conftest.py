"""Static files collected once for all tests that need a site as in production."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import override_settings

from evaluation.config.backends.static_files import collect_static_files
from tests.evaluation.config.collected import production


@pytest.fixture(scope="session")
def collected_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("collected") / "static"
    with override_settings(**production(root)):
        collect_static_files()
    return root


@pytest.fixture
def static_root(collected_files: Path) -> Iterator[Path]:
    """The folder of static files; clients made in the test get files from it."""
    with override_settings(**production(collected_files)):
        yield collected_files
