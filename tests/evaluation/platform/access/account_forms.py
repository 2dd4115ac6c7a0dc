"""Data that account forms send, and the mails that follow."""

import re

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.core import mail
from django.test import Client

from tests.factories import PASSWORD

NEW = "a brand new passphrase"
ME = {"login": "me@example.org", "password": PASSWORD}


def is_signed_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


def the_mail() -> str:
    (message,) = mail.outbox
    return str(message.body)


def code_in(text: str) -> str:
    """The line of a mail that holds nothing but a code."""
    (found,) = re.findall(r"^[A-Z0-9]{4,}(?:-[A-Z0-9]+)*$", text, re.MULTILINE)
    return str(found)


def code_of(secret: str) -> str:
    """The first of the codes that an authenticator app may show for the secret."""
    (counter, *_) = yield_hotp_counters_from_time()
    return str(format_hotp_value(hotp_value(secret, counter)))
