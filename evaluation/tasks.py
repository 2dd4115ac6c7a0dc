"""Celery tasks of the app. Each calls one action and is idempotent."""

from collections.abc import Callable
from socket import gethostname
from typing import TypeVar

from celery import Task as CeleryTask
from celery import shared_task

from evaluation.collections.storing import add_looks
from evaluation.organizing.imports.actions import run_import
from evaluation.organizing.imports.models import Import
from evaluation.platform.access.limits.rates import sweep_rates
from evaluation.results.reports.actions import ask_outdated, run_report
from evaluation.results.reports.models import Packing
from evaluation.results.reports.packing import run_packing, sweep_bundles
from evaluation.results.values.actions import run_scoring
from evaluation.submissions.runs.checking import check_next, sweep_runs
from evaluation.tracks.mail.actions import mail_dates, send_mails
from evaluation.tracks.work.models import LongWork
from evaluation.tracks.work.operations.actions import run_operation
from evaluation.tracks.work.operations.models import Operation
from evaluation.tracks.work.queueing import run_waiting
from evaluation.tracks.work.recomputing.models import ReportProgress, Scoring

Row = TypeVar("Row", bound=LongWork)


@shared_task(name="evaluation.check_run")
def check(_run_id: int) -> None:
    """Check the upload whose turn it is, not necessarily the one that the message names."""
    check_next()


def _work_through(model: type[Row], run: Callable[[Row], object]) -> Callable[[], None]:
    """Return the task that runs rows of a kind of long work until none waits for this worker.

    Rows hold the work; a message only wakes a worker, which acknowledges it before the work. A lost message
    only delays the work until beat sends the next one.
    """

    @shared_task(name=model.task_name, bind=True, acks_late=False)
    def work(self: CeleryTask[[], None]) -> None:
        run_waiting(model, run, worker=self.request.hostname or gethostname())

    return work


run_imports = _work_through(Import, lambda row: run_import(task_import=row))
run_scores = _work_through(Scoring, lambda row: run_scoring(scoring=row))
run_reports = _work_through(ReportProgress, lambda row: run_report(progress=row))
run_packings = _work_through(Packing, lambda row: run_packing(packing=row))
run_operations = _work_through(Operation, lambda row: run_operation(operation=row))

# Actions send `mail_send` for new mails; beat sends all of these at intervals (config/queues.py).
sweep = shared_task(name="evaluation.sweep_runs")(sweep_runs)
mail_send = shared_task(name="evaluation.mail_send")(send_mails)
mail_due = shared_task(name="evaluation.mail_dates")(mail_dates)
sweep_meters = shared_task(name="evaluation.sweep_rates")(sweep_rates)
sweep_outdated = shared_task(name="evaluation.sweep_reports")(ask_outdated)
sweep_zips = shared_task(name="evaluation.sweep_bundles")(sweep_bundles)
sweep_pictures = shared_task(name="evaluation.sweep_pictures")(add_looks)
