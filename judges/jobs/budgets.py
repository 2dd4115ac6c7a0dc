"""Set the caps and ceilings of budgets; reserve and book the money of shards."""

import logging
from enum import StrEnum

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from evaluation.platform.access.people import User, organizes
from evaluation.tracks.models import Track
from judges.jobs.models import Job
from judges.jobs.money import Budget, Price
from judges.jobs.shards import Shard
from trackside.errors import InputError
from trackside.judging.costs import FREE_OF_CHARGE, amount
from trackside.judging.endpoints.clients import checked_replicas, replicas
from trackside.judging.settings import Settings
from trackside.log_context import bound

logger = logging.getLogger(__name__)
AT_ENDPOINTS = ("openai_chat", "openai_batch", "score_endpoint")  # backends that run nothing here


@transaction.atomic
def set_cap(*, budget: Budget, cap_micros: int | None, by: User) -> None:
    """Set the cap, None for no cap.

    Raises cap-too-low below the spent and reserved money, cap-above-ceiling above the staff's ceiling, and
    cap-not-kept while a job without a price is unfinished: its spending is not counted.
    """
    locked = Budget.objects.select_for_update().get(pk=budget.pk)
    used = locked.spent_micros + locked.reserved_micros
    if cap_micros is not None and cap_micros < used:
        raise InputError(
            f"{locked}: {used / 1e6:.2f} are spent or reserved. Set that or more.", code="cap-too-low"
        )
    if cap_micros is not None and locked.ceiling_micros is not None and cap_micros > locked.ceiling_micros:
        raise InputError(
            f"{locked}: the site's staff allow {amount(locked.ceiling_micros)} at most. "
            "Set that or less, or ask them for more.",
            code="cap-above-ceiling",
        )
    if cap_micros is not None:
        _check_prices(locked)
    locked.cap_micros = cap_micros
    locked.save(update_fields=["cap_micros"])
    with bound(budget=locked.pk, user=by.pk):
        logger.info("cap set to %s micros", cap_micros)


def _check_prices(budget: Budget) -> None:
    """Raise cap-not-kept if an unfinished job under the budget calls an endpoint without a price."""
    owner = Q(pk=budget.job_id) if budget.job_id else Q(pool__task__track=budget.track_id)
    jobs = Job.objects.unfinished().filter(owner).exclude(judge__endpoint="").select_related("judge", "pool")
    for job in jobs:
        if job.rates != FREE_OF_CHARGE:
            continue
        price = Price.objects.of(job.judge)
        if price is None or price.rates_for(job.judge.unit) != FREE_OF_CHARGE:
            raise InputError(
                f'{budget}: a cap needs prices, and the unfinished "{job}" was started without a price for '
                f'"{job.judge.model}". Cancel that job, add the price, and start it again: stored answers '
                "are free.",
                code="cap-not-kept",
            )


@transaction.atomic
def set_ceiling(*, budget: Budget, ceiling_micros: int | None, by: User) -> None:
    """Set the ceiling of a track's budget, None for none. Lower a higher cap to it.

    Raises ceiling-is-the-staffs, and cap-too-low below the spent and reserved money.
    """
    if not by.is_superuser or budget.track_id is None:
        raise InputError(
            "Only the site's staff set a ceiling, and only that of a track.", code="ceiling-is-the-staffs"
        )
    locked = Budget.objects.select_for_update().get(pk=budget.pk)
    used = locked.spent_micros + locked.reserved_micros
    if ceiling_micros is not None and ceiling_micros < used:
        raise InputError(
            f"{locked}: {amount(used)} are spent or reserved. Set that or more.", code="cap-too-low"
        )
    locked.ceiling_micros = ceiling_micros
    if ceiling_micros is not None and locked.cap_micros is not None:
        locked.cap_micros = min(locked.cap_micros, ceiling_micros)
    locked.save(update_fields=["ceiling_micros", "cap_micros"])
    with bound(budget=locked.pk, user=by.pk):
        logger.info("ceiling set to %s micros", ceiling_micros)


