"""An operation whose worker dies or hangs before its commit is neither lost nor doubled."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from assessment.core.consolidation import ConsolidationRule
from assessment.publishing.actions import request_publication
from evaluation.models import Operation, OperationOutcome, Qrels, Scoring, Task
from evaluation.tasks import run_operations
from evaluation.tracks.work.models import LOST_AFTER
from tests.assessment.factories import judge, make_assignment
from tests.evaluation.conftest import PATIENCE, wait_for

pytestmark = pytest.mark.whole


class Workers:
    """Processes that run operations; each waits before its commit while the file ``hold`` exists."""

    def __init__(self, environment: dict[str, str], hold: Path) -> None:
        self.environment, self.hold = environment, hold
        self.running: list[subprocess.Popen[bytes]] = []
        hold.touch()

    def start(self, name: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "tests.faults.slow_operations", name, str(self.hold)]
        process = subprocess.Popen(command, env=self.environment, process_group=0)
        self.running.append(process)
        return process

    def wait_for_commit(self) -> None:
        wait_for(self.hold.with_suffix(".reached").exists, "an operation before its commit")


@pytest.fixture
def workers(site_environment: dict[str, str], tmp_path: Path) -> Iterator[Workers]:
    made = Workers(site_environment, tmp_path / "hold")
    yield made
    for process in made.running:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.fixture
def task(site_environment: dict[str, str]) -> Task:
    """A task with a judgment, whose publication waits for a worker."""
    assignment = make_assignment()
    judge(assignment, "D1", 2)
    task = assignment.pool.task
    request_publication(task=task, rule=ConsolidationRule.OWNER, by=assignment.pool.created_by)
    return task


def lose_claim() -> None:
    """Set the last heartbeat to too long ago."""
    Operation.objects.update(seen_at=timezone.now() - LOST_AFTER - timedelta(seconds=1))


def check_published_once(task: Task) -> None:
    operation = Operation.objects.get()
    assert (operation.outcome, operation.message) == (
        OperationOutcome.DONE,
        "Published people (version 1) with 1 graded.",
    )
    assert Qrels.objects.get().graded_count == 1
    assert Scoring.objects.get().task == task


def test_operation_of_a_killed_worker_is_repeated_and_done_once(task: Task, workers: Workers) -> None:
    killed = workers.start("killed")
    workers.wait_for_commit()
    os.killpg(killed.pid, signal.SIGKILL)
    killed.wait()
    assert not Qrels.objects.exists()
    assert Operation.objects.get().ended_at is None
    run_operations()
    assert not Qrels.objects.exists(), "its claim is not lost yet"
    lose_claim()
    run_operations()
    check_published_once(task)
    assert not Scoring.objects.get().claim


def test_stopped_worker_that_goes_on_after_another_took_over_stores_nothing(
    task: Task, workers: Workers
) -> None:
    stopped = workers.start("stopped")
    workers.wait_for_commit()
    os.killpg(stopped.pid, signal.SIGSTOP)
    lose_claim()
    other = workers.start("other")  # waits for the task's row, which the stopped worker has locked
    wait_for(Operation.objects.filter(claimed_by="other").exists, "the claim of the other worker")
    workers.hold.unlink()
    os.killpg(stopped.pid, signal.SIGCONT)
    assert other.wait(PATIENCE) == 0
    assert stopped.wait(PATIENCE) == 0
    check_published_once(task)
