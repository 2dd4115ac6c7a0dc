"""Whether somebody may be in a team of a track."""

from __future__ import annotations

from evaluation.core.errors import InputError
from evaluation.models import Membership, Role, Track, User


class AddressNotVerified(InputError):
    """Nobody has shown yet that the account's address is theirs."""


class AssessorCannotTakePart(InputError):
    """Assessors judge blind, so they must not know runs."""


class OrganizerCannotTakePart(InputError):
    """Organizers see every team's runs."""


def check_may_take_part(*, track: Track, person: User) -> None:
    """Raise AddressNotVerified, AssessorCannotTakePart or OrganizerCannotTakePart when the person may not."""
    if not person.has_verified_address:
        raise AddressNotVerified(
            "Your address is not verified. Sign out and in again: we then mail you a code."
        )
    if Membership.objects.of(person).filter(track=track, role=Role.ASSESSOR).exists():
        raise AssessorCannotTakePart(
            f"You assess in {track} and must not know its runs, so you cannot be in one of its teams."
        )
    if Track.objects.organized_by(person).contains(track):
        raise OrganizerCannotTakePart(
            f"You organize {track} and see every team's runs, so you cannot be in one of its teams. "
            "Your baselines are a team of their own, which you make in the admin."
        )
