"""Middleware that sends staff and organizers without a second factor to the page that sets it up."""

from typing import Any

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin

# What somebody needs on the way to a second factor: to prove who they are, and to leave.
ALLOWED = {
    "account",
    "account_change_password",
    "account_email_verification_sent",
    "account_logout",
    "account_reauthenticate",
    "account_set_password",
    "health",
    "language_change",
    "live",
    "metrics",
    "ready",
}
ALLOWED_STARTS = ("mfa_",)
ALLOWED_ENDS = ("_login", "_callback")  # of providers, who may prove it, too


class SecondFactorRequired(MiddlewareMixin):
    """Middleware that redirects sessions of staff and organizers who have no second factor.

    The API ignores sessions. Tokens are made on a page that is not allowed without a second factor.
    """

    def process_view(self, request: HttpRequest, *_view: Any) -> HttpResponse | None:
        """Return the redirect; None for everybody else, and on the way to a second factor."""
        if not settings.IS_SECOND_FACTOR_REQUIRED or _is_allowed(request):
            return None
        if not request.user.is_authenticated or not request.user.is_staff or is_mfa_enabled(request.user):
            return None
        return redirect(reverse("mfa_index", query={"required": "yes"}))


def _is_allowed(request: HttpRequest) -> bool:
    name = (request.resolver_match.url_name if request.resolver_match else None) or ""
    return (
        request.path.startswith("/api/")
        or name in ALLOWED
        or name.startswith(ALLOWED_STARTS)
        or name.endswith(ALLOWED_ENDS)
    )
