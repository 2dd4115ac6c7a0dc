"""Archive a finished track: it can be read, and nothing in it can be changed until it is restored."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.db import models, transaction
from django.db.models.functions import Now
from django.utils.translation import gettext

from evaluation.platform.access.people import User, organizes
from evaluation.platform.access.schema.tracking import tracked
from evaluation.tracks.models import Task, Track
from trackside.errors import InputError


class ArchivingQuerySet(models.QuerySet["Archiving"]):
    """Queryset of archivings."""

    def visible_to(self, user: User | AnonymousUser) -> ArchivingQuerySet:
        """Archivings of the tracks that the person may see."""
        return self.filter(track__in=Track.objects.visible_to(user))


@tracked
class Archiving(models.Model):
    """Marks a track as archived; restoring the track deletes the row."""

    track = models.OneToOneField(Track, models.CASCADE, related_name="archiving")
    archived_at = models.DateTimeField(db_default=Now(), editable=False)
    archived_by = models.ForeignKey(User, models.PROTECT, related_name="+", editable=False)

    objects = ArchivingQuerySet.as_manager()

    class Meta:
        verbose_name = "archiving of a track"
        verbose_name_plural = "archivings of tracks"

    def __str__(self) -> str:
        return f"archiving of {self.track}"


def archived_words(name: str) -> str:
    """Return why a change is refused, and what to do."""
    return gettext(
        "{track} is archived, so nothing in it can be changed. Its organizers can restore it on its page."
    ).format(track=name)


def check_not_archived(track: Track) -> None:
    """Raise track-archived if the track is archived."""
    if Archiving.objects.filter(track=track).exists():
        raise InputError(archived_words(track.name), code="track-archived")


def obstacle_of(track: Track) -> str:
    """Return why the track cannot be archived yet; empty if it can.

    A track without a released task cannot be, because the refusal of a change reveals an archived track.
    """
    tasks, released = Task.objects.filter(track=track), Task.objects.with_open_results().filter(track=track)
    if not released.exists():
        return f"No task of {track.name} is released yet. A track can be archived after its release."
    waiting = tasks.opened().exclude(pk__in=released.values("pk")).order_by("name")
    names = ", ".join(waiting.values_list("name", flat=True))
    if names:
        return f"A track can be archived once each task that has opened is released. Not yet: {names}."
    return ""


@transaction.atomic
def archive_track(*, track: Track, by: User) -> Archiving:
    """Archive the track, or return its archiving. Raises not-organizer-of-track, track-not-finished."""
    _check_organizes(track, by)
    Track.objects.select_for_update(no_key=True).get(pk=track.pk)
    if obstacle := obstacle_of(track):
        raise InputError(obstacle, code="track-not-finished")
    return Archiving.objects.get_or_create(track=track, defaults={"archived_by": by})[0]


@transaction.atomic
def restore_track(*, track: Track, by: User) -> None:
    """Take the track out of the archive. Raises not-organizer-of-track."""
    _check_organizes(track, by)
    Archiving.objects.filter(track=track).delete()


def _check_organizes(track: Track, by: User) -> None:
    if not organizes(by, track.pk):
        raise InputError(
            f"Only the organizers of {track} can archive and restore it.", code="not-organizer-of-track"
        )


class NoLongerOrganizer(InputError):
    """The person who requested the work has lost the role, or the account is deactivated."""


def check_requester(task: Task, by: User) -> None:
    """Raise NoLongerOrganizer or track-archived, by the roles in the database, not by cached ones."""
    person = User.objects.filter(pk=by.pk, is_active=True).first()  # a new object, which caches no roles
    if person is None or not organizes(person, task.track_id):
        raise NoLongerOrganizer(
            f"{by} requested this and no longer organizes {task.track}, so nothing was changed. An organizer "
            "of the track can request it again."
        )
    check_not_archived(task.track)
