"""The mail about a failed unit needs neither the database nor the queue."""

from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.core.management import CommandError, call_command


def test_failed_unit_is_mailed_to_the_operator_at_once(mailoutbox: list[EmailMessage], settings: Any) -> None:
    settings.OPERATOR_EMAIL = "operator@example.org"
    call_command("mail_failure", "trackside-backup.service")
    (mail,) = mailoutbox
    assert mail.to == ["operator@example.org"]
    assert mail.subject.startswith("trackside-backup.service failed on ")
    assert "journalctl --unit=trackside-backup.service" in mail.body


def test_without_an_address_the_setting_is_named() -> None:
    with pytest.raises(CommandError, match="Set OPERATOR_EMAIL"):
        call_command("mail_failure", "trackside-backup.service")
