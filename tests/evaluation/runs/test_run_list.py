"""The list of a task's runs: who sees which runs, their order, and the number of queries."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from evaluation.models import Phase, Run, RunState, Task
from tests.evaluation.runs.run_list import address_of
from tests.factories import make_family, make_organizer, make_run, make_task, make_team, make_team_member

pytestmark = pytest.mark.django_db


def listed(client: Client, task: Task) -> list[Run]:
    return list(client.get(address_of(task)).context["runs"])


def test_list_has_a_team_s_own_uploads_and_all_of_them_for_organizers(client: Client) -> None:
    task = make_task(phase=Phase.OPEN)
    first, second = make_team(task.track, name="Avocet"), make_team(task.track, name="Bittern")
    theirs = [make_run(task, second, tag=tag) for tag in ("b", "a")]
    own = make_run(task, first, tag="c")
    rejected = make_run(task, first, state=RunState.REJECTED)
    make_run()  # of another task
    client.force_login(make_team_member(first))
    assert listed(client, task) == [rejected, own]
    client.force_login(make_organizer(task.track))
    assert listed(client, task) == [rejected, own, theirs[1], theirs[0]]


def test_list_shows_families_to_who_may_see_them(client: Client) -> None:
    task = make_task(phase=Phase.JUDGING)
    run = make_run(task)
    run.families.add(make_family(task, name="sparse"))
    client.force_login(run.received_by)
    assert b"sparse" not in client.get(address_of(task)).content
    client.force_login(make_organizer(task.track))
    assert b"sparse" in client.get(address_of(task)).content


def test_query_count_does_not_grow_with_runs(client: Client) -> None:
    task = make_task(phase=Phase.OPEN)
    client.force_login(make_organizer(task.track))
    counts = []
    for _ in range(2):
        for _ in range(3):
            make_run(task)
        with CaptureQueriesContext(connection) as asked:
            client.get(address_of(task))
        counts.append(len(asked))
    assert counts[0] == counts[1]
