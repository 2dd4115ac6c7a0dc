"""Apply for a track, approve and decline teams, and check this at an upload."""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import OuterRef
from django.db.models.expressions import BaseExpression
from django.db.models.functions import Now

from evaluation.platform.access.people import User
from evaluation.submissions.teams.membership import check_owns, mail_team
from evaluation.submissions.teams.models import Team
from evaluation.submissions.teams.registration import WORDS_MAX, Application, ApplicationState, EntryRules
from evaluation.tracks.facts import CountOf
from evaluation.tracks.mail.actions import site_link
from evaluation.tracks.models import TaskKind
from trackside.errors import InputError


def check_registered(team: Team) -> None:
    """Raise team-not-approved if the team may not upload; baselines always may."""
    if team.is_baseline:
        return
    rules = EntryRules.objects.of(team.track)
    approved = Application.objects.filter(team=team, state=ApplicationState.APPROVED)
    if rules.needs_approval and not approved.exists():
        raise InputError(
            f"The organizers of {team.track} have not approved {team}. Its owner applies on the team's page; "
            "once they approve it, upload the run again.",
            code="team-not-approved",
            status=403,
        )


def missing_of(teams: Iterable[Team]) -> list[tuple[Team, str]]:
    """Return each team that may not upload yet, with what it has to do."""
    missing = []
    for team in teams:
        try:
            check_registered(team)
        except InputError as error:
            missing.append((team, str(error)))
    return missing


@transaction.atomic
def apply_for_track(*, team: Team, words: str, by: User) -> Application:
    """Ask the organizers to approve the team, for the first time or again after they declined.

    Raises not-owner, team-gone, words-too-long, application-not-possible.
    """
    check_owns(team, by)
    known = Application.objects.filter(team=team).first()
    if known and known.state != ApplicationState.DECLINED:
        raise InputError(
            f"The application of {team} is {known.get_state_display()} already.",
            code="application-not-possible",
        )
    application = known or Application(team=team)
    application.words, application.applied_at, application.applied_by = _checked(words), Now(), by
    application.state, application.note = ApplicationState.WAITING, ""
    application.decided_at = application.decided_by = None
    application.save()
    return application


@transaction.atomic
def decide_application(*, team: Team, is_approved: bool, note: str, by: User) -> Application:
    """Approve or decline the team with a note, even if it has not applied, and mail its members.

    A later decision replaces an earlier one. Raises words-too-long.
    """
    Team.objects.select_for_update(no_key=True).get(pk=team.pk)
    application = Application.objects.filter(team=team).first() or Application(team=team, applied_by=by)
    application.state = ApplicationState.APPROVED if is_approved else ApplicationState.DECLINED
    application.note, application.decided_at, application.decided_by = _checked(note), Now(), by
    application.save()
    link = site_link("team_detail", team.track.slug, team.pk)
    mail_team(team, "application_decided", {"application": application, "link": link})
    return application


def waiting_facts(_kind: TaskKind) -> dict[str, BaseExpression]:
    """Return the number of applications that wait for the organizers, 0 if the track asks for no approval."""
    teams = Team.objects.filter(track=OuterRef("track"), track__entry_rules__needs_approval=True)
    return {"waiting": CountOf(teams.filter(application__state=ApplicationState.WAITING))}


def _checked(words: str) -> str:
    if len(words) > WORDS_MAX or "\0" in words:  # PostgreSQL stores no NUL
        raise InputError(f"Write at most {WORDS_MAX:,} characters, without NUL.", code="words-too-long")
    return words.strip()
