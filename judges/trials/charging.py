"""Charge trials to the budget of their track, as jobs are."""

from collections.abc import Callable, Sequence

from django.db import transaction
from django.db.models import F, Q

from evaluation.pools.models import Pool
from judges.jobs.money import Budget
from judges.jobs.starting import find_rates
from judges.trials.models import Asked
from trackside.errors import InputError
from trackside.judging.asking import Response


def charge_bound(asked: Asked, parts: Sequence[str | bytes]) -> Callable[[Response | None], int]:
    """Charge the track the bound of a request's cost before it is sent.

    Call the result with the response: the charge becomes its cost, which is returned in micros. Without a
    response (None) the bound stays, because the endpoint may bill it. Raises budget-spent and price-missing.
    """
    judge = asked.judge
    rates = find_rates(judge=judge, pool=Pool(task=asked.task))
    bound = rates.bound(parts, judge.max_tokens)
    _charge(asked, bound)

    def settle(response: Response | None) -> int:
        cost = bound if response is None else rates.charged(response, bound)
        _charge(asked, cost - bound)
        return cost

    return settle


@transaction.atomic
def _charge(asked: Asked, micros: int) -> None:
    if not micros:
        return
    track = asked.task.track
    budget = Budget.objects.filter(pk=Budget.objects.of_track(track).pk)
    if micros > 0:
        taken = F("spent_micros") + F("reserved_micros") + micros
        budget = budget.filter(
            Q(cap_micros__isnull=True) | Q(cap_micros__gte=taken),
            Q(ceiling_micros__isnull=True) | Q(ceiling_micros__gte=taken),
        )
    if not budget.update(spent_micros=F("spent_micros") + micros):
        raise InputError(
            f"The budget of {track} has no room for a trial. Raise its cap, or ask the site's staff to.",
            code="budget-spent",
        )
    row = type(asked)._default_manager.filter(pk=asked.pk)  # noqa: SLF001 - the documented way to any model's rows
    row.update(cost_micros=F("cost_micros") + micros)
