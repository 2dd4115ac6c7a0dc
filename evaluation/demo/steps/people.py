"""The participants of the demo's track, and their accounts."""

from django.conf import settings

from evaluation.access.people import Membership, Role, User
from evaluation.demo.teams import OWNERS, TEAMS
from evaluation.teams.models import Team
from evaluation.tracks.models import Track
from trackside.errors import InputError

PASSWORD = "seven quiet harbours"  # noqa: S105 - printed for every visitor; the site is on a loopback address
BASELINES = "Baselines"
STAFF, ORGANIZER, ASSESSOR = "staff@example.org", "organizer@example.org", "assessor@example.org"
SIMULATED = ("sim-1", "sim-2", "sim-3", "sim-4")

VISITORS = {
    ORGANIZER: "organizer: the tasks, pools, model jobs, reports and the admin",
    ASSESSOR: "assessor: topics of her own to judge",
    **{f"{team}@example.org": f"team owner of {name}: its runs" for team, name in TEAMS.items()},
    STAFF: "the site's staff: every track and every table",
}
"""Accounts for visitors: mail address to purpose."""


LOOPBACK = {"127.0.0.1", "localhost", "::1", "[::1]"}


def public_hosts() -> list[str]:
    """Return the names of the site by which others may reach it."""
    return sorted({settings.SITE_HOST, *settings.ALLOWED_HOSTS} - LOOPBACK)


def open_accounts() -> list[str]:
    """Return the addresses of the visitors' accounts whose password everybody knows."""
    found = User.objects.filter(email__in=VISITORS, is_active=True).order_by("email")
    return [each.email for each in found if each.check_password(PASSWORD)]


def prepare_people(track: Track) -> None:
    """Add the accounts and teams to a site without any. Simulated assessors cannot sign in.

    Raises InputError.
    """
    if User.objects.exists():
        raise InputError(
            "This site has accounts already, and the demo would add staff with a password that everybody "
            "knows. Run it with another TRACKSIDE_VAR, and without DATABASE_URL."
        )
    _account(STAFF, "Sam Staff", PASSWORD, is_superuser=True)
    _join(track, _account(ORGANIZER, "Olga Organizer", PASSWORD), Role.ORGANIZER)
    _account(ASSESSOR, "Ada Assessor", PASSWORD)
    for name in SIMULATED:
        _join(track, _account(f"{name}@example.org", name, None), Role.ASSESSOR)
    Team.objects.get_or_create(track=track, name=BASELINES, defaults={"is_baseline": True})
    for short, name in TEAMS.items():
        team, _ = Team.objects.get_or_create(track=track, name=name)
        _join(track, _account(f"{short}@example.org", OWNERS[short], PASSWORD), Role.TEAM_OWNER, team)


def let_visitor_assess(track: Track) -> None:
    """Make the visitors' account an assessor of the track."""
    _join(track, User.objects.get(email=ASSESSOR), Role.ASSESSOR)


def organizer() -> User:
    """Return the account of the organizer."""
    return User.objects.get(email=ORGANIZER)


def submitter(track: Track, team: str | None) -> tuple[Team, User]:
    """Return the team with this short name and its owner; for None, the baselines' team and the organizer."""
    if team is None:
        return Team.objects.get(track=track, name=BASELINES), organizer()
    return Team.objects.get(track=track, name=TEAMS[team]), User.objects.get(email=f"{team}@example.org")


def _account(email: str, name: str, password: str | None, *, is_superuser: bool = False) -> User:
    known = User.objects.filter(email=email).first()
    return known or User.objects.create_verified(email, password, name=name, is_superuser=is_superuser)


def _join(track: Track, person: User, role: Role, team: Team | None = None) -> None:
    Membership.objects.get_or_create(track=track, user=person, role=role, team=team)
