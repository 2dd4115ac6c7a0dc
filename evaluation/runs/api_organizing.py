"""API operations by which organizers check, note and set up runs."""

from functools import partial

from django.shortcuts import get_object_or_404

from evaluation.runs.api import NoteOut, RunOut, find_runs, run_detail
from evaluation.runs.api_submitting import router as router
from evaluation.runs.checking import recheck_run
from evaluation.runs.editing import withdraw_run
from evaluation.runs.families import Family
from evaluation.runs.models import Run
from evaluation.runs.notes import RunNote, write_note
from evaluation.runs.settings_forms import RunSettingsForm
from evaluation.runs.submission import remove_question
from evaluation.tracks.lookups import find_organized_task
from evaluation.web.api.bearer import TokenRequest
from evaluation.web.api.changes import change, read_form, texts
from evaluation.web.api.operations import TASK, DoneOut

RUN = f"{TASK}/runs/{{int:run}}"
NOTE = texts(text="1 to 4,000 characters; each member of the team gets them by mail.")
REASON = texts(reason="1 to 500 characters.")
NAME = texts(name="The name.")


def _run(request: TokenRequest, track: str, task: str, run: int) -> Run:
    find_organized_task(request, track, task)
    return run_detail(request, track, task, run)


@change(router, f"{RUN}/notes", NoteOut, reads=NOTE, name="run_notes", rate="announcement", status=201)
def run_note(request: TokenRequest, track: str, task: str, run: int) -> RunNote:
    """Write a note to the team of a run."""
    task_run = _run(request, track, task, run)
    return write_note(run=task_run, by=request.user, **read_form(NOTE, request).cleaned_data)


@change(router, f"{RUN}/withdraw-on-record", RunOut, reads=REASON)
def run_withdraw_on_record(request: TokenRequest, track: str, task: str, run: int) -> Run:
    """Withdraw an accepted run, with the reason, which leaderboards show; its file and verdict stay."""
    task_run = _run(request, track, task, run)
    withdraw_run(run=task_run, by=request.user, **read_form(REASON, request).cleaned_data)
    return run_detail(request, track, task, run)


@change(router, f"{RUN}/recheck", RunOut, status=202)
def run_recheck(request: TokenRequest, track: str, task: str, run: int) -> Run:
    """Queue the check of a parked run again."""
    recheck_run(run=_run(request, track, task, run), by=request.user)
    return run_detail(request, track, task, run)


@change(router, f"{RUN}/settings", RunOut, reads=RunSettingsForm)
def run_settings(request: TokenRequest, track: str, task: str, run: int) -> Run:
    """Set families, type, depth and priority of an accepted run. Repeat `families`, by name."""
    accepted = find_runs(request, track, task).filter(pk=_run(request, track, task, run).pk).accepted()
    form = partial(RunSettingsForm, instance=get_object_or_404(accepted))
    read_form(form, request).save()
    return run_detail(request, track, task, run)


@change(router, f"{TASK}/families/remove", DoneOut, reads=NAME)
def family_remove(request: TokenRequest, track: str, task: str) -> dict[str, str]:
    """Remove a family from the task; the track's file adds families."""
    track_task = find_organized_task(request, track, task)
    family = get_object_or_404(Family, task=track_task, **read_form(NAME, request).cleaned_data)
    family.delete()
    return {"message": f"The family {family} is removed."}


@change(router, f"{TASK}/questions/remove", DoneOut, reads=NAME)
def question_remove(request: TokenRequest, track: str, task: str) -> dict[str, str]:
    """Remove a question that no run has replied to; the track's file adds questions."""
    track_task = find_organized_task(request, track, task)
    question = get_object_or_404(track_task.submission_questions, **read_form(NAME, request).cleaned_data)
    remove_question(question=question)
    return {"message": f"The question {question.name} is removed."}
