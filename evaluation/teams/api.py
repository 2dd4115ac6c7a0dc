"""API operations that invite people and list open invitations."""

from datetime import datetime
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from ninja import Form, Header, Query, Router, Schema, Status
from pydantic import Field

from evaluation.access.people import TEAM_ROLES, Role
from evaluation.teams.forms import InviteForm, TeamInviteForm
from evaluation.teams.invitation_pages import accept_url
from evaluation.teams.invitations import invite_people
from evaluation.teams.lookups import find_named_team
from evaluation.teams.models import Invitation, Team
from evaluation.tracks.lookups import find_organized_track
from evaluation.tracks.models import Track
from evaluation.web.api.bearer import TokenRequest, inviter, organizer
from evaluation.web.api.changes import change
from evaluation.web.api.operations import TRACK, DoneOut, Page, Text, Window, page_of
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


@router.get(INVITATIONS, response=Page[InvitationOut], url_name="invitation_list")
def invitation_list(
    request: TokenRequest, response: HttpResponse, track: str, window: Query[Window]
) -> dict[str, Any]:
    """List the open invitations to a track that you organize: neither accepted nor expired."""
    invitations = Invitation.objects.open().filter(track=find_organized_track(request, track))
    return page_of(invitations.select_related("team", "invited_by"), window, request, response, by=["pk"])


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
