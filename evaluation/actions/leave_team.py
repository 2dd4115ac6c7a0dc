"""Leave a team."""

from __future__ import annotations

from django.db import transaction

from evaluation.core.errors import InputError
from evaluation.models import Membership, Role, Team, User


class TeamNeedsOwner(InputError):
    """Somebody has to answer for the team and its runs."""


@transaction.atomic
def leave_team(*, team: Team, by: User) -> None:
    """Be in the team no longer; with its last member a team without runs is gone. Raises TeamNeedsOwner."""
    Team.objects.select_for_update(no_key=True).get(pk=team.pk)
    others = Membership.objects.filter(team=team).exclude(user=by)
    is_last = not others.exists()
    if is_last and not team.runs.exists():
        team.delete()
        return
    if not others.filter(role=Role.TEAM_OWNER).exists():
        raise TeamNeedsOwner(
            f"{team} has uploaded runs and you are its last member, so you cannot leave it."
            if is_last
            else f"You own {team}. Hand it over to another member, then leave."
        )
    Membership.objects.filter(team=team, user=by).delete()
