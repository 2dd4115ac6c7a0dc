"""Pages and files of a task use as many queries for many runs, teams and pools as for a few."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from evaluation.models import Phase, RunState, Task
from evaluation.results.values.actions import score_runs
from tests.factories import (
    make_assessor,
    make_family,
    make_organizer,
    make_pool,
    make_qrels,
    make_run,
    make_task,
)

pytestmark = pytest.mark.django_db

PAGES = (
    "judging/assign/", "jobs/start/", "scores/import/", "pools/", "runs/", "runs/settings/", "leaderboard/",
    "tables/runs.csv", "tables/teams.csv",
)  # fmt: skip


def grow(task: Task) -> None:
    """Add runs, each of a new team with a member, and pools."""
    for _ in range(3):
        make_run(task).families.add(make_family(task))
        make_run(task, state=RunState.WITHDRAWN)
        make_pool(task)
    score_runs(task=task)


@pytest.mark.parametrize("page", PAGES)
def test_query_count_does_not_grow_with_rows(client: Client, page: str) -> None:
    task = make_task(phase=Phase.JUDGING)
    make_qrels(task)
    client.force_login(make_organizer(task.track))
    counts = []
    for _ in range(2):
        grow(task)
        address = f"/tracks/{task.track.slug}/tasks/{task.slug}/{page}"
        client.get(address)  # what is cached for the person and the site
        with CaptureQueriesContext(connection) as asked:
            answer = client.get(address)
            assert b"".join(answer)  # a file is read while it is sent
        assert answer.status_code == 200
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_query_count_of_a_track_does_not_grow_with_people(client: Client) -> None:
    track = make_task(phase=Phase.JUDGING).track
    address = f"/tracks/{track.slug}/"
    client.force_login(make_organizer(track))
    counts = []
    for _ in range(2):
        make_organizer(track)
        make_assessor(track)
        client.get(address)  # what is cached for the person and the site
        with CaptureQueriesContext(connection) as asked:
            assert client.get(address).status_code == 200
        counts.append(len(asked))
    assert counts[0] == counts[1]


MOST = {  # statements
    "": 20, "setup/dates/": 5, "setup/open/": 5, "setup/release/": 9,
    "runs/": 11, "leaderboard/": 10, "pools/": 13,
}  # fmt: skip


@pytest.mark.parametrize("phase", [Phase.CLOSED, Phase.JUDGING])
@pytest.mark.parametrize(("page", "most"), MOST.items())
def test_page_of_an_organizer_has_few_statements(client: Client, page: str, most: int, phase: Phase) -> None:
    task = make_task(phase=phase)
    make_qrels(task)
    grow(task)
    client.force_login(make_organizer(task.track))
    address = f"/tracks/{task.track.slug}/tasks/{task.slug}/{page}"
    client.get(address)  # what is cached for the person and the site
    with CaptureQueriesContext(connection) as asked:
        assert client.get(address).status_code == 200
    assert len(asked) <= most
