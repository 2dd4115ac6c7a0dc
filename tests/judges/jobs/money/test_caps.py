"""Caps of organizers and ceilings of the staff: their bounds, the prices they need, and who changed them."""

from decimal import Decimal
from html import unescape

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from evaluation.models import Pool
from evaluation.organizing.audit.queries import changes_in
from evaluation.platform.access.changes import changes_to
from judges.jobs.budgets import Room, reserve_money, set_cap, set_ceiling
from judges.jobs.scheduling import cancel_job, pause_job
from judges.models import Budget, Price
from tests.factories import make_staff
from tests.judges.factories import make_generator, make_image_pool, make_judge, started
from tests.refusals import refused
from trackside.judging.costs import Rates
from trackside.judging.judge import Unit

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting", "scripted")]

URL = "http://host/v1"


@pytest.fixture
def pool() -> Pool:
    return make_image_pool()


@pytest.fixture
def budget(pool: Pool, settings: Settings) -> Budget:
    """The budget of a track with a job; the site's ceiling is 1,000."""
    settings.TRACK_CEILING_MICROS = 1000
    started(make_generator(), pool)
    settings.TRACK_CEILING_MICROS = 1  # too late for this track
    return Budget.objects.of_track(pool.task.track)


def amounts(budget: Budget) -> tuple[int | None, int | None]:
    budget.refresh_from_db()
    return budget.ceiling_micros, budget.cap_micros


def test_price_of_a_batch_is_its_share_of_tokens_and_all_of_an_image() -> None:
    price = Price.objects.create(
        model="gpt-4o", input_price=2, output_price=8, image_tokens=500, batch_percent=50
    )
    assert price.rates_for(Unit.BATCH) == Rates(Decimal(1), Decimal(4), 500)
    for unit in (Unit.PAIR, Unit.INPUT):
        assert price.rates_for(unit) == Rates(Decimal(2), Decimal(8), 500)
    assert list(Price.objects.visible_to(make_staff())) == [price]  # before the first track


def test_caps_of_jobs_are_listed_in_their_track_only() -> None:
    first, _ = (started(make_judge(seed=seed)) for seed in range(2))
    for budget in Budget.objects.filter(job__isnull=False):
        Budget.objects.filter(pk=budget.pk).update(cap_micros=5_000_000)
    updates = changes_in(first.pool.task.track, model="judges.budget").filter(pgh_label="update")
    assert [each.pgh_obj_id for each in updates] == [str(first.budget.pk)]
    assert {each.job or each.track for each in Budget.objects.over(first)} == {first, first.pool.task.track}
    assert updates[0].pgh_diff == {"cap_micros": [None, 5_000_000]}


def test_set_cap_sets_logs_and_lifts_it_above_what_is_taken(
    budget: Budget, pool: Pool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger="judges.jobs.budgets")
    Budget.objects.filter(pk=budget.pk).update(spent_micros=6, reserved_micros=5)
    with refused("cap-too-low"):
        set_cap(budget=budget, cap_micros=10, by=pool.created_by)
    for cap in (11, None):
        set_cap(budget=budget, cap_micros=cap, by=pool.created_by)
        assert amounts(budget) == (1000, cap)
        assert caplog.messages[-1] == f"cap set to {cap} micros"


def test_set_cap_is_refused_while_a_job_asks_an_endpoint_without_a_price(pool: Pool) -> None:
    judge = make_generator(endpoint=URL)
    job = started(judge, pool)
    track = Budget.objects.get(track=pool.task.track)

    for budget in (job.budget, track):
        with refused("cap-not-kept", match="without a price"):
            set_cap(budget=budget, cap_micros=10, by=pool.created_by)
    Price.objects.create(model=judge.model, input_price=Decimal(1), output_price=Decimal(1))
    with refused("cap-not-kept"):  # the job continues at the price of its start: none
        set_cap(budget=track, cap_micros=10, by=pool.created_by)
    pause_job(job=job, by=pool.created_by)
    with refused("cap-not-kept"):
        set_cap(budget=track, cap_micros=10, by=pool.created_by)

    local, elsewhere = started(make_generator(), pool).budget, started().budget
    for budget in (local, elsewhere):  # budgets of other jobs
        set_cap(budget=budget, cap_micros=10, by=pool.created_by)
        assert amounts(budget) == (None, 10)
    cancel_job(job=job, by=pool.created_by)
    set_cap(budget=track, cap_micros=10, by=pool.created_by)


