import pytest

from tests.refusals import refused
from trackside.rates import RateLimit, read_rates


@pytest.mark.parametrize(
    ("text", "count", "seconds"),
    [("120/h", 120, 3600), ("3000/5m", 3000, 300), ("1/s", 1, 1), ("10/2d", 10, 172_800)],
)
def test_rate_is_a_count_and_a_period(text: str, count: int, seconds: int) -> None:
    assert RateLimit.of(text) == RateLimit(count, seconds)
    assert RateLimit.of(text).apart == seconds / count


@pytest.mark.parametrize("text", ["", "120", "0/h", "120/", "/h", "120/0m", "1.5/h", "120/w", "120/h "])
def test_text_that_is_no_rate_is_refused(text: str) -> None:
    with refused("rate-not-understood", match="120/h"):
        RateLimit.of(text)


def test_rates_are_changed_by_name() -> None:
    found = read_rates({"upload": "120/h", "api": "1/s"}, ["upload=500/h"])
    assert found == {"upload": RateLimit(500, 3600), "api": RateLimit(1, 1)}
    with refused("rate-not-understood", match="There are: api, upload"):
        read_rates({"upload": "120/h", "api": "1/s"}, ["uploads=500/h"])
