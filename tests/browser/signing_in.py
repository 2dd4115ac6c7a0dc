"""Sign in without the sign-in page, which has its own test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings

from tests.whole_site import signed_in_client

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext
    from pytest_django.live_server_helper import LiveServer

    from evaluation.models import User
    from tests.browser.firefox import Firefox


def sign_in(context: BrowserContext, person: User | None, server: LiveServer) -> None:
    """Sign the browser in as the person, or sign it out."""
    context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    if person:
        cookie = _session(person)
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": server.url}])


def sign_in_firefox(firefox: Firefox, person: User, server: LiveServer) -> None:
    """Sign Firefox in as the person; it must show a page of the site to accept its cookie."""
    firefox.open(f"{server.url}/robots.txt")
    firefox.add_cookie(settings.SESSION_COOKIE_NAME, _session(person))


def _session(person: User) -> str:
    return signed_in_client(person).cookies[settings.SESSION_COOKIE_NAME].value