def test_set_cap_is_allowed_if_the_price_table_has_a_price_of_0(pool: Pool) -> None:
    judge = make_generator(endpoint=URL)
    Price.objects.create(model=judge.model, input_price=0, output_price=0, image_tokens=0)

    set_cap(budget=started(judge, pool).budget, cap_micros=10, by=pool.created_by)


def test_track_begins_with_the_sites_ceiling_and_caps_stay_below(budget: Budget, pool: Pool) -> None:
    assert amounts(budget) == (1000, None)
    with refused("cap-above-ceiling", match="the site's staff allow"):
        set_cap(budget=budget, cap_micros=1001, by=pool.created_by)
    set_cap(budget=budget, cap_micros=1000, by=pool.created_by)
    with pytest.raises(IntegrityError), transaction.atomic():
        Budget.objects.filter(pk=budget.pk).update(cap_micros=1001)


def test_ceiling_holds_without_a_cap(budget: Budget, pool: Pool) -> None:
    shard = pool.jobs.get().shards.all()[0]
    assert reserve_money(shard=shard, micros=1001) is Room.NEVER
    assert reserve_money(shard=shard, micros=1000) is Room.RESERVED
    assert reserve_money(shard=shard, micros=1) is Room.NEVER


def test_only_staff_set_a_ceiling_and_only_of_a_track(budget: Budget, pool: Pool) -> None:
    for capped, by in ((budget, pool.created_by), (pool.jobs.get().budget, make_staff())):
        with refused("ceiling-is-the-staffs"):
            set_ceiling(budget=capped, ceiling_micros=2000, by=by)


def test_caps_come_down_to_a_ceiling_which_stays_above_what_is_spent_and_reserved(budget: Budget) -> None:
    Budget.objects.filter(pk=budget.pk).update(spent_micros=300, reserved_micros=100, cap_micros=900)
    with refused("cap-too-low"):
        set_ceiling(budget=budget, ceiling_micros=399, by=make_staff())
    for ceiling in (400, None, 500):
        set_ceiling(budget=budget, ceiling_micros=ceiling, by=make_staff())
        assert amounts(budget) == (ceiling, 400)
    Budget.objects.filter(pk=budget.pk).update(spent_micros=0, reserved_micros=0, cap_micros=0)
    set_ceiling(budget=budget, ceiling_micros=500, by=make_staff())
    assert amounts(budget) == (500, 0)


def test_organizers_raise_no_ceiling_and_changes_are_kept(budget: Budget, pool: Pool, client: Client) -> None:
    page = reverse("row_edit", args=[pool.task.track.slug, "budget", budget.pk])
    client.force_login(pool.created_by)
    refused_page = client.post(page, {"cap": "999999999.99", "ceiling": "999999999.99"})
    assert "the site's staff allow" in unescape(refused_page.content.decode())
    assert amounts(budget) == (1000, None)
    client.post(page, {"cap": "0.00"})

    staff = make_staff()
    client.force_login(staff)
    address = reverse("admin:judges_budget_change", args=[budget.pk])
    client.post(f"{address}?form=ceiling", {"ceiling": "50.00"})

    assert amounts(budget) == (50_000_000, 0)
    changes = changes_to(budget)
    assert changes[0].person == str(staff)
    fields = {name: (old, new) for change in changes for name, old, new in change.fields}
    assert fields["ceiling_micros"] == (1000, 50_000_000)


def test_public_endpoint_without_a_price_is_asked_by_no_track_with_a_ceiling(pool: Pool) -> None:
    judge = make_generator(endpoint="https://models.example.org/v1")
    with refused("price-missing", match="no budget of the track"):
        started(judge, pool)
    set_ceiling(budget=Budget.objects.of_track(pool.task.track), ceiling_micros=None, by=make_staff())
    assert started(judge, pool)


def test_own_machine_without_a_price_is_asked_below_a_ceiling_but_not_below_a_cap(
    pool: Pool, settings: Settings
) -> None:
    settings.TRACK_CEILING_MICROS = 1000
    judge = make_generator(endpoint="http://10.0.0.5/v1")
    budget = Budget.objects.of_track(pool.task.track)
    Budget.objects.filter(pk=budget.pk).update(cap_micros=0, ceiling_micros=1000)
    with refused("price-missing", match="no budget of the track"):
        started(judge, pool)
    assert started(make_generator(), pool)  # a model in the process needs no price below the track's cap
    with refused("price-missing", match="no budget can limit"):
        started(make_generator(), pool, cap_micros=0)
    Budget.objects.filter(pk=budget.pk).update(cap_micros=None)
    with refused("price-missing", match="no budget can limit"):
        started(judge, pool, cap_micros=0)
    assert started(judge, pool)
