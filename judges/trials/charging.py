"""Charge trials to the budget of their track, as jobs are."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from django.db import transaction
from django.db.models import F, Q

from evaluation.pools.models import Pool
from judges.jobs.money import Budget
from judges.jobs.starting import find_rates
from judges.trials.models import Trial
from trackside.errors import InputError
from trackside.judging.asking import EndpointDown, Response


@contextmanager
def charged(trial: Trial, parts: Sequence[str | bytes]) -> Iterator[Callable[[Response], None]]:
    """Charge the track the bound of a request's cost before the block sends it.

    Call the result with the response: the charge becomes its cost. Without a response the bound stays,
    because the endpoint may bill it; it is returned if the endpoint is down or rejects us. Raises
    budget-spent and price-missing.
    """
    judge = trial.judge
    rates = find_rates(judge=judge, pool=Pool(task=trial.task))
    max_tokens = judge.decoding.get("max_completion_tokens") or judge.decoding.get("max_tokens", 0)
    bound = rates.bound(parts, max_tokens)
    _charge(trial, bound)
    try:
        yield lambda response: _charge(trial, rates.charged(response, bound) - bound)
    except EndpointDown:
        _charge(trial, -bound)
        raise


@transaction.atomic
def _charge(trial: Trial, micros: int) -> None:
    if not micros:
        return
    track = trial.task.track
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
    Trial.objects.filter(pk=trial.pk).update(cost_micros=F("cost_micros") + micros)
