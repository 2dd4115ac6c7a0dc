"""Prices and budgets; changes of caps are listed in their track."""

from decimal import Decimal

import pytest
from pytest_django import Settings

from evaluation.audit.queries import changes_in
from judges.jobs.starting import start_job
from judges.models import Budget, Price
from tests.factories import (
    make_staff,
    make_track,
)
from tests.judges.factories import make_image_pool, make_judge
from trackside.judging.costs import Rates
from trackside.judging.judge import Unit

pytestmark = pytest.mark.django_db


def test_prices_are_visible_to_staff_before_the_first_track() -> None:
    price = Price.objects.create(model="gpt-4o", input_price=2, output_price=8)
    assert list(Price.objects.visible_to(make_staff())) == [price]


def test_price_of_a_batch_is_its_share_of_tokens_and_all_of_an_image() -> None:
    price = Price(input_price=Decimal(2), output_price=Decimal(8), image_tokens=500, batch_percent=50)
    assert price.rates_for(Unit.BATCH) == Rates(Decimal(1), Decimal(4), 500)
    for unit in (Unit.PAIR, Unit.INPUT):
        assert price.rates_for(unit) == Rates(Decimal(2), Decimal(8), 500)


def test_budget_of_a_track_starts_with_the_sites_ceiling(settings: Settings) -> None:
    settings.TRACK_CEILING_MICROS = 9_000_000
    track = make_track()
    budget = Budget.objects.of_track(track)
    assert (budget.track, budget.cap_micros, budget.ceiling_micros) == (track, None, 9_000_000)
    settings.TRACK_CEILING_MICROS = 1
    assert Budget.objects.of_track(track).ceiling_micros == 9_000_000


@pytest.mark.usefixtures("counting")
def test_caps_of_jobs_are_listed_in_their_track_only() -> None:
    pools = make_image_pool(), make_image_pool()
    first, _ = (
        start_job(judge=make_judge(seed=seed), pool=pool, by=pool.created_by)
        for seed, pool in enumerate(pools)
    )
    for budget in Budget.objects.filter(job__isnull=False):
        Budget.objects.filter(pk=budget.pk).update(cap_micros=5_000_000)
    updates = changes_in(first.pool.task.track, model="judges.budget").filter(pgh_label="update")
    assert [each.pgh_obj_id for each in updates] == [str(first.budget.pk)]
    assert {each.job or each.track for each in Budget.objects.over(first)} == {first, first.pool.task.track}
    assert updates[0].pgh_diff == {"cap_micros": [None, 5_000_000]}
