"""Signing in with a personal token. Sessions count for nothing here, so no form elsewhere can use one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest
from ninja.security import HttpBearer

from evaluation.actions.use_token import use_token
from evaluation.api.problems import ScopeMissing
from evaluation.models import Role, Scope, User

if TYPE_CHECKING:
    from evaluation.models import Token


class TokenRequest(HttpRequest):
    """What an operation gets: ``user`` is the token's person, as far as the token goes."""

    user: User
    auth: Token


class Bearer(HttpBearer):
    """Lets in whoever sends a usable token that has the scope, if one is asked for."""

    def __init__(self, scope: Scope | None = None) -> None:
        super().__init__()
        self._scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> Token | None:
        """The token, its person put into the request. None when it is not usable; ScopeMissing."""
        found = use_token(secret=token.strip())
        if found is None:
            return None
        if self._scope and self._scope not in found.scopes:
            raise ScopeMissing(
                f"This token may {' and '.join(found.scopes)}; this takes one that may {self._scope}. "
                "Make one on the page /account/tokens/."
            )
        request.user = _person_of(found)
        return found


def _person_of(token: Token) -> User:
    """The person without what the token leaves out: all of ``visible_to`` rests on these two."""
    person = token.user
    if Scope.ORGANIZE not in token.scopes:
        person.is_superuser = False
        person.roles = [each for each in person.roles if each[0] != Role.ORGANIZER]
    return person


anybody = Bearer()
reader = Bearer(Scope.READ)
submitter = Bearer(Scope.SUBMIT)
