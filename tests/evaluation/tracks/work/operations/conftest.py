"""Another way to freeze a pool."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from evaluation.models import Operation
from evaluation.submissions.pools.operations import FREEZE
from evaluation.tracks.work.operations.actions import OperationResult, register_operation
from evaluation.tracks.work.operations.models import KINDS


@pytest.fixture
def change_freezing() -> Iterator[Callable[[Callable[[Operation], OperationResult]], None]]:
    """Replace what freezing a pool does, for one test."""
    before = KINDS[FREEZE]
    yield lambda run: register_operation(replace(before, run=run))
    register_operation(before)
