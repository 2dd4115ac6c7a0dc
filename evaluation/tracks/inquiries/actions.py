"""Ask the organizers of a task, and answer."""

from django.db import transaction
from django.db.models.functions import Now

from evaluation.platform.access.people import Role, User
from evaluation.tracks.inquiries.models import QUESTION_MAX, Inquiry
from evaluation.tracks.mail.actions import queue_mail, site_link
from evaluation.tracks.models import Task
from trackside.errors import InputError
from trackside.text.names import is_blank
from trackside.text.visible import visible_text


@transaction.atomic
def ask_organizers(*, task: Task, text: str, by: User) -> Inquiry:
    """Store the question, and mail it to each organizer of the track; the same one again changes nothing.

    Characters that nobody sees, such as those that turn the direction of text, are left out.

    Raises question-empty, question-too-long.
    """
    words = visible_text(text.replace("\r\n", "\n")).strip()
    if is_blank(words):
        raise InputError("Write your question in visible characters.", code="question-empty")
    if len(words) > QUESTION_MAX or "\0" in words:  # PostgreSQL stores no NUL
        raise InputError(
            f"Your question has {len(words):,} characters. Write at most {QUESTION_MAX:,}, without NUL; "
            "a longer text can be behind a link.",
            code="question-too-long",
        )
    inquiry, is_new = Inquiry.objects.get_or_create(task=task, text=words, asked_by=by)
    if is_new:
        people = User.objects.filter(is_active=True, memberships__track=task.track_id)
        for organizer in people.filter(memberships__role=Role.ORGANIZER).distinct():
            _mail("inquiry_asked", inquiry, organizer)
    return inquiry


@transaction.atomic
def answer_inquiry(*, inquiry: Inquiry, is_mailed: bool, by: User) -> Inquiry:
    """Store the inquiry's new answer; with ``is_mailed``, mail it to the asker if they may still read it."""
    inquiry.answered_at, inquiry.answered_by = Now(), by
    inquiry.save(update_fields=["answer", "is_public", "answered_at", "answered_by"])
    asker = User.objects.get(pk=inquiry.asked_by_id)  # a new object, which caches no roles
    if is_mailed and asker.is_active and Inquiry.objects.visible_to(asker).contains(inquiry):
        _mail("inquiry_answered", inquiry, asker)
    return inquiry


def _mail(what: str, inquiry: Inquiry, person: User) -> None:
    task = inquiry.task
    link = site_link("inquiry_list", task.track.slug, task.slug)
    queue_mail(what=what, to=person.email, context={"inquiry": inquiry, "task": task, "link": link})
