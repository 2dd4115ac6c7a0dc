"""Organizers set family, depth and priority of all runs of their task in one table."""

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Run, Task
from tests.factories import make_family, make_organizer, make_run, make_task, make_team

pytestmark = pytest.mark.django_db


def address_of(task: Task) -> str:
    return reverse("run_settings", args=[task.track.slug, task.slug])


def sent(runs: list[Run], **cells: object) -> dict[str, object]:
    """What the table sends: nothing in a cell, except in those that are named."""
    form = {"form-TOTAL_FORMS": len(runs), "form-INITIAL_FORMS": len(runs)}
    return form | {f"form-{place}-id": run.pk for place, run in enumerate(runs)} | cells


def test_table_sets_families_and_pooling_of_several_runs(client: Client) -> None:
    task = make_task()
    family = make_family(task)
    runs = [make_run(task, make_team(task.track, name=f"team {name}"), tag=name) for name in "ab"]
    client.force_login(make_organizer(task.track))
    answer = client.post(
        address_of(task),
        sent(runs, **{"form-0-families": family.pk, "form-1-pool_depth": 7, "form-1-pool_priority": 1}),
    )
    assert answer.status_code == 302
    first, second = (Run.objects.get(pk=run.pk) for run in runs)
    assert list(first.families.all()) == [family]
    assert (second.pool_depth, second.pool_priority, second.families.count()) == (7, 1, 0)


def test_table_takes_neither_runs_nor_families_of_another_task(client: Client) -> None:
    task, other = make_task(), make_task()
    run, foreign = make_run(task), make_run(other)
    foreign_family = make_family(other)
    client.force_login(make_organizer(task.track))
    client.post(address_of(task), sent([foreign], **{"form-0-pool_depth": 3}))
    client.post(address_of(task), sent([run], **{"form-0-families": foreign_family.pk}))
    assert Run.objects.get(pk=foreign.pk).pool_depth is None
    assert not Run.objects.get(pk=run.pk).families.exists()
