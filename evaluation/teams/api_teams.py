"""API operations on teams and their registration. Who belongs to a team is changed on pages alone."""

from typing import Any

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from ninja import Query, Router, Schema

from evaluation.teams.forms import TeamNameForm
from evaluation.teams.lookups import find_own_team
from evaluation.teams.membership import create_team, rename_team
from evaluation.teams.models import Team
from evaluation.teams.registering import apply_for_track, decide_application, has_signed, sign_agreement
from evaluation.teams.registration import ApplicationState, EntryRules
from evaluation.tracks.lookups import find_organized_track, find_track
from evaluation.web.api.bearer import TokenRequest, member, reader
from evaluation.web.api.changes import change, read_form, texts
from evaluation.web.api.operations import TRACK, Page, Window, page_of

router = Router(tags=["Teams"])
TEAM = f"{TRACK}/teams/{{int:team}}"


class RulesOut(Schema):
    """What a team needs before it uploads; its owner signs the agreement by its SHA-256."""

    needs_approval: bool
    agreement: str
    agreement_sha256: str


class TeamOut(Schema):
    """A team. ``application`` is empty if it has not applied."""

    id: int
    name: str
    is_baseline: bool
    application: ApplicationState | None
    has_signed: bool

    @staticmethod
    def resolve_application(team: Team) -> str | None:
        """Return the state of the application."""
        return team.application.state if hasattr(team, "application") else None

    @staticmethod
    def resolve_has_signed(team: Team) -> bool:
        """Whether an owner signed the current agreement."""
        return has_signed(team, EntryRules.objects.of(team.track))


class DecisionForm(forms.Form):
    """The organizers' decision, and a note that the team reads."""

    decision = forms.ChoiceField(choices=[("approve", "approve"), ("decline", "decline")])
    note = forms.CharField(required=False, help_text="The team reads it.")


@router.get(f"{TRACK}/registration", response=RulesOut, url_name="registration", auth=reader)
def registration(request: TokenRequest, track: str) -> EntryRules:
    """Return the requirements of a track; its organizers set them by the track's file."""
    return EntryRules.objects.of(find_track(request, track))


@router.get(f"{TRACK}/teams", response=Page[TeamOut], url_name="team_list", auth=reader)
def team_list(
    request: TokenRequest, response: HttpResponse, track: str, window: Query[Window]
) -> dict[str, Any]:
    """List your teams in a track; for its organizers all teams."""
    teams = Team.objects.private_to(request.user).filter(track=find_track(request, track))
    return page_of(teams.select_related("track", "application"), window, request, response, by=["pk"])


@change(router, f"{TRACK}/teams", TeamOut, reads=TeamNameForm, name="team_list", rate="team", auth=member)
def team_create(request: TokenRequest, track: str) -> Team:
    """Create a team of yours; organizers create teams by the track's file."""
    team_track = find_track(request, track)
    return create_team(track=team_track, by=request.user, **read_form(TeamNameForm, request).cleaned_data)


@change(router, f"{TEAM}/rename", TeamOut, reads=TeamNameForm, rate="change", auth=member)
def team_rename(request: TokenRequest, track: str, team: int) -> Team:
    """Rename a team that you own."""
    own_team = find_own_team(request, track, team)
    return rename_team(team=own_team, by=request.user, **read_form(TeamNameForm, request).cleaned_data)


WORDS = texts(words="What the organizers should know of the team.")
AGREEMENT = texts(agreement_sha256="SHA-256 of the agreement that you have read.")


@change(router, f"{TEAM}/apply", TeamOut, reads=WORDS, rate="change", auth=member)
def team_apply(request: TokenRequest, track: str, team: int) -> Team:
    """Ask the organizers to approve a team that you own."""
    own_team = find_own_team(request, track, team)
    if not EntryRules.objects.of(own_team.track).needs_approval:
        raise Http404
    apply_for_track(team=own_team, by=request.user, **read_form(WORDS, request).cleaned_data)
    return find_own_team(request, track, team)


@change(router, f"{TEAM}/sign", TeamOut, reads=AGREEMENT, rate="change", auth=member)
def team_sign(request: TokenRequest, track: str, team: int) -> Team:
    """Sign the agreement for a team that you own."""
    own_team = find_own_team(request, track, team)
    sign_agreement(team=own_team, by=request.user, **read_form(AGREEMENT, request).cleaned_data)
    return own_team


@change(router, f"{TEAM}/decide", TeamOut, reads=DecisionForm, rate="announcement")
def team_decide(request: TokenRequest, track: str, team: int) -> Team:
    """Approve or decline a team of a track that you organize; its members get a mail."""
    teams = Team.objects.filter(track=find_organized_track(request, track), is_baseline=False)
    track_team = get_object_or_404(teams, pk=team)
    values = read_form(DecisionForm, request).cleaned_data
    decide_application(
        team=track_team, is_approved=values["decision"] == "approve", note=values["note"], by=request.user
    )
    return get_object_or_404(teams, pk=team)
