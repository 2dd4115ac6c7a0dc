import re

import pytest
from django.core import mail
from django.test import Client
from pytest_django import Settings

from tests.factories import PASSWORD, make_assessor, make_track, make_user

pytestmark = pytest.mark.django_db


def test_account_page_shows_address_and_roles(client: Client) -> None:
    track = make_track(name="Illustrate")
    client.force_login(make_assessor(track, email="me@example.org"))
    page = client.get("/account/").content.decode()
    assert "me@example.org" in page
    assert "Illustrate</a>: assessor" in page


def test_account_page_sends_the_signed_out_to_sign_in(client: Client) -> None:
    assert client.get("/account/").headers["Location"] == "/account/sign-in/?next=/account/"


def test_sign_in_takes_the_address_whatever_its_capitals(client: Client) -> None:
    make_user(email="me@example.org")
    answer = client.post("/account/sign-in/", {"username": "Me@Example.org", "password": PASSWORD})
    assert answer.headers["Location"] == "/"


def test_sign_in_goes_on_to_the_page_one_came_from_but_to_no_other_site(client: Client) -> None:
    make_user(email="me@example.org")
    form = {"username": "me@example.org", "password": PASSWORD}
    assert client.post("/account/sign-in/", form | {"next": "/account/"}).headers["Location"] == "/account/"
    answer = client.post("/account/sign-in/", form | {"next": "https://elsewhere.example/"})
    assert answer.headers["Location"] == "/"


def test_sign_out_needs_a_post(client: Client) -> None:
    client.force_login(make_user())
    assert client.get("/account/sign-out/").status_code == 405
    client.post("/account/sign-out/")
    assert client.get("/account/").status_code == 302


def test_password_reset_mails_a_link_of_the_site_s_own_address(client: Client, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    make_user(email="me@example.org")
    client.post(
        "/account/password/reset/", {"email": "me@example.org"}, headers={"host": "elsewhere.example"}
    )
    (message,) = mail.outbox
    assert "elsewhere" not in message.body
    (link,) = re.findall(rf"{re.escape(settings.SITE_URL)}(/account/password/reset/\S+)", str(message.body))
    form = client.get(link, follow=True)
    new = {"new_password1": "a brand new passphrase", "new_password2": "a brand new passphrase"}
    client.post(form.redirect_chain[-1][0], new)
    assert client.login(username="me@example.org", password="a brand new passphrase")


def test_password_reset_says_nothing_about_who_has_an_account(client: Client) -> None:
    make_user(email="me@example.org")
    known = client.post("/account/password/reset/", {"email": "me@example.org"})
    unknown = client.post("/account/password/reset/", {"email": "you@example.org"})
    assert known.headers["Location"] == unknown.headers["Location"]
    assert len(mail.outbox) == 1
