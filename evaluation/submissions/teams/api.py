"""API operations on teams, their registration and invitations; only pages change who belongs to a team."""

from datetime import datetime
from http import HTTPStatus
from uuid import UUID

from django import forms
from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from ninja import Form, Header, Router, Schema, Status
from pydantic import Field

from evaluation.platform.access.people import TEAM_ROLES, Role
from evaluation.platform.web.api.bearer import TokenRequest, inviter, member, organizer, reader
from evaluation.platform.web.api.changes import change, read_form, texts
from evaluation.platform.web.api.gone import gone
from evaluation.platform.web.api.operations import TRACK, DoneOut, Text, listed
from evaluation.submissions.teams.forms import InviteForm, TeamInviteForm, TeamNameForm
from evaluation.submissions.teams.invitation_pages import accept_url
from evaluation.submissions.teams.invitations import invite_people
from evaluation.submissions.teams.lookups import find_named_team, find_own_team
from evaluation.submissions.teams.membership import create_team, rename_team
from evaluation.submissions.teams.models import Invitation, Team
from evaluation.submissions.teams.registering import apply_for_track, decide_application
from evaluation.submissions.teams.registration import ApplicationState, EntryRules
from evaluation.tracks.lookups import find_organized_track, find_track
from evaluation.tracks.models import Track
from trackside.errors import InputError

router = Router(tags=["Invitations"], auth=organizer)
INVITATIONS = f"{TRACK}/invitations"


class InvitationOut(Schema):
    """An invitation. Only the mail has its link; ``team`` is null outside teams."""

    id: int
    email: str
    role: Role
    team: str | None
    invited_by: str = Field(alias="invited_by.name")
    invited_at: datetime
    expires_at: datetime

    @staticmethod
    def resolve_team(invitation: Invitation) -> str | None:
        """Return the team's name."""
        return invitation.team.name if invitation.team else None


class InvitationIn(Schema):
    """The form fields; the field of the addresses is repeated."""

    emails: list[Text] = Field(description="1 to 50 addresses.")
    role: Role
    team: Text = Field(
        "", max_length=60, description="Name of the team, for the roles `team_owner` and `team_member`."
    )


@listed(router, INVITATIONS, InvitationOut)
def invitation_list(request: TokenRequest, track: str) -> QuerySet[Invitation]:
    """List the open invitations to a track that you organize: neither accepted nor expired."""
    invitations = Invitation.objects.open().filter(track=find_organized_track(request, track))
    return invitations.select_related("team", "invited_by")


@router.post(INVITATIONS, response={201: list[InvitationOut]}, url_name="invitation_list", auth=inviter)
def invitation_send(
    request: TokenRequest,
    track: str,
    invited: Form[InvitationIn],
    idempotency_key: Header[UUID | None] = None,
) -> Status[list[Invitation]]:
    """Mail a link to each address that gives its reader the role, or to none: the error names each fault.

    A link works once, for 14 days. If you repeat a request with the same Idempotency-Key, a UUID, no second
    mail is sent, and the response is the first invitations.
    """
    own_track = find_organized_track(request, track)
    team = _team(own_track, invited)
    values = {"emails": "\n".join(invited.emails), "role": invited.role}
    form = TeamInviteForm(values) if team else InviteForm(values)
    if not form.is_valid():
        faults = [f"{name}: {' '.join(map(str, errors))}" for name, errors in form.errors.items()]
        raise InputError("; ".join(faults), code="invitation-form-refused")
    sent = invite_people(
        track=own_track,
        emails=form.cleaned_data["emails"],
        role=invited.role,
        by=request.user,
        accept_url=accept_url,
        team=team,
        client_uuid=idempotency_key,
    )
    return Status(HTTPStatus.CREATED, sent)


@change(router, f"{INVITATIONS}/{{int:invitation}}/withdraw", DoneOut)
def invitation_withdraw(request: TokenRequest, track: str, invitation: int) -> dict[str, str]:
    """Withdraw an invitation that nobody has accepted, and so disable its link."""
    sent = Invitation.objects.filter(track=find_organized_track(request, track), accepted_at__isnull=True)
    track_invitation = get_object_or_404(sent, pk=invitation)
    track_invitation.delete()
    return {"message": f"The invitation of {track_invitation.email} is withdrawn."}


