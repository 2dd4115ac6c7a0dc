"""Sign in without the sign-in page, which has its own test."""

from django.conf import settings
from playwright.sync_api import BrowserContext
from pytest_django.live_server_helper import LiveServer

from evaluation.models import User
from tests.whole_site import signed_in_client


def sign_in(context: BrowserContext, person: User | None, server: LiveServer) -> None:
    """Sign the browser in as the person, or sign it out."""
    context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    if person:
        cookie = signed_in_client(person).cookies[settings.SESSION_COOKIE_NAME].value
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": server.url}])
