"""Give a team another name."""

from __future__ import annotations

from django.db import transaction

from evaluation.actions.create_team import check_name_is_free
from evaluation.core.errors import InputError
from evaluation.models import Team, User


class NotOwner(InputError):
    """Only who owns the team may do this."""


class TeamNameSettled(InputError):
    """A run of the team was accepted under its name."""


@transaction.atomic
def rename_team(*, team: Team, name: str, by: User) -> Team:
    """Let the team go by another name. Raises NotOwner, TeamNameSettled, TeamNameNotFree."""
    check_owns(team, by)
    if team.has_settled_name:
        raise TeamNameSettled(f"A run of {team} was accepted, so its name stays. Ask the organizers.")
    if name.lower() != team.name.lower():
        check_name_is_free(team.track, name)
    team.name = name
    team.save(update_fields=["name"])
    return team


def check_owns(team: Team, by: User) -> None:
    """Raise NotOwner; until the transaction ends nobody else changes who is in the team."""
    Team.objects.select_for_update(no_key=True).get(pk=team.pk)
    if not Team.objects.owned_by(by).contains(team):
        raise NotOwner(f"Only the owner of {team} can do this.")
