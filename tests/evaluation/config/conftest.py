"""Static files collected once for all tests that need a site as in production, and the Dockerfile."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
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


@pytest.fixture(scope="session")
def stages() -> dict[str, list[str]]:
    """The instructions of each stage of the Dockerfile, those of the stages below included."""
    text = Path(settings.ROOT, "docker/Dockerfile").read_text().replace("\\\n", " ")
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if start := re.match(r"FROM (\S+) AS (\w+)", line):
            name = start[2]
            found[name] = [*found.get(start[1], []), line]
        elif line and not line.startswith("#"):
            found[name].append(line)
    return found
