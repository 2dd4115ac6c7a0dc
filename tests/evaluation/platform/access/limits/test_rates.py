"""Rates by the database's clock; tests set the meters back instead of waiting."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F
from pytest_django import Settings

from evaluation.models import RateMeter
from evaluation.platform.access.limits.rates import TooManyRequests, spend_rate, sweep_rates
from trackside.rates import RateLimit

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _three_an_hour(settings: Settings) -> None:
    settings.RATES = {"upload": RateLimit(3, 3600), "report": RateLimit(3, 3600)}


def pass_time(seconds: float) -> None:
    RateMeter.objects.update(full_at=F("full_at") - timedelta(seconds=seconds))


def test_rate_is_used_up_and_refills_evenly() -> None:
    for _ in range(3):
        spend_rate(name="upload", who="user:1")
    with pytest.raises(TooManyRequests) as refused:
        spend_rate(name="upload", who="user:1")

    # At three an hour one use returns every 1,200 s.
    assert 1195 <= refused.value.retry_after <= 1200
    assert "3 times in 3,600 seconds" in str(refused.value)
    pass_time(1200)
    spend_rate(name="upload", who="user:1")
    with pytest.raises(TooManyRequests):
        spend_rate(name="upload", who="user:1")
    pass_time(3600)
    for _ in range(3):
        spend_rate(name="upload", who="user:1")


def test_wait_is_a_second_at_least_even_if_a_use_has_returned_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for _ in range(3):
        spend_rate(name="upload", who="user:1")
    monkeypatch.setattr("evaluation.platform.access.limits.rates.WAIT", "SELECT -0.5")
    with pytest.raises(TooManyRequests) as refused:
        spend_rate(name="upload", who="user:1")
    assert refused.value.retry_after == 1


def test_rates_and_people_are_counted_apart() -> None:
    for name, who in (("upload", "user:1"), ("upload", "user:2"), ("report", "user:1")):
        for _ in range(3):
            spend_rate(name=name, who=who)
    assert RateMeter.objects.count() == 3


def test_meter_that_is_full_again_is_swept() -> None:
    spend_rate(name="upload", who="user:1")
    assert sweep_rates() == 0
    pass_time(1200)
    assert sweep_rates() == 1


@pytest.mark.django_db(transaction=True)
def test_uses_at_the_same_time_do_not_pass_the_rate() -> None:
    def use(_: int) -> bool:
        try:
            spend_rate(name="upload", who="user:1")
        except TooManyRequests:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(use, range(24))) == 3
