"""Retrieves the demo's runs and submits them like those of any team; the worker checks them."""

from collections.abc import Iterable

from django.core.files.base import ContentFile

from evaluation.demo.progress import Progress
from evaluation.demo.retrieval.runs import DemoRun, retrieve_runs
from evaluation.demo.steps.people import submitter
from evaluation.demo.steps.pictures import Pictures
from evaluation.demo.steps.training import TrainingProcess
from evaluation.demo.steps.waiting import Wait
from evaluation.demo.world import DemoTask
from evaluation.runs.families import Family
from evaluation.runs.models import Run, RunState
from evaluation.runs.receiving import receive_run
from evaluation.tracks.models import Task
from trackside.checks import Verdict
from trackside.errors import InputError


def submit_runs(
    task: Task, world: DemoTask, pictures: Pictures, clip: TrainingProcess, progress: Progress, wait: Wait
) -> None:
    """Retrieve the task's runs, upload the missing ones, wait for their verdicts and set their families.

    Raises InputError with the faults found.
    """
    folder = clip.folder(progress)
    runs = retrieve_runs(world, pictures.files, folder, progress)
    for run in runs:
        if run.tag not in _uploads(task):
            _upload(task, run)
    wait(lambda: _checked(task), f"checking the runs of the {world.name} task")
    _set_families(task, runs)


def _uploads(task: Task) -> dict[str, Run]:
    """Return the task's uploads, except rejected ones, by the tag in their file name."""
    uploads = Run.objects.filter(task=task).exclude(state=RunState.REJECTED).order_by("pk")
    return {run.file_name.removesuffix(".txt"): run for run in uploads}


def _upload(task: Task, run: DemoRun) -> None:
    team, person = submitter(task.track, run.team)
    file = ContentFile(run.text.encode(), name=f"{run.tag}.txt")
    receive_run(task=task, team=team, file=file, description=run.description, by=person)


def _checked(task: Task) -> tuple[int, int]:
    runs = Run.objects.filter(task=task)
    total = runs.count()
    return total - runs.filter(state=RunState.RECEIVED).count(), total


def _set_families(task: Task, runs: Iterable[DemoRun]) -> None:
    uploads = _uploads(task)
    for run in runs:
        if run.tag not in uploads:
            raise InputError(_refusal(task, run))
        families = [Family.objects.get_or_create(task=task, name=name)[0] for name in run.families]
        uploads[run.tag].families.set(families)


def _refusal(task: Task, run: DemoRun) -> str:
    refused = Run.objects.filter(task=task, file_name=f"{run.tag}.txt").latest("pk")
    verdict = refused.verdict
    faults = " ".join(str(fault) for fault in Verdict.from_json(verdict.content).faults) if verdict else ""
    return f"The run {run.tag} of the {task.slug} task was rejected. {faults}"
