"""The freezing of a pool as an operation that was requested, and how it ended."""

from evaluation.models import Operation, Task, User
from evaluation.submissions.pools.operations import FREEZE
from evaluation.tracks.work.operations.actions import start_operation
from tests.factories import make_organizer, make_run, make_task


def requested(task: Task | None = None, by: User | None = None) -> Operation:
    """A pool that waits to be frozen."""
    task = task or make_task()
    make_run(task, results={"T1": ["D1", "D2"]})
    options = {"name": "pool 1", "seed": 1}
    return start_operation(
        task=task, kind=FREEZE, about="pool 1", options=options, by=by or make_organizer(task.track)
    )


def ended(operation: Operation) -> tuple[str, str]:
    operation.refresh_from_db()
    return operation.outcome, operation.message
