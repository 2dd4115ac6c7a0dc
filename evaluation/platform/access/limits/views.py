"""Who may send a form, and how often: above a rate limit pages return 429 with Retry-After."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.core.internal import ratelimit
from allauth.core.internal.ratelimit import get_ip
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from evaluation.platform.access.limits.rates import TooManyRequests, spend_rate

View = Callable[..., HttpResponseBase]

SIGN_IN_WAIT = 60  # seconds; most of django-allauth's own rates count per minute


def limited(name: str) -> Callable[[View], View]:
    """Limit a view's POST requests to the named rate, per person, or per IP address if not signed in."""

    def decorate(view: View) -> View:
        @wraps(view)
        def counted(request: HttpRequest, *values: Any, **named: Any) -> HttpResponseBase:
            if request.method == "POST":
                try:
                    spend_rate(name=name, who=requester(request))
                except TooManyRequests as error:
                    return too_many(request, error)
            return view(request, *values, **named)

        return counted

    return decorate


def page_view(view: View) -> View:
    """Decorate a page that signed-in people read."""
    return require_safe(login_required(view))


def form_view(rate: str = "") -> Callable[[View], View]:
    """Decorate a page with a form for signed-in people; a POST counts against the named rate, if any."""
    return _gate(require_http_methods(["GET", "HEAD", "POST"]), rate)


def post_view(rate: str = "") -> Callable[[View], View]:
    """Decorate a view that signed-in people send a form to; it counts against the named rate, if any."""
    return _gate(require_POST, rate)


def _gate(allowed: Callable[[View], View], rate: str) -> Callable[[View], View]:
    return lambda view: login_required(allowed(limited(rate)(view) if rate else view))


def requester(request: HttpRequest) -> str:
    """Return the key that a request counts against: the person, or the IP address if not signed in."""
    return f"user:{request.user.pk}" if request.user.is_authenticated else requester_address(request)


def requester_address(request: HttpRequest) -> str:
    """Return the key of the request's IP address; for IPv6, of its network, which one person may own."""
    return f"address:{get_ip(request)}"


def too_many(request: HttpRequest, error: TooManyRequests | None = None) -> HttpResponse:
    """Return 429 with Retry-After in seconds; ``error`` is None for django-allauth's own rates."""
    wait = error.retry_after if error else SIGN_IN_WAIT
    context = {"problem": str(error) if error else ""}
    answer = render(request, "429.html", context, status=429)
    answer["Retry-After"] = str(wait)
    return answer


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
