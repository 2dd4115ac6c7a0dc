from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conftest import run_chromium

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """One Chromium for tests of this package that run one after another: its start takes a second."""
    yield from run_chromium()
