"""Who sees prices, budgets and ledgers; changes of caps are listed in their track."""

from decimal import Decimal

import pytest
from django.contrib.auth.models import AnonymousUser
from pytest_django import Settings

from evaluation.audit.queries import changes_in
from judges.jobs.starting import start_job
from judges.models import Budget, LedgerEntry, Price
from tests.factories import (
    make_assessor,
    make_organizer,
    make_staff,
    make_team,
    make_team_member,
    make_track,
    make_user,
)
from tests.judges.factories import make_generator, make_image_pool, make_judge
from trackside.judging.costs import Rates
from trackside.judging.judge import Unit

pytestmark = pytest.mark.django_db


def test_prices_are_visible_to_organizers_and_staff_only() -> None:
    price, staff = Price.objects.create(model="gpt-4o", input_price=2, output_price=8), make_staff()
    assert list(Price.objects.visible_to(staff)) == [price]  # also before the first track
    track = make_track()
    for person in (make_organizer(track), staff):
        assert list(Price.objects.visible_to(person)) == [price]
    for other in (make_assessor(track), make_team_member(make_team(track)), make_user(), AnonymousUser()):
        assert not Price.objects.visible_to(other).exists()


def test_price_of_a_batch_is_its_share_of_tokens_and_all_of_an_image() -> None:
    price = Price(input_price=Decimal(2), output_price=Decimal(8), image_tokens=500, batch_percent=50)
    assert price.rates_for(Unit.BATCH) == Rates(Decimal(1), Decimal(4), 500)
    for unit in (Unit.PAIR, Unit.INPUT):
        assert price.rates_for(unit) == Rates(Decimal(2), Decimal(8), 500)


@pytest.mark.usefixtures("scripted")
def test_price_at_the_endpoint_goes_before_the_price_anywhere() -> None:
    judge = make_generator(endpoint="https://models.example/v1")
    assert Price.objects.of(judge) is None
    anywhere = Price.objects.create(model=judge.model, input_price=2, output_price=8)
    Price.objects.create(model="another", input_price=1, output_price=1, endpoint=judge.endpoint)
    assert Price.objects.of(judge) == anywhere
    there = Price.objects.create(model=judge.model, input_price=3, output_price=9, endpoint=judge.endpoint)
    assert Price.objects.of(judge) == there


@pytest.mark.usefixtures("counting")
def test_money_of_a_job_is_its_organizers_to_see() -> None:
    pools = make_image_pool(), make_image_pool()
    jobs = [
        start_job(judge=make_judge(seed=seed), pool=pool, by=pool.created_by)
        for seed, pool in enumerate(pools)
    ]
    entries = [
        LedgerEntry.objects.create(job=job, shard=job.shards.all()[0], request_key="k", bound_micros=7)
        for job in jobs
    ]
    track = pools[0].task.track
    assert list(LedgerEntry.objects.visible_to(pools[0].created_by)) == entries[:1]
    assert set(LedgerEntry.objects.visible_to(make_staff())) == set(entries)
    seen = Budget.objects.visible_to(pools[0].created_by)
    assert {each.job or each.track for each in seen} == {jobs[0], track}
    assert set(Budget.objects.over(jobs[0])) == set(seen)
    for other in (make_assessor(track), make_team_member(make_team(track)), make_user(), AnonymousUser()):
        assert not LedgerEntry.objects.visible_to(other).exists()
        assert not Budget.objects.visible_to(other).exists()


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
    assert updates[0].pgh_diff == {"cap_micros": [None, 5_000_000]}
