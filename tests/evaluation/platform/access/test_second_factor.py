"""The second factor at rest, and limits of wrong codes and passwords."""

import importlib
import json
import time
from types import SimpleNamespace

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.apps import apps
from django.db import OperationalError
from django.test import Client
from pytest_django import Settings

from tests.evaluation.platform.access.account_forms import ME, code_of, is_signed_in
from tests.factories import PASSWORD, make_user
from tests.whole_site import signed_in_client
from trackside.rates import RateLimit

pytestmark = pytest.mark.django_db
CODE = "/account/second-factor/authenticate/"
SHOWN = "/account/second-factor/recovery-codes/"
encrypting = importlib.import_module("evaluation.migrations.0012_encrypted_second_factors")
hashing = importlib.import_module("evaluation.migrations.0013_hashed_recovery_codes")


@pytest.fixture(autouse=True)
def _still_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = time.time()
    monkeypatch.setattr("allauth.mfa.totp.internal.auth.time", SimpleNamespace(time=lambda: moment))


def forward() -> None:
    encrypting.convert(encrypting.encrypt)(apps, None)
    hashing.protect(apps, None)


def backward() -> None:
    hashing.expose(apps, None)
    encrypting.convert(encrypting.decrypt)(apps, None)


def sign_in(client: Client, code: str, address: str = "192.0.2.1") -> bool:
    client.post("/account/login/", ME, REMOTE_ADDR=address)
    client.post(CODE, {"code": code}, REMOTE_ADDR=address)
    return is_signed_in(client)


