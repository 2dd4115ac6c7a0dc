"""Accounts: sign-up with a code, sign-in with and without a second factor, new passwords and addresses."""

import re
import time
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.core.internal.ratelimit import RateLimitUsage
from allauth.mfa.models import Authenticator
from django.core import mail
from django.db import OperationalError
from django.http import HttpRequest
from django.test import Client
from pytest_django import Settings

from evaluation.config.backends.accounts import Accounts
from evaluation.models import User
from evaluation.platform.access.accounts import UNDECIDED, SignUpForm
from tests.evaluation.platform.access.account_forms import ME, NEW, code_in, code_of, the_mail
from tests.factories import PASSWORD, make_assessor, make_track, make_user

pytestmark = pytest.mark.django_db


def test_account_page_shows_address_and_roles_and_changes_the_name(client: Client) -> None:
    assert client.get("/account/").headers["Location"] == "/account/login/?next=/account/"
    person = make_assessor(make_track(name="Illustrate"), email="me@example.org")
    client.force_login(person)
    page = client.get("/account/").content.decode()
    assert "me@example.org" in page
    assert "Illustrate</a>: assessor" in page
    assert client.post("/account/name/", {"name": "R. Okafor"}).headers["Location"] == "/account/"
    person.refresh_from_db()
    assert person.name == "R. Okafor"


def test_sign_up_needs_the_mailed_code_and_returns_to_the_first_page(client: Client) -> None:
    form = {"name": "R. Okafor", "email": "new@example.org", "password1": NEW, "next": "/account/name/"}
    assert client.post("/account/signup/", form).headers["Location"].startswith("/account/confirm-email/")
    assert client.get("/account/").status_code == 302
    assert not User.objects.get(email="new@example.org").has_verified_address
    assert client.post("/account/confirm-email/", {"code": "WRONG1"}).status_code == 200
    answer = client.post("/account/confirm-email/", {"code": code_in(the_mail())})
    assert answer.headers["Location"] == "/account/name/"
    person = User.objects.get(email="new@example.org")
    assert (person.name, person.has_verified_address) == ("R. Okafor", True)
    assert client.get("/account/").status_code == 200


def test_account_without_a_verified_address_gets_a_code_at_its_first_sign_in(client: Client) -> None:
    User.objects.create_user("me@example.org", PASSWORD)
    assert client.post("/account/login/", ME).headers["Location"].startswith("/account/confirm-email/")
    client.post("/account/confirm-email/", {"code": code_in(the_mail())})
    assert client.get("/account/").status_code == 200


