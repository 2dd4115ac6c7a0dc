"""Operations as pages show them."""

from collections.abc import Iterable
from dataclasses import dataclass

from evaluation.tracks.models import Task
from evaluation.work.operations.actions import find_kind
from evaluation.work.operations.models import Operation, OperationOutcome


@dataclass(frozen=True)
class ShownOperation:
    """An operation with the title of its kind, and the address of its result with the text of the link.

    The address is empty unless the operation is done.
    """

    operation: Operation
    title: str
    address: str
    link: str


@dataclass(frozen=True)
class RecentOperations:
    """The open and the latest ended operations of a task; a page polls while one is pending."""

    rows: list[ShownOperation]

    @property
    def has_pending(self) -> bool:
        """Whether one of them waits or runs."""
        return any(row.operation.is_pending for row in self.rows)


def recent_operations(task: Task) -> RecentOperations:
    """Return the operations for the pages that start some."""
    return RecentOperations(as_shown(Operation.objects.recent(task)))


def as_shown(operations: Iterable[Operation]) -> list[ShownOperation]:
    """Return the operations as pages show them."""
    return [shown(operation) for operation in operations]


def shown(operation: Operation) -> ShownOperation:
    """Return the operation as pages show it."""
    kind = find_kind(operation.kind)
    is_done = operation.outcome == OperationOutcome.DONE
    return ShownOperation(operation, kind.title, kind.address(operation) if is_done else "", kind.link)
