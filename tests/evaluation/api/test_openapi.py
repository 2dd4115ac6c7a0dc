"""The schema of version 1 of the API, stored so that no change is accidental."""

from __future__ import annotations

from evaluation.config.api import api
from tests.evaluation.api.schemas import STORED, live


def test_api_equals_its_stored_schema() -> None:
    """To accept a change: ``python -m tests.evaluation.api.store_openapi``, and read the difference."""
    assert STORED.read_text() == live()


def test_schema_is_built_once() -> None:
    """Anybody may ask for it, and building it takes a thread 0.2 s."""
    assert api.get_openapi_schema() is api.get_openapi_schema()
