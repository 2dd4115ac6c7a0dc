"""`manage.py doctor` names queue, storage, pooler and proxy where they do not work."""

from collections.abc import Callable, Iterator

import pytest
from django.db import connection
from pytest_django import Settings

from evaluation.config.monitoring import doctor
from evaluation.config.monitoring.doctor import (
    CheckResult,
    Level,
    check_pooler,
    check_proxy,
    check_queue,
    check_storage,
)
from evaluation.running.hosting.addresses import EMBEDDED_WEB


def only(check: Callable[[], Iterator[CheckResult]]) -> CheckResult:
    [found] = check()
    return found


def test_queue_and_storage_that_fail_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "queue_answers", lambda: False)
    monkeypatch.setattr(doctor, "storage_fault", lambda: "cannot be written")
    assert only(check_queue).level == only(check_storage).level == Level.FAILURE
    assert "BROKER_URL" in only(check_queue).text
    assert "it cannot be written" in only(check_storage).text
    monkeypatch.setattr(doctor, "queue_answers", lambda: True)
    monkeypatch.setattr(doctor, "storage_fault", lambda: "")
    assert only(check_queue).level == only(check_storage).level == Level.OK


@pytest.mark.django_db
def test_pooler_must_answer_and_limit_statements(settings: Settings) -> None:
    assert only(check_pooler).level == Level.OK
    settings.DATABASE_POOLER_URL = "postgresql://web@127.0.0.1:9/site"
    assert only(check_pooler).level == Level.FAILURE
    place = f"/{connection.settings_dict['NAME']}?host={connection.settings_dict['HOST']}"
    settings.DATABASE_POOLER_URL = f"postgresql://{EMBEDDED_WEB}@{place}"
    assert only(check_pooler).level == Level.WARNING
    settings.DATABASE_POOLER_URL += "&options=-c%20statement_timeout=30s%20-c%20jit=on"
    assert "jit" in only(check_pooler).text
    settings.DATABASE_POOLER_URL += "%20-c%20jit=off"
    assert only(check_pooler) == doctor.CheckResult(
        Level.OK, "pooler: it answers, and PostgreSQL ends a statement after 30s"
    )


@pytest.mark.parametrize(
    ("host", "is_behind", "level"),
    [
        ("track.example.org", False, Level.WARNING),
        ("track.example.org", True, Level.OK),
        ("127.0.0.1", False, Level.OK),
    ],
)
def test_doctor_warns_of_a_public_site_without_a_proxy(
    settings: Settings, host: str, is_behind: bool, level: Level
) -> None:
    settings.SITE_HOST, settings.ALLOWED_HOSTS, settings.BEHIND_PROXY = host, [host], is_behind
    (found,) = check_proxy()
    assert found.level == level
    assert (host in found.text) == (level == Level.WARNING)
