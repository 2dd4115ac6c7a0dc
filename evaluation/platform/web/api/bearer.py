"""Authentication by personal token, not by sessions, so the API needs no CSRF protection; its account."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from ninja import Router, Schema
from ninja.security import HttpBearer

from evaluation.platform.access.actions import use_token
from evaluation.platform.access.limits.rates import spend_rate
from evaluation.platform.access.limits.views import requester_address
from evaluation.platform.access.people import Membership, Role, User
from evaluation.platform.access.tokens import Scope, Token
from evaluation.platform.web.api.problems import ScopeMissing


class TokenRequest(HttpRequest):
    """Request of an operation: ``user`` is the token's person, limited to the token's scopes."""

    user: User
    auth: Token


class Bearer(HttpBearer):
    """Authenticate requests with a usable token; require the scope, if one is given. ``organize`` has all.

    Each request counts against the named rate of the person, if one is given.
    """

    def __init__(self, scope: Scope | None = None, *, rate: str = "") -> None:
        super().__init__()
        self._scope = scope
        self._rate = rate

    def authenticate(self, request: HttpRequest, token: str) -> Token | None:
        """Return the token and set ``request.user``; None if the token is not usable.

        Raises ScopeMissing, and TooManyRequests: counted per token, some operations also per person, unknown
        tokens per IP address.
        """
        api_token = use_token(secret=token.strip())
        if api_token is None:
            spend_rate(name="unknown_token", who=requester_address(request))
            return None
        spend_rate(name="api", who=f"token:{api_token.pk}")
        if self._scope and not {self._scope, Scope.ORGANIZE} & set(api_token.scopes):
            raise ScopeMissing(
                f"This token may {' and '.join(api_token.scopes)}; use one that may {self._scope}. "
                "Make one on the page /account/tokens/."
            )
        if self._rate:
            spend_rate(name=self._rate, who=f"user:{api_token.user_id}")
        request.user = person_of(api_token)
        return api_token


def person_of(token: Token) -> User:
    """Return the person without roles that the token excludes: ``visible_to`` reads only these two fields."""
    person = token.user
    if Scope.ORGANIZE not in token.scopes:
        person.is_superuser = False
        person.roles = [role for role in person.roles if role[0] != Role.ORGANIZER]
    return person


anybody = Bearer()
reader = Bearer(Scope.READ)
member = Bearer(Scope.SUBMIT)
submitter = Bearer(Scope.SUBMIT, rate="upload")
organizer = Bearer(Scope.ORGANIZE)
importer = Bearer(Scope.ORGANIZE, rate="import")
inviter = Bearer(Scope.ORGANIZE, rate="invitation")


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
