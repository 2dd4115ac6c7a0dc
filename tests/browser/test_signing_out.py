"""After the sign-out, Back shows nothing of the person."""

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.signing_in import sign_in
from tests.factories import make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.whole]


@pytest.mark.both_engines
@pytest.mark.parametrize("name", ["account", "account_logout"])
def test_back_to_the_page_of_the_sign_out_shows_no_name(
    context: BrowserContext, live_server: LiveServer, name: str
) -> None:
    sign_in(context, make_user(name="M. Lindqvist"), live_server)
    page = context.new_page()
    page.goto(reverse(name))
    expect(page.locator("body")).to_contain_text("M. Lindqvist")
    page.get_by_role("main").get_by_role("button", name="Sign out").click()
    page.wait_for_url(live_server.url + "/")
    page.evaluate("window.isAfter = true; history.back()")
    # Playwright does not notice when Firefox shows a page again that it kept.
    page.wait_for_function("() => !window.isAfter && document.readyState === 'complete'")
    assert "M. Lindqvist" not in page.evaluate("document.body.innerText")
