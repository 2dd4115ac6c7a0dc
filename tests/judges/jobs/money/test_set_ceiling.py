"""The staff's ceiling on a track's cost holds whatever cap organizers set."""

from decimal import Decimal
from html import unescape

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from evaluation.access.changes import changes_to
from evaluation.models import Pool
from judges.jobs.budgets import Room, reserve_money, set_cap, set_ceiling
from judges.jobs.starting import start_job
from judges.models import Budget, Price
from tests.factories import make_staff
from tests.judges.factories import make_generator, make_image_pool
from tests.refusals import refused

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scripted")]


@pytest.fixture
def pool() -> Pool:
    return make_image_pool()


@pytest.fixture
def budget(pool: Pool, settings: Settings) -> Budget:
    settings.TRACK_CEILING_MICROS = 1000
    judge = make_generator()
    Price.objects.create(model=judge.model, input_price=Decimal(0), output_price=Decimal(0))
    start_job(judge=judge, pool=pool, by=pool.created_by)
    return Budget.objects.get(track=pool.task.track)


def test_track_begins_with_the_sites_ceiling_and_caps_stay_below(budget: Budget, pool: Pool) -> None:
    assert budget.ceiling_micros == 1000
    with refused("cap-above-ceiling", match="the site's staff allow"):
        set_cap(budget=budget, cap_micros=1001, by=pool.created_by)
    set_cap(budget=budget, cap_micros=1000, by=pool.created_by)
    with pytest.raises(IntegrityError), transaction.atomic():
        Budget.objects.filter(pk=budget.pk).update(cap_micros=1001)


def test_ceiling_holds_without_a_cap(budget: Budget, pool: Pool) -> None:
    shard = pool.jobs.get().shards.first()
    assert shard is not None
    assert reserve_money(shard=shard, micros=1001) is Room.NEVER
    assert reserve_money(shard=shard, micros=1000) is Room.RESERVED
    assert reserve_money(shard=shard, micros=1) is Room.NEVER


def test_only_staff_set_a_ceiling_and_caps_come_down_to_it(budget: Budget, pool: Pool) -> None:
    with refused("ceiling-is-the-staffs"):
        set_ceiling(budget=budget, ceiling_micros=2000, by=pool.created_by)
    set_cap(budget=budget, cap_micros=900, by=pool.created_by)
    set_ceiling(budget=budget, ceiling_micros=500, by=make_staff())
    budget.refresh_from_db()
    assert (budget.ceiling_micros, budget.cap_micros) == (500, 500)
    set_cap(budget=budget, cap_micros=0, by=pool.created_by)
    set_ceiling(budget=budget, ceiling_micros=500, by=make_staff())
    budget.refresh_from_db()
    assert budget.cap_micros == 0
    Budget.objects.filter(pk=budget.pk).update(spent_micros=400)
    with refused("cap-too-low"):
        set_ceiling(budget=budget, ceiling_micros=399, by=make_staff())


def test_ceiling_stays_above_what_is_spent_and_reserved(budget: Budget) -> None:
    Budget.objects.filter(pk=budget.pk).update(spent_micros=300, reserved_micros=100, cap_micros=900)
    with refused("cap-too-low"):
        set_ceiling(budget=budget, ceiling_micros=399, by=make_staff())
    set_ceiling(budget=budget, ceiling_micros=400, by=make_staff())
    budget.refresh_from_db()
    assert (budget.ceiling_micros, budget.cap_micros) == (400, 400)
    set_ceiling(budget=budget, ceiling_micros=None, by=make_staff())
    budget.refresh_from_db()
    assert (budget.ceiling_micros, budget.cap_micros) == (None, 400)
    set_ceiling(budget=budget, ceiling_micros=500, by=make_staff())
    budget.refresh_from_db()
    assert (budget.ceiling_micros, budget.cap_micros) == (500, 400)


def test_budget_of_a_job_has_no_ceiling(budget: Budget, pool: Pool) -> None:
    with refused("ceiling-is-the-staffs"):
        set_ceiling(budget=pool.jobs.get().budget, ceiling_micros=2000, by=make_staff())


def test_organizers_raise_no_ceiling_and_changes_are_kept(budget: Budget, pool: Pool, client: Client) -> None:
    page = reverse("row_edit", args=[pool.task.track.slug, "budget", budget.pk])
    client.force_login(pool.created_by)
    refused_page = client.post(page, {"cap": "999999999.99", "ceiling": "999999999.99"})
    assert "the site's staff allow" in unescape(refused_page.content.decode())
    budget.refresh_from_db()
    assert (budget.cap_micros, budget.ceiling_micros) == (None, 1000)
    client.post(page, {"cap": "0.00"})

    staff = make_staff()
    client.force_login(staff)
    address = reverse("admin:judges_budget_change", args=[budget.pk])
    client.post(address, {"cap": "0.00", "ceiling": "50.00"})

    budget.refresh_from_db()
    assert (budget.cap_micros, budget.ceiling_micros) == (0, 50_000_000)
    changes = changes_to(budget)
    assert changes[0].person == str(staff)
    fields = {name: (old, new) for change in changes for name, old, new in change.fields}
    assert fields["ceiling_micros"] == (1000, 50_000_000)


def test_public_endpoint_without_a_price_is_asked_by_no_track_with_a_ceiling(pool: Pool) -> None:
    judge = make_generator(endpoint="https://models.example.org/v1")
    with refused("price-missing", match="no budget of the track"):
        start_job(judge=judge, pool=pool, by=pool.created_by)
    set_ceiling(budget=Budget.objects.of_track(pool.task.track), ceiling_micros=None, by=make_staff())
    assert start_job(judge=judge, pool=pool, by=pool.created_by)


def test_own_machine_without_a_price_is_asked_below_a_ceiling_but_not_below_a_cap(
    pool: Pool, settings: Settings
) -> None:
    settings.TRACK_CEILING_MICROS = 1000
    judge = make_generator(endpoint="http://10.0.0.5/v1")
    budget = Budget.objects.of_track(pool.task.track)
    Budget.objects.filter(pk=budget.pk).update(cap_micros=1000)
    with refused("price-missing", match="no budget of the track"):
        start_job(judge=judge, pool=pool, by=pool.created_by)
    Budget.objects.filter(pk=budget.pk).update(cap_micros=None)
    with refused("price-missing", match="no budget can limit"):
        start_job(judge=judge, pool=pool, by=pool.created_by, cap_micros=0)
    assert start_job(judge=judge, pool=pool, by=pool.created_by)


def test_model_in_the_process_needs_no_price_below_the_track_s_cap(pool: Pool) -> None:
    budget = Budget.objects.of_track(pool.task.track)
    Budget.objects.filter(pk=budget.pk).update(cap_micros=0, ceiling_micros=0)
    assert start_job(judge=make_generator(), pool=pool, by=pool.created_by)
