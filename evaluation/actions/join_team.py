"""Join a team by its link."""

from __future__ import annotations

from django.db import transaction

from evaluation.actions.check_may_take_part import check_may_take_part
from evaluation.core.errors import InputError
from evaluation.models import Membership, Role, Team, User


class TeamLinkNotOpen(InputError):
    """The link was renewed, switched off or cut short."""


class AlreadyInTeam(InputError):
    """The person belongs to the team."""


@transaction.atomic
def join_team(*, token: str, by: User) -> Team:
    """Make the person a member of the team that the link leads to.

    Raises TeamLinkNotOpen, AlreadyInTeam, and what check_may_take_part raises; a team of baselines takes
    organizers, too.
    """
    team = find_team_to_join(token, by)
    Membership.objects.create(user=by, track=team.track, role=Role.TEAM_MEMBER, team=team)
    return team


def find_team_to_join(token: str, person: User) -> Team:
    """The team of the link, if the person may join it; raises as join_team does, and names no team then."""
    teams = Team.objects.select_for_update(of=("self",), no_key=True).select_related("track")
    team = teams.of_link(token).first()
    if team is None:
        raise TeamLinkNotOpen(
            "This link is not open: the team has renewed it or switched it off, or it is cut short. "
            "Ask the team for its present one."
        )
    if Team.objects.of_member(person).contains(team):
        raise AlreadyInTeam(f"You are in {team} already.")
    if not (team.is_baseline and person.is_staff):
        check_may_take_part(track=team.track, person=person)
    return team
