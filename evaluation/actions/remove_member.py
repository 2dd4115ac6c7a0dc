"""Take somebody out of a team."""

from __future__ import annotations

from django.db import transaction

from evaluation.actions.rename_team import check_owns
from evaluation.core.errors import InputError
from evaluation.models import Membership, Role, Team, User


class OwnerStays(InputError):
    """An owner leaves by handing the team over."""


@transaction.atomic
def remove_member(*, team: Team, person: User, by: User) -> None:
    """Take a member out of the team; runs of the team stay. Raises NotOwner, OwnerStays."""
    check_owns(team, by)
    memberships = Membership.objects.filter(team=team, user=person)
    if memberships.filter(role=Role.TEAM_OWNER).exists():
        raise OwnerStays(f"{person} owns {team}. Owners leave by themselves, once there is another.")
    memberships.delete()
