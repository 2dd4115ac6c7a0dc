"""Celery tasks of the app. Each calls one action and is idempotent."""

from socket import gethostname

from celery import Task as CeleryTask
from celery import shared_task

from evaluation.access.limits.rates import sweep_rates
from evaluation.imports.actions import run_import
from evaluation.imports.models import Import
from evaluation.mail.actions import send_mails
from evaluation.mail.dates import mail_dates
from evaluation.reports.actions import ask_outdated, run_report
from evaluation.reports.models import Packing
from evaluation.reports.packing import run_packing, sweep_bundles
from evaluation.runs.checking import check_next, sweep_runs
from evaluation.values.actions import run_scoring
from evaluation.work.operations.actions import run_operation
from evaluation.work.operations.models import Operation
from evaluation.work.queueing import run_waiting
from evaluation.work.recomputing.models import ReportProgress, Scoring


@shared_task(name="evaluation.check_run")
def check(_run_id: int) -> None:
    """Check the upload whose turn it is, not necessarily the one that the message names."""
    check_next()


# Rows hold the work; a message only wakes a worker, which acknowledges it before the work. A lost message
# only delays the work until beat sends the next one.


@shared_task(name="evaluation.run_imports", bind=True, acks_late=False)
def run_imports(self: CeleryTask[[], None]) -> None:
    """Try and add imports until none waits for this worker."""
    run_waiting(Import, lambda row: run_import(task_import=row), worker=_worker(self))


@shared_task(name="evaluation.run_scores", bind=True, acks_late=False)
def run_scores(self: CeleryTask[[], None]) -> None:
    """Score the runs of tasks until none waits for this worker."""
    run_waiting(Scoring, lambda row: run_scoring(scoring=row), worker=_worker(self))


@shared_task(name="evaluation.run_reports", bind=True, acks_late=False)
def run_reports(self: CeleryTask[[], None]) -> None:
    """Compute reports until none waits for this worker."""
    run_waiting(ReportProgress, lambda row: run_report(progress=row), worker=_worker(self))


@shared_task(name="evaluation.run_packings", bind=True, acks_late=False)
def run_packings(self: CeleryTask[[], None]) -> None:
    """Pack zips of reports until none waits for this worker."""
    run_waiting(Packing, lambda row: run_packing(packing=row), worker=_worker(self))


@shared_task(name="evaluation.run_operations", bind=True, acks_late=False)
def run_operations(self: CeleryTask[[], None]) -> None:
    """Run operations of organizers until none waits for this worker."""
    run_waiting(Operation, lambda row: run_operation(operation=row), worker=_worker(self))


@shared_task(name="evaluation.sweep_runs")
def sweep() -> None:
    """Queue again the checks that no worker claimed; beat sends it twice a minute."""
    sweep_runs()


@shared_task(name="evaluation.mail_send")
def mail_send() -> None:
    """Send due mails; actions send this task for new mails, beat for retries."""
    send_mails()


@shared_task(name="evaluation.mail_dates")
def mail_due() -> None:
    """Queue mails to teams about approaching closes and releases; beat sends it every few minutes."""
    mail_dates()


@shared_task(name="evaluation.sweep_rates")
def sweep_meters() -> None:
    """Delete unused rate meters; beat sends it once an hour."""
    sweep_rates()


@shared_task(name="evaluation.sweep_reports")
def sweep_outdated() -> None:
    """Queue reports that other code computed; beat sends it every ten minutes."""
    ask_outdated()


@shared_task(name="evaluation.sweep_bundles")
def sweep_zips() -> None:
    """Delete old zips of reports; beat sends it once an hour."""
    sweep_bundles()


def _worker(task: CeleryTask[[], None]) -> str:
    """Return the name of the worker's node, such as long@machine."""
    return task.request.hostname or gethostname()
