"""Find what asking a judge costs."""

from __future__ import annotations

from django.db import connection, transaction

from evaluation.core.errors import InputError
from evaluation.models import Pool
from judges.core.costs import FREE_OF_CHARGE, Rates
from judges.models import Budget, Judge, Price

# Held to the end of the transaction: set_cap waits for it, workers that reserve money do not.
TRACK_CAP = "SELECT cap_micros FROM {budgets} WHERE track_id = %s FOR KEY SHARE"


class PriceMissing(InputError):
    """A budget was set for a model that the price table does not name."""


@transaction.atomic
def find_rates(*, judge: Judge, pool: Pool, cap_micros: int | None = None) -> Rates:
    """The rates of the price table for a job of the judge on the pool; without a price it is free of charge.

    That is no harm while nothing is counted against a cap. Raises PriceMissing where the job has one, or
    where the track has one and the judge calls an endpoint, which may ask for money.
    """
    price = Price.objects.of(judge)
    if price:
        return price.rates_for(judge.unit)
    if cap_micros is not None or (judge.endpoint and _has_cap(pool)):
        whose = "" if cap_micros is not None else " of the track"
        raise PriceMissing(
            f'There is no price for "{judge.model}", so no budget{whose} can be kept. Add it to the prices.'
        )
    return FREE_OF_CHARGE


def _has_cap(pool: Pool) -> bool:
    """Whether the track's budget has a cap, which nobody sets until the transaction is over."""
    track = pool.task.track
    Budget.objects.get_or_create(track=track)
    with connection.cursor() as cursor:
        table = Budget._meta.db_table  # noqa: SLF001 - Django's documented way to a table's name
        cursor.execute(TRACK_CAP.format(budgets=table), [track.pk])
        (cap,) = cursor.fetchone()
    return cap is not None
