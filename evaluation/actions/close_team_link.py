"""Switch off the link by which people join a team."""

from __future__ import annotations

from django.db import transaction

from evaluation.actions.rename_team import check_owns
from evaluation.models import Team, User


@transaction.atomic
def close_team_link(*, team: Team, by: User) -> Team:
    """Let the link lead nowhere from now on. Raises NotOwner."""
    check_owns(team, by)
    team.has_link = False
    team.save(update_fields=["has_link"])
    return team
