"""Limits of wrong passwords and codes of one account over all client addresses."""

from typing import Any

from allauth.core.internal import ratelimit
from django.conf import settings
from django.http import HttpRequest

ACTION = "login_failed"
# Beside these limits, django-allauth's own rate counts wrong attempts on one account from one address.


def count_attempt(request: HttpRequest, name: str, who: str) -> ratelimit.RateLimitUsage | None:
    """Count an attempt against ``settings.RATES[name]`` of an account; None above the limit.

    The caller rolls back an attempt that succeeds, so that only wrong ones count.
    """
    return ratelimit.consume(request, **_rate(name, who))


def forget_attempts(request: HttpRequest, name: str, who: str) -> None:
    """Reset the count of an account, whose owner has proved the address."""
    ratelimit.clear(request, **_rate(name, who))


def _rate(name: str, who: str) -> dict[str, Any]:
    rate = settings.RATES[name]
    config = {ACTION: f"{rate.count}/{rate.seconds}s/key"}
    return {"app": "allauth.account", "action": ACTION, "config": config, "key": f"{name}:{who}"}
