"""Web API: people's judging: its progress, assignments, and the publication of grades."""

from datetime import datetime
from typing import Annotated, Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from ninja import Router, Schema
from pydantic import BeforeValidator, Field

from assessment.assigning.actions import change_assignment, request_assignment
from assessment.assigning.forms import AssignmentChangeForm, TopicsAssignForm
from assessment.dashboard.progress import progress_by_assessor
from assessment.feedback.actions import open_feedback, write_note
from assessment.feedback.forms import FeedbackForm, NoteForm
from assessment.models.assignment import Assignment
from assessment.models.exclusion import Exclusion
from assessment.models.gold import GoldItem
from assessment.models.plan import ExtraQuestion
from assessment.models.purposes import AssignmentKind
from assessment.preparing.actions import remove_gold, remove_question
from assessment.publishing.actions import request_publication
from assessment.publishing.pages import PublishForm
from assessment.quality.disagreements import assign_adjudication
from assessment.quality.exclusions import exclude_judgments, undo_exclusion
from assessment.quality.forms import ExclusionForm, HandOverForm
from evaluation.platform.web.api.bearer import TokenRequest, organizer, reader
from evaluation.platform.web.api.changes import change, read_form, texts
from evaluation.platform.web.api.operations import TASK, DoneOut, listed
from evaluation.tracks.lookups import find_judged_task
from evaluation.tracks.work.operations.api import OperationOut
from evaluation.tracks.work.operations.models import Operation

router = Router(tags=["Judging"], auth=reader)

Shown = Annotated[str, BeforeValidator(str)]  # as pages show it
HasTime = Annotated[bool, BeforeValidator(bool)]


class AssessorOut(Schema):
    """One assessor's share of a task."""

    name: Shown = Field(alias="assessor")
    judged_count: int
    left_count: int
    median_seconds: float | None = Field(description="Active seconds on an item; null if none were measured.")


class JudgingOut(Schema):
    """Items judged and left in a task, in total and by assessor."""

    judged_count: int
    left_count: int
    assessors: list[AssessorOut]


@router.get(f"{TASK}/judging", response=JudgingOut, url_name="judging_progress")
def judging_progress(request: TokenRequest, track: str, task: str) -> dict[str, Any]:
    """Return the progress of each assessor, for organizers."""
    rows = progress_by_assessor(find_judged_task(request, track, task))
    return {
        "judged_count": sum(row.judged_count for row in rows),
        "left_count": sum(row.left_count for row in rows),
        "assessors": rows,
    }


class AssignmentOut(Schema):
    """A topic of a pool that one assessor grades."""

    id: int
    pool: str = Field(alias="pool.name")
    topic: str
    assessor: Shown
    kind: AssignmentKind
    item_count: int
    judged_count: int
    is_paused: HasTime = Field(alias="paused_at")
    is_ended: HasTime = Field(alias="ended_at")


def _assignments(request: TokenRequest, track: str, task: str) -> QuerySet[Assignment]:
    rows = Assignment.objects.filter(pool__task=find_judged_task(request, track, task)).with_progress()
    return rows.select_related("pool__task__track", "assessor")


@listed(router, f"{TASK}/assignments", AssignmentOut, auth=organizer)
def assignment_list(request: TokenRequest, track: str, task: str) -> QuerySet[Assignment]:
    """List the assignments of a task that you organize, ended ones included."""
    return _assignments(request, track, task)


@change(router, f"{TASK}/judging/assign", OperationOut, reads=TopicsAssignForm, status=202)
def topics_assign(request: TokenRequest, track: str, task: str) -> Operation:
    """Assign a pool to the assessors, by topic or item by item."""
    form = read_form(TopicsAssignForm, request, task=find_judged_task(request, track, task))
    return request_assignment(pool=form.cleaned_data["pool"], options=form.options, by=request.user)


@change(router, f"{TASK}/assignments/{{int:assignment}}", AssignmentOut, reads=AssignmentChangeForm)
def assignment_change(request: TokenRequest, track: str, task: str, assignment: int) -> Assignment:
    """Pause, resume or close an assignment, or give its topic to another assessor, which makes a new one."""
    task_assignment = get_object_or_404(_assignments(request, track, task), pk=assignment)
    form = read_form(AssignmentChangeForm, request, pool=task_assignment.pool)
    changed = change_assignment(assignment=task_assignment, by=request.user, **form.cleaned_data)
    return _assignments(request, track, task).get(pk=changed.pk)


