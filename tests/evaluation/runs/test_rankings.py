"""The first docnos of rankings, read without the others."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evaluation.runs.rankings import Ranking
from tests.factories import make_run, make_task

pytestmark = pytest.mark.django_db

LONG = [f"{'ä' * 120}{place}" for place in range(5)]
SHORT = [f"d{place}" for place in range(1000)]


@pytest.mark.parametrize("depth", [1, 3, 5, 20, 100, 1004, 5000])
def test_top_docnos_are_the_first_docnos_whatever_their_lengths(depth: int) -> None:
    results = {
        "even": SHORT,
        "long-first": LONG + SHORT,  # longer than the average: read a second time
        "long-last": SHORT + LONG,
        "few": SHORT[:3],
        "one": ["東京"],
    }
    run = make_run(make_task(), results=results)
    found = {(key, topic): docnos for key, topic, docnos in Ranking.objects.all().top_docnos(depth)}
    assert found == {(run.pk, topic): docnos[:depth] for topic, docnos in results.items()}


def test_top_docnos_fetch_little_more_than_the_docnos_asked_for() -> None:
    docnos = [f"projected-{place:08d}-000" for place in range(1000)]  # as in AToMiC, 22 characters
    make_run(make_task(), results={"T1": docnos})
    with CaptureQueriesContext(connection) as asked:
        ((_, _, found),) = Ranking.objects.all().top_docnos(20)
    assert found == docnos[:20]
    statement = asked.captured_queries[0]["sql"]
    with connection.cursor() as cursor:
        cursor.execute(statement[statement.index("SELECT") :])
        (row,) = cursor.fetchall()
    # 20 docnos with line feeds have 460 characters; by 8 each the row may be longer.
    assert max(len(str(cell)) for cell in row) <= 460 + 20 * 8
