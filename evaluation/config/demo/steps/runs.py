"""The demo's runs: retrieved, handed in as teams hand theirs in, and checked by the worker."""

from collections.abc import Iterable

from django.core.files.base import ContentFile

from evaluation.actions.receive_run import receive_run
from evaluation.config.demo.progress import Progress
from evaluation.config.demo.retrieval import DemoRun, retrieve_runs
from evaluation.config.demo.steps.people import submitter
from evaluation.config.demo.steps.pictures import Pictures
from evaluation.config.demo.steps.training import Training
from evaluation.config.demo.steps.waiting import Wait
from evaluation.config.demo.world import DemoTask
from evaluation.core.errors import InputError
from evaluation.core.run_checks import Verdict
from evaluation.models import Family, Run, RunState, Task


class RunRejected(InputError):
    """The check refused a run of the demo."""


def submit_runs(
    task: Task, world: DemoTask, pictures: Pictures, clip: Training, tell: Progress, wait: Wait
) -> None:
    """Retrieve the task's runs, upload those that are not there, wait for their verdicts, set their families.

    Raises RunRejected with what the check says.
    """
    folder = clip.folder(tell)
    runs = retrieve_runs(world, pictures.files, folder, tell)
    for run in runs:
        if run.tag not in _uploads(task):
            _upload(task, run)
    wait(lambda: _checked(task), f"checking the runs of the {world.name} task")
    _set_families(task, runs)


def _uploads(task: Task) -> dict[str, Run]:
    """The task's uploads by the tag that their file is named after, rejected ones left out."""
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
            raise RunRejected(_refusal(task, run))
        families = [Family.objects.get_or_create(task=task, name=name)[0] for name in run.families]
        uploads[run.tag].families.set(families)


def _refusal(task: Task, run: DemoRun) -> str:
    refused = Run.objects.filter(task=task, file_name=f"{run.tag}.txt").latest("pk")
    faults = " ".join(str(fault) for fault in Verdict.from_json(refused.verdict or {}).faults)
    return f"The run {run.tag} of the {task.slug} task was rejected. {faults}"
