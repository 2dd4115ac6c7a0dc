"""A worker whose publications wait before they are committed, until a file is removed."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import django

if TYPE_CHECKING:
    from evaluation.models import Operation
    from evaluation.tracks.work.operations.actions import OperationResult


def main() -> None:
    """Run the operations that wait. Arguments: name of the worker, file that holds publications."""
    django.setup()
    from assessment.publishing.actions import PUBLISH
    from evaluation.models import Operation
    from evaluation.tracks.work.operations.actions import register_operation, run_operation
    from evaluation.tracks.work.operations.models import KINDS
    from evaluation.tracks.work.queueing import run_waiting

    worker, hold = sys.argv[1], Path(sys.argv[2])
    kind = KINDS[PUBLISH]

    def publish_and_wait(operation: Operation) -> OperationResult:
        done: OperationResult = kind.run(operation)
        hold.with_suffix(".reached").touch()
        while hold.exists():
            time.sleep(0.02)
        return done

    register_operation(replace(kind, run=publish_and_wait))
    run_waiting(Operation, lambda row: run_operation(operation=row), worker=worker)


if __name__ == "__main__":
    main()
