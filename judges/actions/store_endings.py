"""Store what became of a job's waiting pairs, however many, by one COPY."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.db import connection, transaction

from evaluation.core.code_version import code_version
from judges.models import Call

if TYPE_CHECKING:
    from collections.abc import Iterable

NEW_TABLE = """
    CREATE TEMPORARY TABLE ending (
        call_id bigint, outcome text, raw_score double precision, cosine real,
        expected_score double precision, raw_answer text
    )
"""
APPLY = """
    UPDATE {calls} AS call SET
        cosine = ending.cosine,
        raw_score = ending.raw_score,
        expected_score = ending.expected_score,
        raw_answer = ending.raw_answer,
        outcome = ending.outcome,
        state = CASE WHEN ending.outcome = 'ok' THEN 'done' ELSE 'failed' END,
        attempt_count = attempt_count + 1,
        code_version = %s,
        ended_at = now()
    FROM ending WHERE call.id = ending.call_id AND call.state = 'waiting'
"""


class Ending(NamedTuple):
    """The end of a call by its key: the outcome "ok" with a raw score, or a gap without one."""

    call_id: int
    outcome: str
    raw_score: float | None = None
    cosine: float | None = None
    expected_score: float | None = None
    raw_answer: str = ""


@transaction.atomic
def store_endings(*, endings: Iterable[Ending]) -> None:
    """End the calls that still wait; those that have their end keep it."""
    with connection.cursor() as cursor:
        cursor.execute(NEW_TABLE)
        with cursor.copy("COPY ending FROM STDIN") as copy:
            for ending in endings:
                copy.write_row(ending)
        calls = Call._meta.db_table  # noqa: SLF001 - Django's documented way to a table's name
        cursor.execute(APPLY.format(calls=calls), [code_version()])
        cursor.execute("DROP TABLE ending")
