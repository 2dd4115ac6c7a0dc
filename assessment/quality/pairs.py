"""Agreement of two assessors on the items that both graded."""

from collections.abc import Mapping, Sequence

import numpy as np
from django.db import connection
from django.db.models import Sum
from django.db.models.functions import Greatest, Least

from assessment.core.quality import PairAgreement, confusion_by_topic, pair_agreement
from assessment.models.aggregates import SharedTally
from evaluation.tracks.models import Task
from trackside.arrays import Ints


def read_columns(names: Sequence[str], source: str, parameters: Sequence[int | list[int]]) -> list[Ints]:
    """Return columns of type bigint as arrays, without a null.

    ``source`` is the query from FROM on. PostgreSQL sends all rows as one value, in a tenth of the time of
    single rows.
    """
    packed = " || ".join(f"int8send({name})" for name in names)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT string_agg({packed}, ''::bytea) {source}", parameters)
        ((content,),) = cursor.fetchall()
    numbers = np.frombuffer(content or b"", dtype=">i8").reshape(-1, len(names))
    return list(numbers.T.astype(np.int64))


Two = tuple[int, int]

COLUMNS = ("topic", "assessor_id", "other_id", "grade", "other_grade", "count")
SHARED = """
    FROM (
        SELECT dense_rank() OVER (ORDER BY topic) - 1 AS topic,
            assessor_id, other_id, grade, other_grade, count
        FROM assessment_sharedtally
        WHERE task_id = %s AND assessor_id = ANY(%s) AND other_id = ANY(%s)
            AND grade = ANY(%s) AND other_grade = ANY(%s)
    ) AS shared
"""


def find_pairs(task: Task, scale: Sequence[int], people: Mapping[int, str]) -> list[Two]:
    """Return each pair of assessors who graded a common pool item, in order of names."""
    shared = SharedTally.objects.filter(
        task=task, assessor__in=people, other__in=people, grade__in=scale, other_grade__in=scale
    )
    pairs = shared.values_list(Least("assessor", "other"), Greatest("assessor", "other"))
    totals = pairs.annotate(total=Sum("count")).filter(total__gt=0)
    names = [sorted((people[pk], pk) for pk in pair) for *pair, _ in totals]
    return [(first, second) for (_, first), (_, second) in sorted(names)]


def measure_pairs(
    task: Task, scale: tuple[int, ...], pairs: Sequence[Two], people: Mapping[int, str]
) -> list[PairAgreement]:
    """Compare the chosen pairs of assessors, in the given order."""
    if not pairs:
        return []
    chosen_people = sorted({pk for pair in pairs for pk in pair})
    columns = read_columns(COLUMNS, SHARED, [task.pk, chosen_people, chosen_people, list(scale), list(scale)])
    matrices = confusion_by_topic(pairs, *columns, scale=scale)
    return [
        pair_agreement(people[first], people[second], pair_matrices, scale)
        for (first, second), pair_matrices in zip(pairs, matrices, strict=True)
    ]
