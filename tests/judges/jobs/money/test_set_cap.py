from decimal import Decimal

import pytest

from judges.jobs.budgets import set_cap
from judges.jobs.scheduling import cancel_job, pause_job
from judges.jobs.starting import start_job
from judges.models import Budget, Price
from tests.judges.factories import make_generator, make_image_pool
from tests.refusals import refused

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scripted")]


@pytest.fixture
def budget() -> Budget:
    pool = make_image_pool()
    return start_job(judge=make_generator(), pool=pool, by=pool.created_by).budget


def test_set_cap_sets_logs_and_lifts_it(budget: Budget, caplog: pytest.LogCaptureFixture) -> None:
    assert budget.job is not None
    caplog.set_level("INFO", logger="judges.jobs.budgets")
    for cap in (10, None):
        set_cap(budget=budget, cap_micros=cap, by=budget.job.created_by)
        budget.refresh_from_db()
        assert budget.cap_micros == cap
        assert caplog.messages[-1] == f"cap set to {cap} micros"


def test_set_cap_keeps_above_what_is_taken(budget: Budget) -> None:
    assert budget.job is not None
    Budget.objects.filter(pk=budget.pk).update(spent_micros=6, reserved_micros=5)

    with refused("cap-too-low"):
        set_cap(budget=budget, cap_micros=10, by=budget.job.created_by)
    set_cap(budget=budget, cap_micros=11, by=budget.job.created_by)


def test_set_cap_is_refused_while_a_job_asks_an_endpoint_without_a_price() -> None:
    pool = make_image_pool()
    judge = make_generator(endpoint="http://host/v1")
    job = start_job(judge=judge, pool=pool, by=pool.created_by)
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

    cancel_job(job=job, by=pool.created_by)
    set_cap(budget=track, cap_micros=10, by=pool.created_by)


def test_set_cap_is_allowed_if_the_price_table_has_a_price_of_0() -> None:
    pool = make_image_pool()
    judge = make_generator(endpoint="http://host/v1")
    Price.objects.create(model=judge.model, input_price=0, output_price=0, image_tokens=0)
    job = start_job(judge=judge, pool=pool, by=pool.created_by)

    set_cap(budget=job.budget, cap_micros=10, by=pool.created_by)


def test_set_cap_asks_for_the_prices_of_the_budget_s_own_jobs() -> None:
    asking, other = make_image_pool(), make_image_pool()
    start_job(judge=make_generator(endpoint="http://host/v1"), pool=asking, by=asking.created_by)
    local = start_job(judge=make_generator(), pool=asking, by=asking.created_by)
    elsewhere = Budget.objects.of_track(other.task.track)
    for budget in (local.budget, elsewhere):
        set_cap(budget=budget, cap_micros=10, by=asking.created_by)
        budget.refresh_from_db()
        assert budget.cap_micros == 10
