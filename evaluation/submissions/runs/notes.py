"""Notes of the organizers to a team on one of its runs."""

from __future__ import annotations

from django.db import models, transaction
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.platform.access.people import User, organizes
from evaluation.platform.access.schema.tracking import tracked
from evaluation.submissions.runs.models import Run
from evaluation.submissions.teams.membership import mail_team
from evaluation.submissions.teams.models import OfTeamQuerySet
from evaluation.tracks.mail.actions import site_link
from trackside.errors import InputError

NOTE_MAX = 4000  # characters


@tracked
class RunNote(models.Model):
    """A dated text. The team and the organizers read it, also after the release."""

    track_path, team_path = "run__task__track", "run__team"
    run = models.ForeignKey(Run, models.PROTECT, related_name="notes")
    text = models.TextField()
    written_at = models.DateTimeField(db_default=Now(), editable=False)
    written_by = models.ForeignKey(User, models.PROTECT, related_name="+", editable=False)

    objects = OfTeamQuerySet["RunNote"].as_manager()

    class Meta:
        ordering = ["written_at", "pk"]
        constraints = [models.CheckConstraint(condition=Q(text__regex=r"\S"), name="run_note_has_a_text")]

    def __str__(self) -> str:
        return f"note on {self.run}"


@transaction.atomic
def write_note(*, run: Run, text: str, by: User) -> RunNote:
    """Store the note, and mail it to each member of the team. Raises not-organizer-of-run, note-empty."""
    if not organizes(by, run.task.track_id):
        raise InputError(
            f"Only the organizers of {run.task} write notes on its runs.", code="not-organizer-of-run"
        )
    words = text.strip()
    if not words or len(words) > NOTE_MAX or "\0" in words:  # PostgreSQL stores no NUL
        raise InputError(f"Write a note of 1 to {NOTE_MAX:,} characters, without NUL.", code="note-empty")
    note = RunNote.objects.create(run=run, text=words, written_by=by)
    link = site_link("run_detail", run.task.track.slug, run.task.slug, run.pk)
    mail_team(run.team, "run_note", {"note": note, "run": run, "link": link})
    return note
