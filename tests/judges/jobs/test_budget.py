"""Prices are every organizer's to read; changes of caps are told in their track."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from evaluation.audit.queries import changes_in
from judges.jobs.starting import start_job
from judges.models import Budget, Price
from tests.factories import (
    make_assessor,
    make_organizer,
    make_staff,
    make_team,
    make_team_member,
    make_track,
    make_user,
)
from tests.judges.factories import make_image_pool, make_judge

pytestmark = pytest.mark.django_db


def test_prices_are_visible_to_organizers_and_staff_only() -> None:
    track = make_track()
    price = Price.objects.create(model="gpt-4o", input_price=2, output_price=8)
    for person in (make_organizer(track), make_staff()):
        assert list(Price.objects.visible_to(person)) == [price]
    for other in (make_assessor(track), make_team_member(make_team(track)), make_user(), AnonymousUser()):
        assert not Price.objects.visible_to(other).exists()


@pytest.mark.usefixtures("counting")
def test_caps_of_jobs_are_told_in_their_track_only() -> None:
    pools = make_image_pool(), make_image_pool()
    first, _ = (
        start_job(judge=make_judge(seed=seed), pool=pool, by=pool.created_by)
        for seed, pool in enumerate(pools)
    )
    for budget in Budget.objects.filter(job__isnull=False):
        Budget.objects.filter(pk=budget.pk).update(cap_micros=5_000_000)
    told = changes_in(first.pool.task.track, model="judges.budget").filter(pgh_label="update")
    assert [each.pgh_obj_id for each in told] == [str(first.budget.pk)]
    assert told[0].pgh_diff == {"cap_micros": [None, 5_000_000]}
