"""Take up an invitation."""

from __future__ import annotations

from django.db import transaction
from django.db.models.functions import Now

from evaluation.actions.invite_member import check_may_assess, token_sha256
from evaluation.core.errors import InputError
from evaluation.models import Invitation, Membership, Role, User


class InvitationNotOpen(InputError):
    """The link is unknown, taken up or run out."""


class AccountExists(InputError):
    """The invited address has an account, so its owner has to sign in."""


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
            "This link is not open: it was taken up, has run out, or is cut short. Ask for a new invitation."
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