@change(router, f"{TASK}/judging/publish", OperationOut, reads=PublishForm, status=202)
def judgments_publish(request: TokenRequest, track: str, task: str) -> Operation:
    """Publish people's judgments as the next version of their qrels."""
    track_task = find_judged_task(request, track, task)
    form = read_form(PublishForm, request)
    return request_publication(task=track_task, by=request.user, **form.cleaned_data)


@change(router, f"{TASK}/judging/hand-over", list[AssignmentOut], reads=HandOverForm)
def adjudication_assign(request: TokenRequest, track: str, task: str) -> Any:
    """Assign the open disagreements to a third assessor, who grades them blind."""
    track_task = find_judged_task(request, track, task)
    form = read_form(HandOverForm, request, task=track_task)
    assignments = assign_adjudication(task=track_task, to=form.cleaned_data["to"], by=request.user)
    return _assignments(request, track, task).filter(pk__in=[assignment.pk for assignment in assignments])


class ExclusionOut(Schema):
    """Judgments of an assessor that do not count, or that count again."""

    id: int
    assessor: Shown
    topic: str = Field(description="Empty: all topics.")
    since: datetime | None
    until: datetime | None
    reason: str
    judgment_count: int = Field(alias="judgments.count", description="Current judgments in its range.")
    is_undone: HasTime = Field(alias="undone_at")


@change(router, f"{TASK}/judging/exclusions", ExclusionOut, reads=ExclusionForm)
def exclusion_list(request: TokenRequest, track: str, task: str) -> Exclusion:
    """State that judgments of an assessor do not count, and deal their items to others."""
    track_task = find_judged_task(request, track, task)
    form = read_form(ExclusionForm, request, task=track_task)
    return exclude_judgments(task=track_task, by=request.user, **form.cleaned_data).exclusion


@change(router, f"{TASK}/judging/exclusions/{{int:exclusion}}/undo", ExclusionOut)
def exclusion_undo(request: TokenRequest, track: str, task: str, exclusion: int) -> Exclusion:
    """Let the judgments of an exclusion count again."""
    rows = Exclusion.objects.filter(task=find_judged_task(request, track, task))
    return undo_exclusion(exclusion=get_object_or_404(rows, pk=exclusion), by=request.user)


@change(router, f"{TASK}/judging/feedback", DoneOut, reads=FeedbackForm)
def feedback_open(request: TokenRequest, track: str, task: str) -> dict[str, str]:
    """Show the assessors of a released task what became of their grades; they judge no further pool."""
    track_task = find_judged_task(request, track, task)
    open_feedback(task=track_task, by=request.user, **read_form(FeedbackForm, request).cleaned_data)
    return {"message": f"The assessors of {track_task.name} see what became of their grades."}


@change(router, f"{TASK}/judging/feedback/note", DoneOut, reads=NoteForm)
def feedback_note(request: TokenRequest, track: str, task: str) -> dict[str, str]:
    """Set the note on a settled item, for the assessors who graded it otherwise."""
    track_task = find_judged_task(request, track, task)
    sent = read_form(NoteForm, request).cleaned_data
    write_note(task=track_task, **sent)
    return {"message": f"The note on {sent['docno']} is saved."}


GOLD = texts(topic="Number of the topic.", docno="Docno of the document.")


@change(router, f"{TASK}/judging/gold/remove", DoneOut, reads=GOLD)
def gold_remove(request: TokenRequest, track: str, task: str) -> dict[str, str]:
    """Remove a gold item that no assessor has graded in practice or exam; the track's file adds them."""
    track_task = find_judged_task(request, track, task)
    item = get_object_or_404(GoldItem, task=track_task, **read_form(GOLD, request).cleaned_data)
    remove_gold(item=item)
    return {"message": f"{item} is removed."}


QUESTION = texts(name="Short name of the question.")


@change(router, f"{TASK}/judging/questions/remove", DoneOut, reads=QUESTION)
def extra_question_remove(request: TokenRequest, track: str, task: str) -> dict[str, str]:
    """Remove an extra question of assessors, while the task has no judgments."""
    track_task = find_judged_task(request, track, task)
    question = get_object_or_404(ExtraQuestion, task=track_task, **read_form(QUESTION, request).cleaned_data)
    remove_question(question=question)
    return {"message": f"{question} is removed."}
