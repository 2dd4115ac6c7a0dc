"""Criteria of a task, and invitations to a track."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models.functions import Now

from evaluation.access.people import Invitation, Membership, Role, User
from evaluation.core.criteria import DEFAULT_GRADES
from evaluation.core.errors import InputError
from evaluation.mail.actions import queue_mail
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Track

if TYPE_CHECKING:
    from collections.abc import Callable

    from evaluation.tracks.models import Task


def create_criteria(*, task: Task) -> Criteria:
    """Create the task's first criteria with the default scale; if it has criteria, return the latest."""
    if task.criteria.exists():
        return Criteria.objects.current(task)
    return Criteria.objects.create(task=task, grades=DEFAULT_GRADES)


OPEN_FOR = timedelta(days=14)


class OrganizerCannotAssess(InputError):
    """Organizers see runs and grades, so they cannot judge blind."""


class AlreadyMember(InputError):
    """The person already assesses in the track."""


@transaction.atomic
def invite_member(*, track: Track, email: str, by: User, accept_url: Callable[[str], str]) -> Invitation:
    """Mail a link that makes its reader an assessor of the track.

    ``accept_url`` returns the URL for a token; only the token's hash is stored. Raises OrganizerCannotAssess,
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
    """Return the hash by which an invitation is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


class InvitationNotOpen(InputError):
    """The link is unknown, accepted or expired."""


class AccountExists(InputError):
    """The invited address has an account, so its owner must sign in."""


@transaction.atomic
def accept_invitation(*, token: str, by: User | None, name: str = "", password: str = "") -> User:
    """Make the person an assessor of the invitation's track: ``by``, or a new account with name and password.

    Raises InvitationNotOpen, AccountExists, OrganizerCannotAssess, AlreadyMember.
    """
    invitation = (
        Invitation.objects.select_for_update(of=("self",))
        .select_related("track")
        .open()
        .filter(token_sha256=token_sha256(token))
        .first()
    )
    if invitation is None:
        raise InvitationNotOpen(
            "This link does not work: it was used, has expired, or is incomplete. Ask for a new invitation."
        )
    person = by or _new_account(invitation.email, name, password)
    check_may_assess(person, invitation.track)
    Membership.objects.create(user=person, track=invitation.track, role=Role.ASSESSOR)
    invitation.accepted_by, invitation.accepted_at = person, Now()
    invitation.save(update_fields=["accepted_by", "accepted_at"])
    return person


def _new_account(email: str, name: str, password: str) -> User:
    if User.objects.filter(email__iexact=email).exists():
        raise AccountExists(f"{email} has an account. Sign in, then follow the link again.")
    return User.objects.create_verified(email, password, name=name)  # the link came by mail
