"""The token's person, and the token's scopes."""

from datetime import datetime
from typing import Any

from ninja import Router, Schema

from evaluation.access.people import Membership, Role
from evaluation.access.tokens import Scope
from evaluation.web.api.bearer import TokenRequest, anybody

router = Router(tags=["Account"])


class MembershipOut(Schema):
    """A role in a track; ``team`` is null outside teams."""

    track: str
    role: Role
    team: str | None


class AccountOut(Schema):
    """The token's person."""

    name: str
    email: str
    scopes: list[Scope]
    expires_at: datetime
    memberships: list[MembershipOut]


@router.get("/account", response=AccountOut, auth=anybody, url_name="account")
def account(request: TokenRequest) -> dict[str, Any]:
    """Return the token's person, scopes and expiry."""
    person, token = request.user, request.auth
    memberships = Membership.objects.of(person).select_related("track", "team").order_by("track__slug", "pk")
    return {
        "name": person.name,
        "email": person.email,
        "scopes": token.scopes,
        "expires_at": token.expires_at,
        "memberships": [
            {"track": row.track.slug, "role": row.role, "team": row.team and row.team.name}
            for row in memberships
        ],
    }
