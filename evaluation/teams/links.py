"""The link by which people join a team."""

from django.db import transaction
from django.db.models import F

from evaluation.access.people import User
from evaluation.teams.membership import check_owns
from evaluation.teams.models import Team


@transaction.atomic
def renew_team_link(*, team: Team, by: User) -> Team:
    """Create a new link and invalidate the previous one, if any. Raises not-owner."""
    check_owns(team, by)
    team.has_link, team.link_version = True, F("link_version") + 1
    team.save(update_fields=["has_link", "link_version"])
    team.refresh_from_db(fields=["link_version"])
    return team


@transaction.atomic
def close_team_link(*, team: Team, by: User) -> Team:
    """Switch the link off. Raises not-owner."""
    check_owns(team, by)
    team.has_link = False
    team.save(update_fields=["has_link"])
    return team
