"""Who of six people with different roles sees a row."""

from typing import Any

from django.contrib.auth.models import AnonymousUser

from evaluation.models import Team, User
from tests.factories import make_assessor, make_organizer, make_team, make_team_member, make_track


def seen_by(row: Any, team: Team) -> set[str]:
    readers: dict[str, User | AnonymousUser] = {
        "organizer": make_organizer(team.track),
        "member": make_team_member(team),
        "rival": make_team_member(make_team(team.track)),
        "assessor": make_assessor(team.track),
        "stranger": make_organizer(make_track()),
        "signed-out": AnonymousUser(),
    }
    found = type(row).objects
    return {name for name, reader in readers.items() if found.visible_to(reader).contains(row)}
