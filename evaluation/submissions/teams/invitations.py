"""Invite people by mail to a role in a track, and accept invitations."""

import hashlib
import secrets
from collections.abc import Callable, Sequence
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now
from django.utils import translation
from django.utils.translation import gettext

from evaluation.platform.access.languages import mail_language
from evaluation.platform.access.limits.rates import spend_rate
from evaluation.platform.access.people import TEAM_ROLES, Membership, Role, User, organizes
from evaluation.submissions.teams.membership import check_has_team_left, check_may_take_part
from evaluation.submissions.teams.models import Invitation, Team
from evaluation.tracks.archiving import check_not_archived
from evaluation.tracks.mail.actions import queue_mail
from evaluation.tracks.models import Track
from evaluation.tracks.work.queueing import KeyUsedTwice, lock_client_key
from trackside.errors import InputError

OPEN_FOR = timedelta(days=14)


@transaction.atomic
def invite_people(
    *,
    track: Track,
    emails: Sequence[str],
    role: Role,
    by: User,
    accept_url: Callable[[str], str],
    team: Team | None = None,
    client_uuid: UUID | None = None,
) -> list[Invitation]:
    """Mail one link to each address, or to none of them.

    Raises some-not-invited, which names each fault, and TooManyRequests.

    If the person repeats a request with the same ``client_uuid``, return the first invitations and send no
    mail. Raises KeyUsedTwice.
    """
    if client_uuid and (sent := _earlier_invitations(client_uuid, by)):
        return _check_same(sent, {(track.pk, email, role, team.pk if team else None) for email in emails})
    faults = []
    for email in emails:
        if person := User.objects.filter(email__iexact=email).first():
            try:
                check_may_have(person, track, role, team)
            except InputError as error:
                faults.append(f"{email}: {error}")
    if faults:
        raise InputError("Nobody was invited. " + " ".join(faults), code="some-not-invited")
    return [
        invite_member(
            track=track,
            email=email,
            by=by,
            accept_url=accept_url,
            role=role,
            team=team,
            client_uuid=client_uuid,
        )
        for email in emails
    ]


def _earlier_invitations(client_uuid: UUID, by: User) -> list[Invitation]:
    lock_client_key(client_uuid)
    sent = Invitation.objects.filter(client_uuid=client_uuid, invited_by=by)
    return list(sent.select_related("team", "invited_by").order_by("pk"))


def _check_same(sent: list[Invitation], asked: set[tuple[int, str, str, int | None]]) -> list[Invitation]:
    if {(row.track_id, row.email, row.role, row.team_id) for row in sent} != asked:
        raise KeyUsedTwice(
            "This key was used with other invitations. Use a new key for new ones. The first invited "
            f"{', '.join(row.email for row in sent)}."
        )
    return sent


@transaction.atomic
def invite_member(
    *,
    track: Track,
    email: str,
    by: User,
    accept_url: Callable[[str], str],
    role: Role = Role.ASSESSOR,
    team: Team | None = None,
    client_uuid: UUID | None = None,
) -> Invitation:
    """Mail a link that gives its reader the role in the track.

    ``accept_url`` returns the URL for a token; only the token's hash is stored. Raises TooManyRequests and
    the errors of check_may_have.
    """
    spend_rate(name="invited_address", who=f"user:{by.pk}")
    person = User.objects.filter(email__iexact=email).first()
    if person:
        check_may_have(person, track, role, team)
    token = secrets.token_urlsafe(32)
    invitation = Invitation.objects.create(
        track=track,
        email=email,
        role=role,
        team=team,
        token_sha256=token_sha256(token),
        invited_by=by,
        client_uuid=client_uuid,
        expires_at=Now() + OPEN_FOR,
    )
    invitation.refresh_from_db(fields=["expires_at"])
    with translation.override(mail_language(person)):
        invitation.link = accept_url(token)
        context = {"invitation": invitation, "link": invitation.link, "what": what_for(invitation)}
        queue_mail(what="invitation", to=email, context=context)
    return invitation


def what_for(invitation: Invitation) -> str:
    """Return what the invitation is for, after "invites you to"."""
    words = {
        Role.ASSESSOR: gettext("assess in the track {track}"),
        Role.ORGANIZER: gettext("organize the track {track}"),
        Role.TEAM_OWNER: gettext("take part in the track {track} with the team {team}, as its owner"),
        Role.TEAM_MEMBER: gettext("take part in the track {track} with the team {team}"),
    }[Role(invitation.role)]
    return words.format(track=invitation.track, team=invitation.team)


