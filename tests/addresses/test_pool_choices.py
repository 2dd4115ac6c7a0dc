"""Pages that list a task's pools use as many queries for many pools as for one."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from evaluation.models import Phase
from tests.factories import make_organizer, make_pool, make_task

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("page", ["judging/assign/", "jobs/start/", "scores/import/", "pools/"])
def test_query_count_does_not_grow_with_pools(client: Client, page: str) -> None:
    task = make_task(phase=Phase.JUDGING)
    client.force_login(make_organizer(task.track))
    address = f"/tracks/{task.track.slug}/tasks/{task.slug}/{page}"
    counts = []
    for more in (1, 9):
        for _ in range(more):
            make_pool(task)
        client.get(address)  # what is cached for the person and the site
        with CaptureQueriesContext(connection) as asked:
            assert client.get(address).status_code == 200
        counts.append(len(asked))
    assert counts[0] == counts[1]
