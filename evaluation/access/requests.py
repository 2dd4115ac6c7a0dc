"""The request of a view behind ``login_required``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest

if TYPE_CHECKING:
    from evaluation.access.people import User


class SignedInRequest(HttpRequest):
    """A request whose user is signed in."""

    user: User
