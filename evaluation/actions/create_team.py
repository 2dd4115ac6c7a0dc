"""Make a team in a track."""

from __future__ import annotations

from django.db import transaction
from django.db.models.functions import Now

from evaluation.actions.check_may_take_part import check_may_take_part
from evaluation.core.errors import InputError
from evaluation.models import Membership, Role, Task, Team, Track, User


class TrackTakesNoTeams(InputError):
    """No task of the track takes runs now."""


class TeamNameNotFree(InputError):
    """The track has another team of that name."""


@transaction.atomic
def create_team(*, track: Track, name: str, by: User) -> Team:
    """Make a team that the person owns, while a task of the track takes runs.

    Raises AddressNotVerified, AssessorCannotTakePart, OrganizerCannotTakePart, TrackTakesNoTeams,
    TeamNameNotFree.
    """
    check_may_take_part(track=track, person=by)
    if not Task.objects.taking_runs_at(Now()).filter(track=track).exists():
        raise TrackTakesNoTeams(f"No task of {track} takes runs now, so it takes no teams either.")
    check_name_is_free(track, name)
    team = Team.objects.create(track=track, name=name)
    Membership.objects.create(user=by, track=track, role=Role.TEAM_OWNER, team=team)
    return team


def check_name_is_free(track: Track, name: str) -> None:
    """Raise TeamNameNotFree; until the transaction ends nobody else takes a name in the track."""
    Track.objects.select_for_update(no_key=True).get(pk=track.pk)
    if Team.objects.filter(track=track, name__iexact=name).exists():
        raise TeamNameNotFree("This name is not free in the track. Choose another one.")
