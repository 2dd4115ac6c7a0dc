"""Invite somebody to assess in a track."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from smtplib import SMTPException
from typing import TYPE_CHECKING

from django.core.mail import send_mail
from django.db import transaction
from django.db.models.functions import Now

from evaluation.core.errors import InputError
from evaluation.models import Invitation, Membership, Role, Track, User

if TYPE_CHECKING:
    from collections.abc import Callable

OPEN_FOR = timedelta(days=14)
TEXT = """{by} invites you to assess in the track {track}.

Follow this link to accept; it works once, until {until:%d %B %Y at %H:%M %Z}:

{link}

If you did not expect this mail, leave it.
"""


class OrganizerCannotAssess(InputError):
    """Organizers see runs and grades, so they cannot judge blind."""


class AlreadyMember(InputError):
    """The person assesses in the track already."""


class InvitationNotSent(InputError):
    """The mail server did not take the mail."""


@transaction.atomic
def invite_member(*, track: Track, email: str, by: User, accept_url: Callable[[str], str]) -> Invitation:
    """Mail a link that makes its reader an assessor of the track.

    ``accept_url`` makes the address of a token, of which only the hash is kept. Raises OrganizerCannotAssess,
    AlreadyMember, and InvitationNotSent, after which there is no invitation.
    """
    person = User.objects.filter(email__iexact=email).first()
    if person:
        check_may_assess(person, track)
    token = secrets.token_urlsafe(32)
    invitation = Invitation.objects.create(
        track=track,
        email=email,
        role=Role.ASSESSOR,
        token_sha256=token_sha256(token),
        invited_by=by,
        expires_at=Now() + OPEN_FOR,
    )
    invitation.refresh_from_db(fields=["expires_at"])
    text = TEXT.format(by=by, track=track, until=invitation.expires_at, link=accept_url(token))
    try:
        send_mail(f"Invitation to assess: {track}", text, None, [email])
    except (SMTPException, OSError) as error:
        raise InvitationNotSent(
            f"The mail to {email} could not be sent ({error}). Check the address and the mail settings."
        ) from error
    return invitation


def check_may_assess(person: User, track: Track) -> None:
    """Raise OrganizerCannotAssess or AlreadyMember when the person cannot become an assessor of the track."""
    if Track.objects.organized_by(person).contains(track):
        raise OrganizerCannotAssess(
            f"{person} organizes {track} and sees its runs, so cannot judge blind. Invite somebody else."
        )
    if Membership.objects.of(person).filter(track=track, role=Role.ASSESSOR).exists():
        raise AlreadyMember(f"{person} assesses in {track} already.")


def token_sha256(token: str) -> str:
    """The hash under which an invitation is kept."""
    return hashlib.sha256(token.encode()).hexdigest()
