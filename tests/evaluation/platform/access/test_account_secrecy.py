"""Account forms do not reveal who has an account: not by words, work or time."""

import time
from statistics import median
from typing import ClassVar

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from evaluation.models import Mail, User
from tests.evaluation.platform.access.account_forms import NEW
from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db


OUTBOX = "evaluation.tracks.mail.actions.OutboxBackend"  # the site's backend; tests use Django's
TABLES = ("evaluation_user", "account_emailaddress")


@pytest.mark.parametrize(
    ("page", "words", "is_told"),
    [("signup", "has one", [True, False]), ("password/reset", "has no Trackside account", [False, True])],
)
def test_form_reveals_by_mail_alone_who_has_an_account(page: str, words: str, is_told: list[bool]) -> None:
    make_user(email="me@example.org")
    places = []
    for email in ("me@example.org", "you@example.org"):
        sent = {"name": "N", "password1": NEW, "email": email}
        places.append(Client().post(f"/account/{page}/", sent).headers["Location"])
    assert places[0] == places[1]
    assert [words in str(each.body) for each in mail.outbox] == is_told


class CountingHasher(MD5PasswordHasher):
    """Counts how often a password is hashed."""

    count: ClassVar[int] = 0

    def encode(self, password: str, salt: str) -> str:
        CountingHasher.count += 1
        return super().encode(password, salt)


@pytest.mark.parametrize("known", ["me@example.org", "Me@Example.ORG", "unverified@example.org"])
def test_sign_up_does_the_same_work_whether_there_is_an_account_or_not(
    settings: Settings, known: str
) -> None:
    """One hash, two rows and a mail that waits for a worker; a few reads of one row each may differ."""
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
    settings.EMAIL_BACKEND = OUTBOX
    make_user(email="me@example.org")
    User.objects.create_user("unverified@example.org", PASSWORD)
    work: dict[str, tuple[int, int, int]] = {}
    reads: dict[str, int] = {}
    for email in (known, "new@example.org"):
        CountingHasher.count = 0
        waiting = Mail.objects.count()
        with CaptureQueriesContext(connection) as queries:
            answer = Client().post("/account/signup/", {"name": "Me", "email": email, "password1": NEW})
        assert answer.status_code == 302
        statements = [each["sql"] for each in queries]
        rows = sum(sql.count(f'INSERT INTO "{table}"') for sql in statements for table in TABLES)
        work[email] = CountingHasher.count, rows, Mail.objects.count() - waiting
        reads[email] = sum("FROM" in sql for sql in statements)

    assert work[known] == work["new@example.org"] == (1, 2, 1)
    # Five reads take a millisecond, which cannot be measured beside the hundreds of milliseconds of the hash.
    assert abs(reads[known] - reads["new@example.org"]) <= 5
    assert User.objects.count() == 3
    assert not mail.outbox, "a request sent mail"


@pytest.mark.parametrize("path", ["/account/password/reset/", "/account/login/"])
def test_signed_out_forms_do_the_same_work_whether_there_is_an_account_or_not(
    settings: Settings, path: str
) -> None:
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
    settings.EMAIL_BACKEND = OUTBOX
    make_user(email="me@example.org")
    work = []
    for email in ("me@example.org", "new@example.org"):
        CountingHasher.count = 0
        waiting = Mail.objects.count()
        Client().post(path, {"email": email, "login": email, "password": "wrong"})
        work.append((CountingHasher.count, Mail.objects.count() - waiting))

    assert work == 2 * [(0, 1) if "reset" in path else (1, 0)]
    assert not mail.outbox, "a request sent mail"


@pytest.mark.long
def test_sign_up_takes_as_long_whether_there_is_an_account_or_not(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    settings.ACCOUNT_RATE_LIMITS = False
    make_user(email="me@example.org")
    times: dict[bool, list[float]] = {True: [], False: []}
    for number in range(20):
        for is_known in (True, False):
            email = "me@example.org" if is_known else f"new{number}@example.org"
            begun = time.process_time()
            Client().post("/account/signup/", {"name": "Me", "email": email, "password1": NEW})
            times[is_known].append(time.process_time() - begun)

    # Without the second hash one takes a tenth of the other; a busy machine changes medians by a few per
    # cent.
    assert 0.8 < median(times[True]) / median(times[False]) < 1.25
