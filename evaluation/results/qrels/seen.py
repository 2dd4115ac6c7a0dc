"""Compare what two sets of graders saw."""

from collections.abc import Sequence

from django.db import connection

from evaluation.results.qrels.models import Qrels
from trackside.reporting.design import SeenTogether

COUNTS = """
    SELECT
        count(*),
        count(*) FILTER (WHERE is_known),
        count(*) FILTER (WHERE is_known AND people.shown_sha256 = judge.shown_sha256),
        count(*) FILTER (WHERE is_known AND people.seen = 'part'),
        count(*) FILTER (WHERE is_known AND judge.seen = 'part')
    FROM evaluation_qrelspair AS people
    JOIN evaluation_qrelspair AS judge USING (topic, docno)
    CROSS JOIN LATERAL (SELECT people.shown_sha256 <> '' AND judge.shown_sha256 <> '' AS is_known) AS either
    WHERE people.qrels_id = %s AND judge.qrels_id = %s
        AND people.grade IS NOT NULL AND judge.grade IS NOT NULL
        AND (cardinality(%s::text[]) = 0 OR topic = ANY(%s))
"""


def compare_seen(people: Qrels, judge: Qrels, topics: Sequence[str] = ()) -> SeenTogether:
    """Count the pairs on the topics, or on all, that both graded, by what each was shown."""
    with connection.cursor() as cursor:
        cursor.execute(COUNTS, [people.pk, judge.pk, list(topics), list(topics)])
        return SeenTogether(*cursor.fetchone())
