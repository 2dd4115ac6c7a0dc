"""Create, join, rename, leave and hand over teams; switch their links on and off."""

from collections.abc import Collection, Mapping
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils.translation import gettext

from evaluation.platform.access.people import Membership, Role, User, organizes
from evaluation.platform.access.site_mail import sends_mail
from evaluation.submissions.teams.models import NAME_NOT_FREE, Team
from evaluation.tracks.archiving import check_not_archived
from evaluation.tracks.mail.actions import queue_mail
from evaluation.tracks.models import Task, Track
from trackside.errors import InputError
from trackside.text.names import check_visible, folded


def check_may_take_part(*, track: Track, person: User) -> None:
    """Raise an InputError if the person may not belong to a team of the track.

    Raises track-archived, address-not-verified, assessor-cannot-take-part, organizer-cannot-take-part.
    """
    check_not_archived(track)
    if not person.has_verified_address:
        words = gettext("Your address is not verified. Sign out and in again: we then mail you a code.")
        if not sends_mail():
            words = gettext("Your address is not verified. Ask the site's operator to confirm it.")
        raise InputError(words, code="address-not-verified")
    if Membership.objects.of(person).filter(track=track, role=Role.ASSESSOR).exists():
        raise InputError(
            gettext(
                "You assess in {track} and must not know its runs, so you cannot be in one of its teams."
            ).format(track=track),
            code="assessor-cannot-take-part",
        )
    if organizes(person, track.pk):
        raise InputError(
            gettext(
                "You organize {track} and see every team's runs, so you cannot be in one of its teams. "
                "Your baselines are a separate team, which you make in Set up, under Teams."
            ).format(track=track),
            code="organizer-cannot-take-part",
        )


def check_has_team_left(*, track: Track, person: User) -> None:
    """Raise too-many-teams if the person has MAX_TEAMS; lock their account until the transaction ends.

    A team that the person created counts even after they left it; else they could evade limits on teams.
    """
    User.objects.select_for_update(no_key=True).get(pk=person.pk)
    if Team.objects.counted_for(person).filter(track=track).count() >= settings.MAX_TEAMS:
        raise InputError(
            gettext(
                "One person can make or join {limit} teams in a track; this is your limit. "
                "Ask the organizers if you need another one."
            ).format(limit=settings.MAX_TEAMS),
            code="too-many-teams",
        )


@transaction.atomic
def create_team(*, track: Track, name: str, by: User) -> Team:
    """Create a team owned by the person, while a task of the track is open for runs.

    Raises track-takes-no-teams, team-name-not-free, hidden-character, too-many-teams, and the errors of
    check_may_take_part.
    """
    check_may_take_part(track=track, person=by)
    check_has_team_left(track=track, person=by)
    if not Task.objects.taking_runs_at(Now()).filter(track=track).exists():
        raise InputError(
            f"No task of {track} takes runs now, so it takes no teams either.", code="track-takes-no-teams"
        )
    check_name_is_free(track, name)
    team = Team.objects.create(track=track, name=name, created_by=by)
    Membership.objects.create(user=by, track=track, role=Role.TEAM_OWNER, team=team)
    return team


def check_name_is_free(track: Track, name: str, *, team: Team | None = None) -> None:
    """Raise team-name-not-free or hidden-character; lock the track's names until the transaction ends.

    ``team`` may take a name that looks like its current one.
    """
    check_visible(name)
    Track.objects.select_for_update(no_key=True).get(pk=track.pk)
    others = Team.objects.exclude(pk=team.pk) if team else Team.objects.all()
    if others.alike(track.pk, name).exists():
        raise InputError(NAME_NOT_FREE, code="team-name-not-free")


def mail_team(team: Team, what: str, context: Mapping[str, Any]) -> None:
    """Queue a mail to each member of the team whose account is active."""
    for member in User.objects.filter(is_active=True, memberships__team=team).distinct():
        queue_mail(what=what, to=member.email, context=context)


class AlreadyInTeam(InputError):
    """The person already belongs to the team."""


@transaction.atomic
def join_team(*, token: str, by: User) -> Team:
    """Make the person a member of the link's team.

    The track's organizers may join a team of baselines. Raises team-link-not-open, AlreadyInTeam,
    too-many-teams, and the errors of check_may_take_part.
    """
    team = find_team_to_join(token, by)
    Membership.objects.create(user=by, track=team.track, role=Role.TEAM_MEMBER, team=team)
    return team


