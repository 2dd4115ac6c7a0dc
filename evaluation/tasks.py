"""What workers do for the evaluation. Each task calls one action and may run twice without harm."""

from __future__ import annotations

from contextlib import suppress

from celery import shared_task

from evaluation.actions.check_run import check_run
from evaluation.actions.compute_report import compute_report
from evaluation.actions.mail_dates import mail_dates
from evaluation.actions.run_import import run_import
from evaluation.actions.score_runs import score_runs
from evaluation.actions.send_mails import send_mails
from evaluation.actions.sweep_imports import sweep_imports
from evaluation.actions.sweep_runs import sweep_runs
from evaluation.core.errors import InputError
from evaluation.core.log_context import bound
from evaluation.core.report.choice import Choice
from evaluation.models import ReportProgress, Task


@shared_task(name="evaluation.check_run")
def check(run_id: int) -> None:
    """Give an upload its verdict."""
    with bound(run=run_id):
        check_run(run_id=run_id)


@shared_task(name="evaluation.compute_report")
def report(task_id: int) -> None:
    """Score the runs of a task, and compute its report."""
    with bound(task=task_id):
        task = Task.objects.get(pk=task_id)
        score_runs(task=task)
        compute_report(task=task)


@shared_task(name="evaluation.compute_chosen_report")
def chosen_report(progress_id: int) -> None:
    """Compute the report that somebody asked for; what is wrong with it the page says."""
    progress = ReportProgress.objects.get(pk=progress_id)
    with bound(task=progress.task_id), suppress(InputError):
        compute_report(task=progress.task, choice=Choice.from_json(progress.choice))


@shared_task(name="evaluation.run_import")
def import_file(import_id: int) -> None:
    """Try an import, or add what it holds."""
    with bound(task_import=import_id):
        run_import(import_id=import_id)


@shared_task(name="evaluation.sweep_runs")
def sweep() -> None:
    """Queue again the checks that no worker took up; beat sends it twice a minute."""
    sweep_runs()


@shared_task(name="evaluation.sweep_imports")
def sweep_files() -> None:
    """Queue again the imports whose worker is gone; beat sends it once a minute."""
    sweep_imports()


@shared_task(name="evaluation.mail_send")
def mail_send() -> None:
    """Send the mails that are due; actions send it, and beat for those that wait for another try."""
    send_mails()


@shared_task(name="evaluation.mail_dates")
def mail_due() -> None:
    """Tell teams of dates that draw near or have come; beat sends it every few minutes."""
    mail_dates()
