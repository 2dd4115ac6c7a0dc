from __future__ import annotations

import pytest

from judges.actions.set_cap import CapTooLow, set_cap
from judges.actions.start_job import start_job
from judges.models import Budget
from tests.judges.factories import make_generator, make_image_pool

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scripted")]


@pytest.fixture
def budget() -> Budget:
    pool = make_image_pool()
    return start_job(judge=make_generator(), pool=pool, by=pool.created_by).budget


def test_set_cap_sets_and_lifts_it(budget: Budget) -> None:
    assert budget.job is not None
    for cap in (10, None):
        set_cap(budget=budget, cap_micros=cap, by=budget.job.created_by)
        budget.refresh_from_db()
        assert budget.cap_micros == cap


def test_set_cap_keeps_above_what_is_taken(budget: Budget) -> None:
    assert budget.job is not None
    Budget.objects.filter(pk=budget.pk).update(spent_micros=6, reserved_micros=5)

    with pytest.raises(CapTooLow):
        set_cap(budget=budget, cap_micros=10, by=budget.job.created_by)
    set_cap(budget=budget, cap_micros=11, by=budget.job.created_by)
