from datetime import timedelta
from decimal import Decimal

import pytest

from trackside.judging.asking import EndpointError, Response, Usage
from trackside.judging.costs import (
    FREE_OF_CHARGE,
    IMAGE_TOKENS,
    Meter,
    Rates,
    amount,
    duration_words,
    taken,
    tokens_of,
    wait,
)

# 2.50 a million input tokens are 2.5 micros each, 10 a million output tokens 10 micros each.
RATES = Rates(Decimal("2.5"), Decimal(10), 1000)


def test_cost_is_rounded_up_to_a_whole_micro() -> None:
    assert RATES.cost(700, 5) == 1800
    assert RATES.cost(1, 0) == 3
    assert FREE_OF_CHARGE.cost(10**6, 10**6) == 0
    assert FREE_OF_CHARGE.bound(["text", b"image"], 8) == 0


def test_bound_takes_every_byte_for_a_token() -> None:
    # 64 tokens of template, 6 bytes of "héllo", 1,000 of the image, 8 of the answer.
    assert RATES.bound(["héllo", b"\xff" * 99999], 8) == round(2.5 * (64 + 6 + 1000)) + 10 * 8


@pytest.mark.parametrize(
    ("response", "charged"),
    [
        (Response("a", usage=Usage(700, 5)), 1800),
        (Response("a"), 9000),  # an answer without its usage
        (Response("a", fault=EndpointError.TIMED_OUT), 9000),  # the endpoint may have answered, and bill it
        (Response("a", fault=EndpointError.ANOTHER_PAIR, usage=Usage(700, 5)), 1800),
        (Response("a", fault=EndpointError.SERVER_ERROR), 0),
        (Response("a", fault=EndpointError.NOT_ASKED), 0),
    ],
)
def test_unknown_bills_count_at_their_bound(response: Response, charged: int) -> None:
    assert RATES.charged(response, 9000) == charged


@pytest.mark.parametrize(
    ("micros", "text"), [(0, "0.00"), (12_345_678, "12.35"), (1_000_000, "1.00"), (4200, "0.0042")]
)
def test_amount_reads_as_money(micros: int, text: str) -> None:
    assert amount(micros) == text


def sent_at(per_minute: int, minutes: float, cost: int = 1) -> list[float]:
    """Times at which requests leave, if one is tried every 10 ms."""
    sent, meters = list[float](), [Meter(per_minute, 0.0)]
    for tick in range(int(minutes * 6000)):
        now = 1000 + tick / 100
        count, meters = taken(meters, [[cost]] * 1000, now)
        sent += [now] * count
    return sent


def test_no_minute_holds_more_than_the_allowance_and_little_less() -> None:
    sent = sent_at(90, 3)

    within = [sum(first <= each < first + 60 for each in sent) for first in sent]
    assert max(within) <= 90
    assert len(sent) >= 3 * 87


def test_costs_count_instead_of_requests() -> None:
    # 6,000 a minute are 60 minutes' seconds: a request of 1,000 uses up 61/6 s.
    count, (meter,) = taken([Meter(6000, 0.0)], [[1000], [1000]], 100.0)

    assert count == 1
    assert meter.free_at == 99 + 61 / 6
    assert wait([meter], 100.0) == 99 + 61 / 6 - 100
    # One above a minute's allowance leaves by itself.
    count, (meter,) = taken([Meter(100, 0.0)], [[500], [500]], 100.0)
    assert (count, meter.free_at) == (1, 99 + 500 * 61 / 100)


def test_every_meter_must_be_free() -> None:
    free, used_up = Meter(60, 0.0), Meter(60, 105.0)

    assert taken([free, used_up], [[1, 1]], 100.0) == (0, [free, used_up])
    assert wait([free, used_up], 100.0) == 5
    assert [taken([Meter(60, free_at)], [[1]], 100.0)[0] for free_at in (100.0, 100.001)] == [1, 0]
    assert taken([], [[], []], 0.0) == (2, [])
    assert wait([], 0.0) == 0


def test_tokens_are_a_quarter_of_the_bytes_the_image_and_the_answer() -> None:
    assert tokens_of(["a" * 40, None], 85, 16) == 10 + 85 + 16
    assert tokens_of([None], 0, 0) == IMAGE_TOKENS


@pytest.mark.parametrize(
    ("duration", "words"),
    [
        (timedelta(), "0 s"),
        (timedelta(seconds=8), "8 s"),
        (timedelta(minutes=4, seconds=10), "4 min 10 s"),
        (timedelta(hours=3, minutes=20, seconds=5), "3 h 20 min"),
        (timedelta(days=2, hours=5), "2 d 5 h"),
        (timedelta(hours=1), "1 h"),
        (timedelta(seconds=-5), "0 s"),
    ],
)
def test_duration_is_formatted_in_its_two_largest_units(duration: timedelta, words: str) -> None:
    assert duration_words(duration) == words