def _team(track: Track, invited: InvitationIn) -> Team | None:
    """Return the team of a team role. Raises team-misplaced and team-not-of-track."""
    if invited.role not in TEAM_ROLES:
        if invited.team:
            raise InputError(
                f"team: an {invited.role} belongs to no team. Leave it out.", code="team-misplaced"
            )
        return None
    if not invited.team:
        raise InputError(f"team: name the team of a {invited.role}.", code="team-misplaced")
    return find_named_team(track, invited.team)


team_router = Router(tags=["Teams"])
TEAM = f"{TRACK}/teams/{{int:team}}"


class RulesOut(Schema):
    """What a team needs before it uploads."""

    needs_approval: bool


class TeamOut(Schema):
    """A team. ``application`` is empty if it has not applied."""

    id: int
    name: str
    is_baseline: bool
    application: ApplicationState | None

    @staticmethod
    def resolve_application(team: Team) -> str | None:
        """Return the state of the application."""
        return team.application.state if hasattr(team, "application") else None


class DecisionForm(forms.Form):
    """The organizers' decision, and a note that the team reads."""

    decision = forms.ChoiceField(choices=[("approve", "approve"), ("decline", "decline")])
    note = forms.CharField(required=False, help_text="The team reads it.")


@team_router.get(f"{TRACK}/registration", response=RulesOut, url_name="registration", auth=reader)
def registration(request: TokenRequest, track: str) -> EntryRules:
    """Return the requirements of a track; its organizers set them by the track's file."""
    return EntryRules.objects.of(find_track(request, track))


@listed(team_router, f"{TRACK}/teams", TeamOut, auth=reader)
def team_list(request: TokenRequest, track: str) -> QuerySet[Team]:
    """List your teams in a track; for its organizers all teams."""
    teams = Team.objects.private_to(request.user).filter(track=find_track(request, track))
    return teams.select_related("track", "application")


@change(
    team_router, f"{TRACK}/teams", TeamOut, reads=TeamNameForm, name="team_list", rate="team", auth=member
)
def team_create(request: TokenRequest, track: str) -> Team:
    """Create a team of yours; organizers create teams by the track's file."""
    team_track = find_track(request, track)
    return create_team(track=team_track, by=request.user, **read_form(TeamNameForm, request).cleaned_data)


@change(team_router, f"{TEAM}/rename", TeamOut, reads=TeamNameForm, rate="change", auth=member)
def team_rename(request: TokenRequest, track: str, team: int) -> Team:
    """Rename a team that you own."""
    own_team = find_own_team(request, track, team)
    return rename_team(team=own_team, by=request.user, **read_form(TeamNameForm, request).cleaned_data)


WORDS = texts(words="What the organizers should know of the team.")


@change(team_router, f"{TEAM}/apply", TeamOut, reads=WORDS, rate="change", auth=member)
def team_apply(request: TokenRequest, track: str, team: int) -> Team:
    """Ask the organizers to approve a team that you own."""
    own_team = find_own_team(request, track, team)
    if not EntryRules.objects.of(own_team.track).needs_approval:
        raise Http404
    apply_for_track(team=own_team, by=request.user, **read_form(WORDS, request).cleaned_data)
    return find_own_team(request, track, team)


gone(
    team_router,
    "POST",
    f"{TEAM}/sign",
    name="team_sign",
    words="Put a link to the agreement into the guidelines, and approve the teams that have signed it.",
)


@change(team_router, f"{TEAM}/decide", TeamOut, reads=DecisionForm, rate="announcement")
def team_decide(request: TokenRequest, track: str, team: int) -> Team:
    """Approve or decline a team of a track that you organize; its members get a mail."""
    teams = Team.objects.filter(track=find_organized_track(request, track), is_baseline=False)
    track_team = get_object_or_404(teams, pk=team)
    values = read_form(DecisionForm, request).cleaned_data
    decide_application(
        team=track_team, is_approved=values["decision"] == "approve", note=values["note"], by=request.user
    )
    return get_object_or_404(teams, pk=team)
