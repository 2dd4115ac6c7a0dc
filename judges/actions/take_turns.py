"""Take turns at an endpoint that allows only so much a minute."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import connection, transaction

from judges.core.endpoints import spellings
from judges.core.rates import Meter, taken, wait
from judges.models import LedgerEntry, Rate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judges.models import Judge

FULL_WAIT = 0.2  # seconds until one looks again whether a request under way has ended


@dataclass(frozen=True)
class Turns:
    """How many requests may leave now, and in how many seconds the next one may."""

    count: int
    wait: float


def take_turns(*, judge: Judge, tokens: Sequence[int]) -> Turns:
    """Take turns for requests of so many tokens each, as many as the endpoint's rates allow now.

    Call it in the transaction that writes the requests onto the ledger: until its end nobody else can take
    any, so that all workers together keep to the rates. Without rates everything may leave.
    """
    with transaction.atomic():
        rates = list(Rate.objects.of(judge).select_for_update())
        if not rates:
            return Turns(len(tokens), 0.0)
        now = _now()
        meters = [meter for rate in rates for meter in _meters(rate)]
        room = min(_room(rate, len(tokens)) for rate in rates)
        costs = [[cost for rate in rates for cost in _costs(rate, each)] for each in tokens[:room]]
        count, left = taken(meters, costs, now)
        states = iter(left)
        for rate in rates:
            rate.requests_free_at = next(states).free_at if rate.requests_per_minute else 0
            rate.tokens_free_at = next(states).free_at if rate.tokens_per_minute else 0
            rate.save(update_fields=["requests_free_at", "tokens_free_at"])
        return Turns(count, max(wait(left, now), 0.0 if room else FULL_WAIT))


def _now() -> float:
    """The database's clock at this moment: now() would be that of the time before one had to wait."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
        return float(cursor.fetchone()[0])


def _meters(rate: Rate) -> list[Meter]:
    both = (
        (rate.requests_per_minute, rate.requests_free_at),
        (rate.tokens_per_minute, rate.tokens_free_at),
    )
    return [Meter(per_minute, free_at) for per_minute, free_at in both if per_minute]


def _costs(rate: Rate, tokens: int) -> list[int]:
    """What a request costs on each meter of the rate."""
    return [1] * bool(rate.requests_per_minute) + [tokens] * bool(rate.tokens_per_minute)


def _room(rate: Rate, wanted: int) -> int:
    """How many more requests may be under way."""
    if rate.in_flight is None:
        return wanted
    own = LedgerEntry.objects.open().filter(file=None, job__judge__endpoint__in=spellings(rate.endpoint))
    if rate.model:
        own = own.filter(job__judge__model=rate.model)
    return max(0, min(wanted, rate.in_flight - own.count()))
