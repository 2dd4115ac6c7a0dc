"""Another way to freeze a pool."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from evaluation.operations.actions import OperationResult, find_kind, register_operation
from evaluation.pools.operations import FREEZE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from evaluation.models import Operation


@pytest.fixture
def change_freezing() -> Iterator[Callable[[Callable[[Operation], OperationResult]], None]]:
    """Replace what freezing a pool does, for one test."""
    before = find_kind(FREEZE)
    yield lambda run: register_operation(replace(before, run=run))
    register_operation(before)
