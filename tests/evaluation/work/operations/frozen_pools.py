"""The freezing of a pool as an operation that was requested, and how it ended."""

from __future__ import annotations

from evaluation.models import Operation, Task
from evaluation.pools.operations import request_default_pool
from tests.factories import make_organizer, make_run, make_task


def requested(task: Task | None = None) -> Operation:
    """A pool that waits to be frozen."""
    task = task or make_task()
    make_run(task, results={"T1": ["D1", "D2"]})
    return request_default_pool(task=task, by=make_organizer(task.track))


def ended(operation: Operation) -> tuple[str, str]:
    operation.refresh_from_db()
    return operation.outcome, operation.message
