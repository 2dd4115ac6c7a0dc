"""The participants of the demo's track, and their accounts."""

from django.conf import settings

from evaluation.access.people import Membership, Role, User
from evaluation.demo.scenes import load_data
from evaluation.teams.models import Team
from evaluation.tracks.models import Track
from trackside.errors import InputError

DATA = load_data("track.toml")
PASSWORD = "seven quiet harbours"  # noqa: S105 - printed for every visitor; the site is on a loopback address
BASELINES = "Baselines"
STAFF, ORGANIZER, ASSESSOR = "staff@example.org", "organizer@example.org", "assessor@example.org"
SIMULATED = ("sim-1", "sim-2", "sim-3", "sim-4")
LOOPBACK = {"127.0.0.1", "localhost", "::1", "[::1]"}

VISITORS = {
    ORGANIZER: "organizer: the tasks, pools, model jobs and reports",
    ASSESSOR: "assessor: topics of her own to judge",
    **{
        f"{short}@example.org": f"team owner of {team['name']}: its runs"
        for short, team in DATA["teams"].items()
    },
    STAFF: "the site's staff: every track and every table",
}
"""Accounts for visitors: mail address to purpose."""


def public_hosts() -> list[str]:
    """Return the names of the site by which others may reach it."""
    return sorted({settings.SITE_HOST, *settings.ALLOWED_HOSTS} - LOOPBACK)


def open_accounts() -> list[str]:
    """Return the addresses of the visitors' accounts whose password everybody knows."""
    visitors = User.objects.filter(email__in=VISITORS, is_active=True).order_by("email")
    return [person.email for person in visitors if person.check_password(PASSWORD)]


def prepare_people(track: Track) -> None:
    """Add the accounts and teams to a site without any. Simulated assessors cannot sign in.

    Raises InputError.
    """
    if User.objects.exists():
        raise InputError(
            "This site has accounts already, and the demo would add staff with a password that everybody "
            "knows. Run it with another TRACKSIDE_VAR, and without DATABASE_URL."
        )
    User.objects.create_superuser(STAFF, PASSWORD, name="Sam Staff")
    User.objects.create_verified(ASSESSOR, PASSWORD, name="Ada Assessor")
    join(track, User.objects.create_verified(ORGANIZER, PASSWORD, name="Olga Organizer"), Role.ORGANIZER)
    for name in SIMULATED:
        join(track, User.objects.create_verified(f"{name}@example.org", name=name), Role.ASSESSOR)
    Team.objects.create(track=track, name=BASELINES, is_baseline=True)
    for short, about in DATA["teams"].items():
        owner = User.objects.create_verified(f"{short}@example.org", PASSWORD, name=about["owner"])
        join(track, owner, Role.TEAM_OWNER, Team.objects.create(track=track, name=about["name"]))


def organizer() -> User:
    """Return the account of the organizer."""
    return User.objects.get(email=ORGANIZER)


def submitter(track: Track, team: str) -> tuple[Team, User]:
    """Return the team with this short name and its owner; without one, the baselines' team and organizer."""
    if not team:
        return Team.objects.get(track=track, name=BASELINES), organizer()
    name = DATA["teams"][team]["name"]
    return Team.objects.get(track=track, name=name), User.objects.get(email=f"{team}@example.org")


def join(track: Track, person: User, role: Role, team: Team | None = None) -> None:
    """Give the person this role unless she has it."""
    Membership.objects.get_or_create(track=track, user=person, role=role, team=team)
