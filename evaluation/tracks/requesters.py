"""Check the requester of queued work again when a worker runs it."""

from __future__ import annotations

from evaluation.access.people import User
from evaluation.core.errors import InputError
from evaluation.tracks.archiving import check_not_archived
from evaluation.tracks.models import Task


class NoLongerOrganizer(InputError):
    """The person who requested the work has lost the role, or the account is deactivated."""


def check_requester(task: Task, by: User) -> None:
    """Raise NoLongerOrganizer or TrackArchived, from the database and not from cached roles."""
    person = User.objects.filter(pk=by.pk, is_active=True).first()  # a new object, which caches no roles
    if person is None or not Task.objects.organized_by(person).contains(task):
        raise NoLongerOrganizer(
            f"{by} requested this and no longer organizes {task.track}, so nothing was changed. An organizer "
            "of the track can request it again."
        )
    check_not_archived(task.track)
