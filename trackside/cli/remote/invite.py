"""`trackside invite`: invite people by mail to a role in a track."""

import argparse
import sys

from trackside.cli.remote.login import signed_in_site
from trackside.cli.remote.tasks import add_track, track_path
from trackside.errors import InputError

EXAMPLE = "trackside invite assessor ada@example.org grace@example.org --track atomic-2026"
ROLES = {"assessor": "assessor", "organizer": "organizer", "owner": "team_owner", "member": "team_member"}
OF_TEAMS = ("owner", "member")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("role", choices=tuple(ROLES), help="what the people will be; owner and member: of a team")
    add("addresses", nargs="+", metavar="ADDRESS", help="e-mail addresses, 50 at most")
    add_track(parser)
    add("--team", default="", metavar="NAME", help="the team of its owner and members")


def run(arguments: argparse.Namespace) -> int:
    """Invite all people, or nobody if one cannot be invited; return 0."""
    track = track_path(arguments.track)
    if (arguments.role in OF_TEAMS) != bool(arguments.team):
        raise InputError(
            f"--team is for owner and member; {arguments.role} belongs to no team."
            if arguments.team
            else "name the team: --team NAME."
        )
    fields = [("emails", address) for address in arguments.addresses]
    fields += [("role", ROLES[arguments.role]), ("team", arguments.team)]
    site = signed_in_site()
    what = f"{arguments.role} of {arguments.team}" if arguments.team else arguments.role
    for invitation in site.send(f"{track}/invitations", fields):
        day = invitation["expires_at"][:10]
        sys.stdout.write(f"Invited {invitation['email']} as {what}; the link works until {day} (UTC).\n")
    return 0