@transaction.atomic
def set_endpoints(*, track: Track, endpoints: str, by: User) -> None:
    """Let the track's organizers make judges at these blank-separated base URLs; at none if it is empty.

    Raises endpoints-are-the-staffs, endpoint-settings-refused.
    """
    if not by.is_superuser:
        raise InputError(
            "Only the site's staff name endpoints, whose keys pay.", code="endpoints-are-the-staffs"
        )
    budget = Budget.objects.of_track(track)
    budget.endpoints = " ".join(checked_replicas(endpoints))
    budget.save(update_fields=["endpoints"])
    with bound(budget=budget.pk, user=by.pk):
        logger.info("endpoints for organizers set to %s", budget.endpoints or "none")


def own_endpoints(track: Track) -> tuple[str, ...]:
    """Return the base URLs at which the track's organizers may make judges."""
    budget = Budget.objects.filter(track=track).first()
    return replicas(budget.endpoints) if budget else ()


def check_maker(*, track: Track, settings: Settings, by: User) -> None:
    """Raise staff-only unless the person may make a judge of these settings.

    Organizers may at the endpoints that staff named for the track; these requests cost money up to the
    track's ceiling. All other judges are made by staff: the server loads their models.
    """
    endpoints = {url.rstrip("/") for url in replicas(settings.endpoint)}
    is_allowed = settings.backend in AT_ENDPOINTS and endpoints and endpoints <= set(own_endpoints(track))
    if by.is_superuser or (is_allowed and organizes(by, track.pk)):
        return
    raise InputError(
        "Only the site's staff make this judge: the server loads the models and holds the keys of endpoints. "
        "Ask them to make it, or to name its endpoint for your track.",
        code="staff-only",
    )


NO_MONEY = (
    "The budget has no room for the next shard. Raise its cap, or ask the site's staff to raise the track's "
    "ceiling, then resume the job."
)


class Room(StrEnum):
    """The result of a reservation."""

    RESERVED = "reserved"
    LATER = "later"  # reservations of others may be released
    NEVER = "never"  # not before somebody raises the cap


@transaction.atomic
def reserve_money(*, shard: Shard, micros: int) -> Room:
    """Add to the shard's reservation in its job's and its track's budget, or return whether waiting helps.

    Reads the budgets once, locked, so that money released meanwhile is not missed.
    """
    if not micros:
        return Room.RESERVED
    # Lock in the order of primary keys, as settle_shard does.
    budgets = list(Budget.objects.over(shard.job).select_for_update(of=["self"], no_key=True))
    full_budgets = [budget for budget in budgets if not _has_room(budget, micros)]
    if full_budgets:
        can_come_back = all(budget.reserved_micros > shard.reserved_micros for budget in full_budgets)
        return Room.LATER if can_come_back else Room.NEVER
    Budget.objects.filter(pk__in=[budget.pk for budget in budgets]).update(
        reserved_micros=F("reserved_micros") + micros
    )
    Shard.objects.filter(pk=shard.pk).update(reserved_micros=shard.reserved_micros + micros)
    shard.reserved_micros += micros
    return Room.RESERVED


def _has_room(budget: Budget, micros: int) -> bool:
    used = budget.spent_micros + budget.reserved_micros
    limits = [limit for limit in (budget.cap_micros, budget.ceiling_micros) if limit is not None]
    return not limits or used + micros <= min(limits)


LOST = "lost"
LOST_ALONE = "lost_alone"  # the only request in flight when the worker died


@transaction.atomic
def settle_shard(*, shard: Shard) -> None:
    """Book the shard's ledger to the budgets; call it only while the shard has no request in flight.

    Open entries belong to a worker that died. The endpoint may bill them, so they end as lost and are charged
    at their bound. Idempotent.
    """
    locked = Shard.objects.select_for_update().get(pk=shard.pk)
    outcome = LOST_ALONE if locked.ledger.open().count() == 1 else LOST
    locked.ledger.open().update(ended_at=Now(), cost_micros=F("bound_micros"), outcome=outcome)
    total = locked.ledger.all().total()
    # Lock in the order of primary keys, as reserve_money does.
    for budget in Budget.objects.over(locked.job).select_for_update(of=["self"], no_key=True):
        budget.reserved_micros -= locked.reserved_micros
        budget.spent_micros += total - locked.spent_micros
        budget.save(update_fields=["reserved_micros", "spent_micros"])
    locked.reserved_micros, locked.spent_micros = 0, total
    locked.save(update_fields=["reserved_micros", "spent_micros"])
    shard.reserved_micros, shard.spent_micros = 0, total
