from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.signals import request_started


@pytest.fixture(autouse=True)
def _cells_by_place(no_singles: None) -> None:
    """Modules with singles override no_singles."""


@pytest.fixture
def requests() -> Iterator[Counter[str]]:
    """The requests that reach the site, by method and last part of the path; without pictures and files."""
    counts: Counter[str] = Counter()

    def note(environ: dict[str, Any], **_: object) -> None:
        path = environ["PATH_INFO"]
        if path.startswith("/judging/"):
            counts[f"{environ['REQUEST_METHOD']} {path.rstrip('/').split('/')[-1]}"] += 1

    request_started.connect(note)
    yield counts
    request_started.disconnect(note)
