"""Rate limits: meters of what a person, token or address has used, and how uses are counted."""

from __future__ import annotations

from math import ceil

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import connection, models
from django.db.models.functions import Now
from django.utils.formats import number_format
from django.utils.translation import gettext

from evaluation.platform.access.people import User
from trackside.errors import InputError
from trackside.rates import RateLimit


class RateMeterQuerySet(models.QuerySet["RateMeter"]):
    """Queryset of meters."""

    def visible_to(self, user: User | AnonymousUser) -> RateMeterQuerySet:
        """All for the site's staff, none for others: keys contain IP addresses."""
        return self if user.is_superuser else self.none()

    def full(self) -> RateMeterQuerySet:
        """Meters of unused rates: deleting the row changes nothing."""
        return self.filter(full_at__lt=Now())


class RateMeter(models.Model):
    """A token bucket, stored as the time at which it will be full again.

    ``key`` names the rate and the person, token or address, such as "upload:user:7". The table is unlogged:
    a crash of the database empties it, which resets all rates.
    """

    key = models.CharField(max_length=200, primary_key=True, db_collation="C")
    full_at = models.DateTimeField()

    objects = RateMeterQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["full_at"], name="rate_meter_full_at")]

    def __str__(self) -> str:
        return self.key


TABLE = RateMeter._meta.db_table  # noqa: SLF001 - Django's documented way to a table's name
# The generic cell rate algorithm: a bucket of `count` is `count` x `apart` seconds deep, each use fills
# `apart` of it, and it drains with the clock. One statement checks and counts, so concurrent uses cannot
# exceed the rate.
SPEND = f"""
    INSERT INTO {TABLE} AS meter (key, full_at)
    VALUES (%(key)s, clock_timestamp() + %(apart)s * interval '1 second')
    ON CONFLICT (key) DO UPDATE
    SET full_at = greatest(meter.full_at, clock_timestamp()) + %(apart)s * interval '1 second'
    WHERE meter.full_at <= clock_timestamp() + (%(depth)s - %(apart)s) * interval '1 second'
    RETURNING 1
"""  # noqa: S608 - the table's name is Django's
WAIT = f"""
    SELECT extract(epoch FROM full_at - clock_timestamp()) - (%(depth)s - %(apart)s)
    FROM {TABLE} WHERE key = %(key)s
"""  # noqa: S608 - as above


class TooManyRequests(InputError):
    """The rate is used up. ``retry_after`` is in whole seconds, 1 or more."""

    status = 429

    def __init__(self, rate: RateLimit, retry_after: int) -> None:
        super().__init__(
            gettext(
                "You have reached the limit of {count} times in {seconds} seconds. "
                "Try again in {wait} seconds."
            ).format(
                count=number_format(rate.count, force_grouping=True),
                seconds=number_format(rate.seconds, force_grouping=True),
                wait=number_format(retry_after, force_grouping=True),
            )
        )
        self.retry_after = retry_after


def spend_rate(*, name: str, who: str) -> None:
    """Count one use of the rate ``settings.RATES[name]`` by a person, token or address.

    Raises TooManyRequests when the rate is used up; that use is not counted.
    """
    spend(rate=settings.RATES[name], key=f"{name}:{who}")


def spend(*, rate: RateLimit, key: str) -> None:
    """Count one use under the key. Raises TooManyRequests when the rate is used up."""
    values: dict[str, str | float] = {
        "key": key[:200],
        "apart": rate.apart,
        "depth": float(rate.seconds),
    }
    with connection.cursor() as cursor:
        cursor.execute(SPEND, values)
        if cursor.fetchone():
            return
        cursor.execute(WAIT, values)
        row = cursor.fetchone()
    raise TooManyRequests(rate, max(1, ceil(row[0])) if row else 1)


def sweep_rates() -> int:
    """Delete the meters whose rate is unused again, and return their number."""
    count, _ = RateMeter.objects.full().delete()
    return count
