"""The numbers of queries and rows of a task's pages do not grow with its items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test import Client

from tests.filled_track import Size, addresses, fill_track

if TYPE_CHECKING:
    from collections.abc import Callable

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
    "pool_overview",
    "run_detail",
    "run_list",
    "task_detail",
    "topics_assign",
}
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