def check_may_have(person: User, track: Track, role: Role, team: Team | None) -> None:
    """Raise an InputError when the person cannot have the role.

    Raises track-archived, organizer-cannot-assess, assessor-cannot-organize, already-member, and the errors
    of check_may_take_part and check_has_team_left.
    """
    check_not_archived(track)
    known = Membership.objects.of(person).filter(track=track)
    if role == Role.ASSESSOR and organizes(person, track.pk):
        raise InputError(
            gettext(
                "{person} organizes {track} and sees its runs, so cannot judge blind. Invite somebody else."
            ).format(person=person, track=track),
            code="organizer-cannot-assess",
        )
    if role == Role.ORGANIZER and known.filter(role=Role.ASSESSOR).exists():
        raise InputError(
            gettext("{person} assesses in {track} and must not see its runs. Invite somebody else.").format(
                person=person, track=track
            ),
            code="assessor-cannot-organize",
        )
    if role in TEAM_ROLES:
        if known.filter(team=team).exists():
            raise InputError(
                gettext("{person} is in {team} already.").format(person=person, team=team),
                code="already-member",
            )
        check_may_take_part(track=track, person=person)
        check_has_team_left(track=track, person=person)
    elif known.filter(role=role).exists():
        problem = (
            gettext("{person} assesses in {track} already.")
            if role == Role.ASSESSOR
            else gettext("{person} organizes {track} already.")
        )
        raise InputError(problem.format(person=person, track=track), code="already-member")


def token_sha256(token: str) -> str:
    """Return the hash by which an invitation is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


@transaction.atomic
def accept_invitation(*, token: str, by: User | None, name: str = "", password: str = "") -> User:
    """Give the person the role of the invitation: ``by``, or a new account with name and password.

    Raises invitation-not-open, invited-another-address, account-exists, and the errors of check_may_have.
    """
    invitation = find_invitation(token, is_locked=True)
    if invitation is None:
        raise InputError(
            gettext(
                "This link does not work: it was used, has expired, or is incomplete. "
                "Ask for a new invitation."
            ),
            code="invitation-not-open",
        )
    if by and invitation.role == Role.ORGANIZER and by.email.lower() != invitation.email.lower():
        raise InputError(
            gettext(
                "This invitation to organize was mailed to another address than {address}. Sign out and "
                "accept it with the account of that address, or ask for an invitation to {address}."
            ).format(address=by.email),
            code="invited-another-address",
        )
    person = by or _new_account(invitation.email, name, password)
    check_may_have(person, invitation.track, Role(invitation.role), invitation.team)
    role = _role_now(invitation)
    Membership.objects.create(user=person, track=invitation.track, role=role, team=invitation.team)
    invitation.accepted_by, invitation.accepted_at = person, Now()
    invitation.save(update_fields=["accepted_by", "accepted_at"])
    return person


def find_invitation(token: str, *, is_locked: bool = False) -> Invitation | None:
    """Return the open invitation of this token, if there is one.

    An invitation to organize is open only while its inviter organizes the track: otherwise a removed
    organizer could return with another e-mail address.
    """
    invitations = Invitation.objects.select_related("track", "team", "invited_by").open()
    if is_locked:
        invitations = invitations.select_for_update(of=("self",))
    row = invitations.filter(token_sha256=token_sha256(token)).first()
    if row and row.role == Role.ORGANIZER and not _still_organizes(row.invited_by, row.track):
        return None
    return row


def _still_organizes(person: User, track: Track) -> bool:
    return person.is_active and organizes(person, track.pk)


def _role_now(invitation: Invitation) -> str:
    """Return the invitation's role; a team has one owner, so later owners become members."""
    if invitation.team and invitation.role == Role.TEAM_OWNER:
        team = Team.objects.select_for_update(no_key=True).get(pk=invitation.team.pk)
        if team.memberships.filter(role=Role.TEAM_OWNER).exists():
            return Role.TEAM_MEMBER
    return invitation.role


def _new_account(email: str, name: str, password: str) -> User:
    if User.objects.filter(email__iexact=email).exists():
        problem = gettext("{email} has an account. Sign in, then follow the link again.")
        raise InputError(problem.format(email=email), code="account-exists")
    return User.objects.create_verified(email, password, name=name)  # the link came by mail
