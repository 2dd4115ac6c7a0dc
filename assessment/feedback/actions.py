"""Open the feedback of a task to its assessors, and write notes for them."""

from django.db import transaction

from assessment.models.aggregates import JudgedItem
from assessment.models.assignment import Assignment
from assessment.models.feedback import Feedback, FeedbackNote
from assessment.models.judgment import Judgment
from evaluation.platform.access.people import User
from evaluation.tracks.models import Task
from trackside.errors import InputError

WORDS = "no further pool of this track goes to these people"


@transaction.atomic
def open_feedback(*, task: Task, words: str, by: User) -> Feedback:
    """Show the assessors of a released task what adjudication changed of their grades, for good.

    From then on nobody who judged the task can be assigned a pool of the track, because they are no longer
    blind to others' grades. Raises not-confirmed, not-released, feedback-open, still-judging.
    """
    tasks = Task.objects.filter(track=task.track_id).order_by("pk")
    list(tasks.select_for_update(no_key=True).values_list("pk"))  # whoever assigns a pool locks its task
    if " ".join(words.split()).casefold() != WORDS:
        raise InputError(f"Write “{WORDS}” to open the feedback.", code="not-confirmed")
    if not Task.objects.released().filter(pk=task.pk).exists():
        raise InputError(f"{task.name} is not released: its judging must be over first.", code="not-released")
    if Feedback.objects.filter(task=task).exists():
        raise InputError(f"The feedback of {task.name} is open already.", code="feedback-open")
    _check_free(task)
    feedback = Feedback.objects.create(task=task, opened_by=by)
    feedback.refresh_from_db()
    return feedback


def _check_free(task: Task) -> None:
    judged = Judgment.objects.of_work().filter(task=task).values("assessor")
    rows = Assignment.objects.going_on().filter(pool__task__track=task.track_id, assessor__in=judged)
    rows = rows.exclude(pool__task__in=Task.objects.released()).select_related("assessor", "pool__task")
    if busy := sorted({f"{row.assessor} in {row.pool.task.name}" for row in rows}):
        raise InputError(
            f"These people have assignments that are not closed: {', '.join(busy)}. Close them, or open the "
            "feedback when these tasks are released.",
            code="still-judging",
        )


@transaction.atomic
def write_note(*, task: Task, topic: str, docno: str, words: str) -> None:
    """Set the note for the assessors of a settled item; no words remove it. Raises nothing-settled."""
    item = JudgedItem.objects.filter(task=task, topic=topic, docno=docno, is_settled=True)
    if not item.exists():
        raise InputError(f"No adjudicator has settled {docno} of topic {topic}.", code="nothing-settled")
    notes = FeedbackNote.objects.filter(task=task, topic=topic, docno=docno)
    if not words:
        notes.delete()
    else:
        FeedbackNote.objects.update_or_create(task=task, topic=topic, docno=docno, defaults={"words": words})