def test_a_code_during_an_outage_is_not_counted_as_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten wrong codes are more than anybody may send within five minutes."""

    def fail(*_: object, **__: object) -> None:
        raise OperationalError("the database went away")

    TOTP.activate(make_user(email="me@example.org"), secret := generate_totp_secret())
    client = Client(raise_request_exception=False)
    client.post("/account/login/", ME)
    with monkeypatch.context() as outage:
        outage.setattr(Authenticator, "wrap", fail)
        assert {client.post(CODE, {"code": code_of(secret)}).status_code for _ in range(10)} == {503}
    assert sign_in(client, code_of(secret))


def test_secrets_are_encrypted_at_rest() -> None:
    secret = generate_totp_secret()
    TOTP.activate(person := make_user(), secret)
    codes = RecoveryCodes.activate(person)
    stored = json.dumps(list(Authenticator.objects.values_list("data", flat=True)))
    assert secret not in stored
    assert "fernet:" in json.loads(stored)[0]["secret"]
    assert json.loads(stored)[1]["seed"].startswith("fernet:")
    assert len(codes.get_unused_codes()) == 10
    again = TOTP.activate(make_user(), secret).instance.data["secret"]
    assert again != json.loads(stored)[0]["secret"], "equal secrets are stored differently"


def test_secret_in_clear_still_works_and_the_migration_encrypts_it(client: Client) -> None:
    secret, seed = generate_totp_secret(), RecoveryCodes.generate_seed()
    person = make_user(email="me@example.org")
    totp = Authenticator.objects.create(user=person, type="totp", data={"secret": secret})
    codes = Authenticator.objects.create(
        user=person, type="recovery_codes", data={"seed": seed, "used_mask": 1}
    )
    used, *known = RecoveryCodes(codes).generate_codes()
    forward()
    totp.refresh_from_db()
    codes.refresh_from_db()
    assert secret not in str(totp.data)
    assert not [text for text in (seed, used, *known) if text in str(codes.data)]
    for code in (code_of(secret), known[0], known[-1]):
        assert sign_in(Client(), code)
    for code in (used, known[0], codes.data["migrated_codes"][1]):
        assert not sign_in(client, code)
    forward()  # does nothing
    backward()
    totp.refresh_from_db()
    assert totp.data["secret"] == secret
    assert not Authenticator.objects.filter(type="recovery_codes").exists()


def test_secrets_of_another_key_stay_through_upgrades_and_back(settings: Settings) -> None:
    TOTP.activate(person := make_user(), generate_totp_secret())
    RecoveryCodes.activate(person)
    stored = list(Authenticator.objects.order_by("pk").values_list("data", flat=True))
    settings.SECRET_KEY = "another"
    forward()
    backward()
    assert list(Authenticator.objects.order_by("pk").values_list("data", flat=True)) == stored


def test_recovery_codes_are_shown_once_and_only_their_hashes_stay() -> None:
    TOTP.activate(person := make_user(email="me@example.org"), generate_totp_secret())
    codes = RecoveryCodes.activate(person).generate_codes()
    client = signed_in_client(person)
    page = client.get(SHOWN).content.decode()
    assert [code for code in codes if code in page] == codes
    again = client.get(SHOWN).content.decode()
    stored = Authenticator.objects.get(type="recovery_codes").data
    assert ("seed" in stored, len(stored["migrated_codes"])) == (False, 10)
    for code in (*codes, *stored["migrated_codes"]):
        assert code not in again
    assert not [code for code in codes if code in str(stored)]
    assert client.get(f"{SHOWN}download/").status_code == 403
    assert sign_in(Client(), f"{codes[3][:4]} {codes[3][4:]}")
    assert not sign_in(Client(), codes[3])
    assert not sign_in(Client(), stored["migrated_codes"][0])
    assert sign_in(Client(), codes[4])


def test_downloaded_recovery_codes_are_hashed() -> None:
    TOTP.activate(person := make_user(email="me@example.org"), generate_totp_secret())
    codes = RecoveryCodes.activate(person).generate_codes()
    assert codes[0] in signed_in_client(person).get(f"{SHOWN}download/").content.decode()
    assert "seed" not in Authenticator.objects.get(type="recovery_codes").data


def test_secret_in_clear_from_an_older_backup_works(client: Client) -> None:
    secret = generate_totp_secret()
    Authenticator.objects.create(user=make_user(email="me@example.org"), type="totp", data={"secret": secret})
    assert sign_in(client, code_of(secret))


def test_changed_site_key_says_what_to_do(client: Client, settings: Settings) -> None:
    secret = generate_totp_secret()
    TOTP.activate(make_user(email="me@example.org"), secret)
    settings.SECRET_KEY = "another key, as after a restore on another machine without the first one"
    client.post("/account/login/", ME)
    answer = client.post(CODE, {"code": code_of(secret)})
    assert answer.status_code == 403
    assert "Ask the site" in answer.content.decode()


def test_stranger_s_wrong_codes_do_not_lock_the_owner_out(client: Client) -> None:
    secret = generate_totp_secret()
    TOTP.activate(make_user(email="me@example.org"), secret)
    stranger = Client()
    stranger.post("/account/login/", ME, REMOTE_ADDR="198.51.100.1")
    for _ in range(6):
        stranger.post(CODE, {"code": "x"}, REMOTE_ADDR="198.51.100.1")
    stranger.post(CODE, {"code": code_of(secret)}, REMOTE_ADDR="198.51.100.1")
    assert not is_signed_in(stranger)
    assert sign_in(client, code_of(secret))


@pytest.mark.whole
def test_codes_are_limited_over_all_addresses(client: Client, settings: Settings) -> None:
    secret = generate_totp_secret()
    TOTP.activate(make_user(email="me@example.org"), secret)
    rate = settings.RATES["wrong_code"]
    client.post("/account/login/", ME)
    for number in range(rate.count):
        client.post(CODE, {"code": "x"}, REMOTE_ADDR=f"192.0.2.{number}")
    client.post(CODE, {"code": code_of(secret)}, REMOTE_ADDR="198.51.100.1")
    assert not is_signed_in(client)


@pytest.mark.whole
def test_passwords_of_an_account_are_limited_over_all_addresses(client: Client, settings: Settings) -> None:
    make_user(email="me@example.org")
    make_user(email="other@example.org")
    for number in range(settings.RATES["wrong_password"].count):
        wrong = ME | {"login": "Me@example.org", "password": "wrong"}
        assert client.post("/account/login/", wrong, REMOTE_ADDR=f"192.0.2.{number}").status_code == 200
    assert client.post("/account/login/", ME, REMOTE_ADDR="198.51.100.1").status_code == 429
    other = {"login": "other@example.org", "password": PASSWORD}
    assert client.post("/account/login/", other, REMOTE_ADDR="198.51.100.1").status_code == 302


def test_right_passwords_do_not_count(client: Client, settings: Settings) -> None:
    settings.RATES = settings.RATES | {"wrong_password": RateLimit.of("2/d")}
    make_user(email="me@example.org")
    for _ in range(4):
        assert client.post("/account/login/", ME).headers["Location"] == "/"
        client.logout()
