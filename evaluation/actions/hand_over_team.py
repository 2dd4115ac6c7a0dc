"""Let another member own a team."""

from __future__ import annotations

from django.db import transaction

from evaluation.actions.rename_team import check_owns
from evaluation.core.errors import InputError
from evaluation.models import Membership, Role, Team, User


class NotMember(InputError):
    """Only a member can own the team."""


@transaction.atomic
def hand_over_team(*, team: Team, person: User, by: User) -> None:
    """Make the person the team's owner, and the owner a member. Raises NotOwner, NotMember."""
    check_owns(team, by)
    if not Team.objects.of_member(person).contains(team):
        raise NotMember(f"{person} is not in {team}. Let them join by its link first.")
    for member, role in ((by, Role.TEAM_MEMBER), (person, Role.TEAM_OWNER)):
        Membership.objects.filter(team=team, user=member).delete()
        Membership.objects.create(user=member, track=team.track, role=role, team=team)