def test_address_that_signs_up_twice_at_once_gets_one_account(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    try_save = SignUpForm.try_save

    def try_save_too_late(form: SignUpForm, request: HttpRequest) -> object:
        make_user(email="me@example.org")  # by a request between the form's check and the insert
        return try_save(form, request)

    monkeypatch.setattr(SignUpForm, "try_save", try_save_too_late)
    form = {"name": "N", "password1": NEW, "email": "me@example.org"}
    assert client.post("/account/signup/", form).headers["Location"].startswith("/account/confirm-email/")
    assert "has one" in the_mail()
    assert User.objects.filter(email="me@example.org").count() == 1


def test_sign_in_continues_to_the_former_page_but_to_no_other_site(client: Client) -> None:
    make_user(email="me@example.org")
    sent = ME | {"login": "Me@Example.org", "next": "/account/"}
    assert client.post("/account/login/", sent).headers["Location"] == "/account/"
    client.logout()
    answer = client.post("/account/login/", ME | {"next": "https://elsewhere.example/"})
    assert answer.headers["Location"] == "/"


def test_second_factor_is_asked_for_once_it_is_on(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    # A code is valid for 30 seconds of the clock, which may end before the code is sent.
    moment = time.time()
    monkeypatch.setattr("allauth.mfa.totp.internal.auth.time", SimpleNamespace(time=lambda: moment))
    make_user(email="me@example.org")
    client.post("/account/login/", ME)
    again = client.get("/account/second-factor/totp/activate/").headers["Location"]
    page = client.post(again, {"password": PASSWORD}, follow=True)
    secret = page.context["form"].secret
    assert "<svg" in page.content.decode()
    client.post("/account/second-factor/totp/activate/", {"code": code_of(secret)})
    assert '<span class="st ok">on</span>' in client.get("/account/").content.decode()
    client.logout()
    answer = client.post("/account/login/", ME)
    assert answer.headers["Location"].startswith("/account/second-factor/authenticate/")
    assert client.get("/account/").status_code == 302
    codes = Authenticator.objects.get(type=Authenticator.Type.RECOVERY_CODES).wrap()
    client.post("/account/second-factor/authenticate/", {"code": codes.get_unused_codes()[0]})
    assert client.get("/account/").status_code == 200


def test_admin_is_entered_by_the_site_s_sign_in_page(client: Client) -> None:
    """Django's own would ask for no second factor and count no wrong passwords."""
    answer = client.post("/admin/login/?next=/admin/", {"username": "me@example.org", "password": PASSWORD})
    assert answer.headers["Location"] == "/account/login/?next=/admin/"


def test_sign_out_needs_a_post(client: Client) -> None:
    client.force_login(make_user())
    client.get("/account/logout/")
    assert client.get("/account/").status_code == 200
    client.post("/account/logout/")
    assert client.get("/account/").status_code == 302


def test_password_reset_mails_a_link_of_the_site_s_own_address(client: Client, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    make_user(email="me@example.org")
    spoofed = {"host": "elsewhere.example", "x-forwarded-host": "elsewhere.example"}
    client.post("/account/password/reset/", {"email": "me@example.org"}, headers=spoofed)
    assert "elsewhere" not in the_mail()
    (link,) = re.findall(rf"{re.escape(settings.SITE_URL)}(/account/password/reset/\S+)", the_mail())
    form = client.get(link, follow=True)
    client.post(form.redirect_chain[-1][0], {"password1": NEW, "password2": NEW})
    assert client.login(username="me@example.org", password=NEW)


def test_changed_address_counts_once_its_code_is_entered(client: Client) -> None:
    client.force_login(person := make_user(email="old@example.org"))
    client.post("/account/email/", {"action_add": "yes", "email": "new@example.org"})
    person.refresh_from_db()
    assert person.email == "old@example.org"
    client.post("/account/confirm-email/", {"code": code_in(str(mail.outbox[0].body))})
    person.refresh_from_db()
    assert (person.email, person.has_verified_address) == ("new@example.org", True)
    assert [address.email for address in EmailAddress.objects.filter(user=person)] == ["new@example.org"]


@pytest.mark.parametrize(
    "onwards",
    [
        *("https://elsewhere.example/", "/\\elsewhere.example", "x" * 5000, "\u2028//elsewhere.example"),
    ],
    ids=lambda onwards: onwards[:30],
)
@pytest.mark.parametrize("page", ["login/", "logout/", "signup/"])
def test_account_pages_send_nobody_to_another_site(client: Client, page: str, onwards: str) -> None:
    make_user(email="me@example.org")
    sent = ME | {"next": onwards, "name": "N", "email": "new@example.org", "password1": NEW}
    answer = client.post(f"/account/{page}", sent)
    assert answer.status_code == 302
    place = urlsplit(answer.headers["Location"])
    assert (place.scheme, place.netloc) == ("", "")
    assert not place.path.startswith(("//", "/\\"))


@pytest.mark.parametrize("page", ["login/", "signup/", "password/reset/", "logout/"])
def test_account_forms_need_the_page_s_token(page: str) -> None:
    make_user(email="me@example.org")
    client = Client(enforce_csrf_checks=True)
    assert client.post(f"/account/{page}", ME | {"email": "me@example.org"}).status_code == 403
    assert mail.outbox == []
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("is_counter_away", [False, True])
def test_attempts_during_an_outage_are_not_counted_as_wrong(
    client: Client, monkeypatch: pytest.MonkeyPatch, is_counter_away: bool
) -> None:
    """Six wrong passwords within five minutes are too many."""

    def fail(*_: object, **__: object) -> None:
        raise OperationalError("the database went away")

    make_user(email="me@example.org")
    client.raise_request_exception = False
    with monkeypatch.context() as outage:
        outage.setattr(Accounts, "authenticate", fail)
        if is_counter_away:
            outage.setattr(RateLimitUsage, "rollback", fail)
        assert client.post("/account/login/", ME).status_code == 503
    with monkeypatch.context() as outage:
        outage.setattr(Accounts, "authenticate", fail)
        assert [client.post("/account/login/", ME).status_code for _ in range(7)] == [503] * 7
    assert client.post("/account/login/", ME).status_code == 302
    assert not UNDECIDED
