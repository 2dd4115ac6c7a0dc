"""Findings of `manage.py doctor` about the setup."""

import pytest
from pytest_django import Settings

from evaluation.config.monitoring.doctor import Level, check_proxy


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
