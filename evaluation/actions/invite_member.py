"""Invite somebody to assess in a track."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models.functions import Now

from evaluation.actions.queue_mail import queue_mail
from evaluation.core.errors import InputError
from evaluation.models import Invitation, Membership, Role, Track, User

if TYPE_CHECKING:
    from collections.abc import Callable

OPEN_FOR = timedelta(days=14)


class OrganizerCannotAssess(InputError):
    """Organizers see runs and grades, so they cannot judge blind."""


class AlreadyMember(InputError):
    """The person assesses in the track already."""


@transaction.atomic
def invite_member(*, track: Track, email: str, by: User, accept_url: Callable[[str], str]) -> Invitation:
    """Mail a link that makes its reader an assessor of the track.

    ``accept_url`` makes the address of a token, of which only the hash is kept. Raises OrganizerCannotAssess,
    AlreadyMember.
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
    until = f"{invitation.expires_at:%d %B %Y at %H:%M %Z}"
    context = {"invitation": invitation, "until": until, "link": accept_url(token)}
    queue_mail(what="invitation", to=email, context=context)
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