def find_team_to_join(token: str, person: User) -> Team:
    """Return the link's team if the person may join it. Raises as join_team; errors do not name the team."""
    teams = Team.objects.select_for_update(of=("self",), no_key=True).select_related("track")
    team = teams.of_link(token).first()
    if team is None:
        raise InputError(
            "This link does not work: the team renewed it or switched it off, or it is incomplete. "
            "Ask the team for the current one.",
            code="team-link-not-open",
        )
    if Team.objects.of_member(person).contains(team):
        raise AlreadyInTeam(f"You are in {team} already.")
    check_not_archived(team.track)
    if not (team.is_baseline and organizes(person, team.track_id)):
        check_may_take_part(track=team.track, person=person)
        check_has_team_left(track=team.track, person=person)
    return team


@transaction.atomic
def rename_team(*, team: Team, name: str, by: User) -> Team:
    """Rename the team.

    Raises team-gone, not-owner, team-name-settled, team-name-not-free, hidden-character.
    """
    check_owns(team, by)
    if team.has_settled_name:
        raise InputError(
            f"A run of {team} was accepted, so it cannot be renamed. Ask the organizers.",
            code="team-name-settled",
        )
    check_name_is_free(team.track, name, team=team)
    team.name = name
    team.save(update_fields=["name", "name_folded"])
    return team


def check_owns(team: Team, by: User) -> None:
    """Lock the team's members until the transaction ends. Raises not-owner, team-gone."""
    _lock(team)
    if not Team.objects.owned_by(by).contains(team):
        raise InputError(f"Only the owner of {team} can do this.", code="not-owner")


def _lock(team: Team) -> None:
    if not Team.objects.select_for_update(no_key=True).filter(pk=team.pk).first():
        raise InputError(f"{team} is deleted: its last member has left it.", code="team-gone")


@transaction.atomic
def leave_team(*, team: Team, by: User) -> None:
    """Leave the team; without runs it is deleted with its last member. Raises team-needs-owner, team-gone."""
    _lock(team)
    others = Membership.objects.filter(team=team).exclude(user=by)
    is_last = not others.exists()
    if is_last and not team.runs.exists():
        team.delete()
        return
    if not others.filter(role=Role.TEAM_OWNER).exists():
        raise InputError(
            f"{team} has uploaded runs and you are its last member, so you cannot leave it."
            if is_last
            else f"You own {team}. Hand it over to another member, then leave.",
            code="team-needs-owner",
        )
    Membership.objects.filter(team=team, user=by).delete()


@transaction.atomic
def hand_over_team(*, team: Team, person: User, by: User) -> None:
    """Make the person the owner, and the current owner a member. Raises not-owner, team-gone, not-member."""
    check_owns(team, by)
    if not Team.objects.of_member(person).contains(team):
        raise InputError(f"{person} is not in {team}. Let them join by its link first.", code="not-member")
    for member, role in ((by, Role.TEAM_MEMBER), (person, Role.TEAM_OWNER)):
        Membership.objects.filter(team=team, user=member).delete()
        Membership.objects.create(user=member, track=team.track, role=role, team=team)


@transaction.atomic
def remove_member(*, team: Team, person: User, by: User) -> None:
    """Remove a member from the team; the team's runs stay. Raises not-owner, team-gone, owner-stays."""
    check_owns(team, by)
    memberships = Membership.objects.filter(team=team, user=person)
    if memberships.filter(role=Role.TEAM_OWNER).exists():
        raise InputError(
            f"{person} owns {team}. An owner can leave after handing the team over.", code="owner-stays"
        )
    memberships.delete()


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


@transaction.atomic
def add_team(*, track: Track, name: str, is_baseline: bool) -> Team:
    """Create a team without people, for invitations. Raises team-name-not-free, hidden-character."""
    check_name_is_free(track, name)
    return Team.objects.create(track=track, name=name, is_baseline=is_baseline)


def add_teams(*, track: Track, teams: Mapping[str, bool]) -> dict[str, str]:
    """Create teams of a new track in one query, by name: whether it is a baseline.

    Return the problem of each name that no team can have; the other teams are created.
    """
    problems: dict[str, str] = {}
    names: set[str] = set()
    for name in teams:
        if problem := _name_problem(name, names):
            problems[name] = problem
        names.add(folded(name))
    Team.objects.bulk_create(
        Team(track=track, name=name, is_baseline=is_baseline)
        for name, is_baseline in teams.items()
        if name not in problems
    )
    return problems


def _name_problem(name: str, names: Collection[str]) -> str:
    """Return why a team cannot have the name; empty if it can. ``names`` are the folded names in use."""
    try:
        check_visible(name)
    except InputError as error:
        return str(error)
    return NAME_NOT_FREE if folded(name) in names else ""
