"""Check again, when a worker runs queued work, that the person who requested it may still have it done."""

from __future__ import annotations

from evaluation.access.people import User
from evaluation.core.errors import InputError
from evaluation.tracks.archiving import check_not_archived
from evaluation.tracks.models import Task


class NoLongerOrganizer(InputError):
    """The person who requested the work has lost the role, or the account is deactivated."""


def check_may_still_change(task: Task, by: User) -> None:
    """Raise NoLongerOrganizer or TrackArchived, by the rows of this moment."""
    person = User.objects.filter(
        pk=by.pk, is_active=True
    ).first()  # read anew: roles are cached on the object
    if person is None or not Task.objects.organized_by(person).contains(task):
        raise NoLongerOrganizer(
            f"{by} requested this and no longer organizes {task.track}, so nothing was changed. An organizer "
            "of the track can request it again."
        )
    check_not_archived(task.track)
