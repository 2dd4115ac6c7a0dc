from decimal import Decimal

import pytest

from trackside.judging.asking import EndpointError, Response, Usage
from trackside.judging.costs import FREE_OF_CHARGE, Rates, amount

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
