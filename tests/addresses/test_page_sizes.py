"""The numbers of queries and rows of a task's pages do not grow with its items."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from tests.filled_track import Size, addresses, fill_track

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

SMALL = Size(topics=3, runs=4, people=6, documents=4_000, results=40, depth=2)
LARGE = Size(topics=3, runs=4, people=6, documents=4_000, results=40, depth=10)
MEASURED = {
    "assignment_change",
    "disagreement_list",
    "judging_progress",
    "judging_quality",
    "leaderboard",
    "pool_build",
    "run_detail",
    "run_list",
    "task_detail",
    "topics_assign",
}
# Tables that grow with the items, of which pages have counters.
UNREAD = {
    "judging_progress": "assessment_assigneditem",
    "task_detail": "assessment_assigneditem",
}
READ = """
    SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables
    WHERE relname = %s
"""
# Rows that twenty items on a page may add, with the rows that belong to them.
SLACK = 150


def asked(client: Client, address: str) -> tuple[int, int] | None:
    """The number of statements, and of the rows that they return; None if the track lacks what is asked."""
    statements: list[int] = []

    def count(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        result = execute(sql, params, many, context)
        statements.append(max(context["cursor"].rowcount, 0))
        return result

    if client.get(address).status_code == 404:  # also fills what is cached for the person and the site
        return None
    with connection.execute_wrapper(count):
        assert client.get(address).status_code == 200, address
    return len(statements), sum(statements)


def test_pages_read_no_more_for_more_items_and_judgments() -> None:
    found = {}
    for size in (SMALL, LARGE):
        track = fill_track(size)
        client = Client()
        client.force_login(track.organizer)
        counts = {name: asked(client, address) for name, address in addresses(track).items()}
        found[size] = {name: count for name, count in counts.items() if count}
    assert found[SMALL].keys() == found[LARGE].keys() >= MEASURED
    grown = {
        name: (found[SMALL][name], found[LARGE][name])
        for name in found[SMALL]
        if found[LARGE][name][0] != found[SMALL][name][0]
        or found[LARGE][name][1] > found[SMALL][name][1] + SLACK
    }
    assert not grown


@pytest.mark.parametrize("name", UNREAD)
def test_pages_read_counters_instead_of_items(name: str) -> None:
    """PostgreSQL counts the rows that a transaction reads; this test is one transaction."""
    track = fill_track(SMALL)
    client = Client()
    client.force_login(track.organizer)
    address = addresses(track)[name]

    def read() -> int:
        with connection.cursor() as cursor:
            cursor.execute(READ, [UNREAD[name]])
            return int(cursor.fetchone()[0])

    before = read()
    assert client.get(address).status_code == 200
    assert read() == before > 0
