"""Who takes part in the demo's track, and how to sign in."""

from evaluation.config.demo.teams import TEAMS
from evaluation.models import Membership, Role, Team, Track, User

PASSWORD = "seven quiet harbours"  # noqa: S105 - printed for every visitor of a site on a loopback address
BASELINES = "Baselines"
STAFF, ORGANIZER, ASSESSOR = "staff@example.org", "organizer@example.org", "assessor@example.org"
SIMULATED = ("sim-1", "sim-2", "sim-3", "sim-4")

VISITORS = {
    ORGANIZER: "organizer: the tasks, pools, model jobs, reports and the admin",
    ASSESSOR: "assessor: topics of her own to judge",
    **{f"{team}@example.org": f"team owner of {name}: its runs" for team, name in TEAMS.items()},
    STAFF: "the site's staff: every track and every table",
}
"""Accounts for visitors: address, and what each is for."""


def prepare_people(track: Track) -> None:
    """Add the accounts and teams that are missing. The simulated assessors cannot sign in."""
    _account(STAFF, "Sam Staff", PASSWORD, is_superuser=True)
    _join(track, _account(ORGANIZER, "Olga Organizer", PASSWORD), Role.ORGANIZER)
    _account(ASSESSOR, "Ada Assessor", PASSWORD)
    for name in SIMULATED:
        _join(track, _account(f"{name}@example.org", name, None), Role.ASSESSOR)
    Team.objects.get_or_create(track=track, name=BASELINES, defaults={"is_baseline": True})
    for short, name in TEAMS.items():
        team, _ = Team.objects.get_or_create(track=track, name=name)
        _join(track, _account(f"{short}@example.org", f"{name}, owner", PASSWORD), Role.TEAM_OWNER, team)


def let_visitor_assess(track: Track) -> None:
    """Make the visitors' assessor one of the track's."""
    _join(track, User.objects.get(email=ASSESSOR), Role.ASSESSOR)


def organizer() -> User:
    """Who does what organizers do."""
    return User.objects.get(email=ORGANIZER)


def submitter(track: Track, team: str | None) -> tuple[Team, User]:
    """The team of a short name and its owner; of None, the baselines and the organizer."""
    if team is None:
        return Team.objects.get(track=track, name=BASELINES), organizer()
    return Team.objects.get(track=track, name=TEAMS[team]), User.objects.get(email=f"{team}@example.org")


def _account(email: str, name: str, password: str | None, *, is_superuser: bool = False) -> User:
    known = User.objects.filter(email=email).first()
    return known or User.objects.create_verified(email, password, name=name, is_superuser=is_superuser)


def _join(track: Track, person: User, role: Role, team: Team | None = None) -> None:
    Membership.objects.get_or_create(track=track, user=person, role=role, team=team)
