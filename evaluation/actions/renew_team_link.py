"""Make a link by which people join a team."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F

from evaluation.actions.rename_team import check_owns
from evaluation.models import Team, User


@transaction.atomic
def renew_team_link(*, team: Team, by: User) -> Team:
    """Switch a new link on; the one before, if any, leads nowhere from now on. Raises NotOwner."""
    check_owns(team, by)
    team.has_link, team.link_version = True, F("link_version") + 1
    team.save(update_fields=["has_link", "link_version"])
    team.refresh_from_db(fields=["link_version"])
    return team
