"""What gold, repeats, others' grades and times say about each assessor of a task."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import cast
from zoneinfo import ZoneInfo

import numpy as np
from django.core.cache import caches
from django.db import connection

from assessment.models.aggregates import JudgedItem
from assessment.models.purposes import NOT_SHOWN
from assessment.quality.rows import find_gold
from evaluation.platform.access.people import User
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task
from trackside.statistics.suspects import Suspect, Work, find_suspects, gold_to_know

LATEST = 3_000  # judgments of each assessor that are read
LASTS = 300  # seconds that the findings are kept
MOST_NAMED = 5  # of those about whom nothing can be told
AT_A_GLANCE = 4  # cells of a wall that one look takes in
ROWS = """
    SELECT assessor, array_agg(item_id ORDER BY judged_at, judgment_id),
        array_agg(grade ORDER BY judged_at, judgment_id),
        array_agg(judged_at ORDER BY judged_at, judgment_id),
        array_agg(active_seconds ORDER BY judged_at, judgment_id), max(all_count) - count(*)
    FROM (SELECT DISTINCT assessor_id AS assessor FROM assessment_tally WHERE task_id = %s) AS people,
    LATERAL (
        SELECT item_id, now.grade, now.judged_at, judgment_id, count(*) OVER () AS all_count,
            now.active_seconds * CASE WHEN judgment.wall IS NULL THEN 1 ELSE %s END AS active_seconds
        FROM assessment_currentjudgment AS now
        JOIN assessment_judgment AS judgment ON judgment.id = judgment_id
        WHERE now.task_id = %s AND now.assessor_id = assessor
            AND now.purpose <> ALL(%s) AND now.grade = ANY(%s)
        ORDER BY now.judged_at DESC LIMIT %s
    ) AS recent GROUP BY assessor
"""


@dataclass(frozen=True)
class Distrust:
    """People whose grades are not those of honest work, from which judgment of all on, and since when.

    ``first`` and ``since`` are the first person's; all judgments of a second one are in doubt.
    """

    starts: dict[User, str]  # of each person, in the task's zone, for the form of judgments that do not count
    kind: str
    first: int
    since: datetime
    item_count: int

    @property
    def names(self) -> str:
        """The names; of two, one or both are meant."""
        return " or ".join(map(str, self.starts))

    @classmethod
    def of(
        cls, suspect: Suspect, people: Sequence[User], times: Sequence[Sequence[datetime]], skipped: int = 0
    ) -> "Distrust":
        """Return the finding; ``times`` are those of each one's judgments in order, in the task's zone.

        ``skipped`` judgments of the first person came before these.
        """
        first = min(suspect.first, suspect.last, len(times[0]) - 1)
        begun = [times[0][first], *(own[0] for own in times[1:])]
        local = [moment.replace(microsecond=0, tzinfo=None).isoformat() for moment in begun]
        starts = dict(zip(people, local, strict=True))
        return cls(starts, suspect.kind, skipped + first + 1, begun[0], suspect.item_count)


@dataclass(frozen=True)
class Trust:
    """Who is not to be trusted, and about whom nothing can be told yet.

    ``gold_count`` gold items of the highest grade would tell whether one of them looks at the items.
    """

    suspects: list[Distrust]
    untold: list[User]
    gold_count: int

    @property
    def untold_names(self) -> str:
        """The first names of those about whom nothing can be told."""
        names = [str(person) for person in self.untold[:MOST_NAMED]]
        more_count = len(self.untold) - len(names)
        return ", ".join([*names, *([f"{more_count:,} more"] if more_count else [])])


def find_trust(task: Task) -> Trust:
    """Return the findings on all assessors of the task, kept for LASTS seconds."""
    return cast("Trust", caches["pages"].get_or_set(f"trust-{task.pk}", partial(_find, task), LASTS))


def _find(task: Task) -> Trust:
    scale = Criteria.objects.current(task).scale
    rows = _rows(task, scale)
    keys = np.unique(np.concatenate([items for items, *_ in rows.values()])) if rows else np.zeros(0)
    order = {grade: index for index, grade in enumerate(scale)}
    works = {
        person: Work(
            np.searchsorted(keys, items),
            np.array([order[grade] for grade in grades], dtype=np.int64),
            np.array(seconds, dtype=np.float64),
        )
        for person, (items, grades, _, seconds, _) in rows.items()
    }
    found = find_suspects(works, _gold(task, keys, order), len(scale))
    people = User.objects.in_bulk(list(rows))
    zone = ZoneInfo(task.time_zone)
    suspects = [
        Distrust.of(
            suspect,
            [people[person] for person in suspect.people],
            [[moment.astimezone(zone) for moment in rows[person][2]] for person in suspect.people],
            rows[suspect.people[0]][4],
        )
        for suspect in found.suspects
    ]
    untold = sorted((people[person] for person, told in found.is_told.items() if not told), key=str)
    return Trust(suspects, untold, gold_to_know(found.prior, len(works)) if works else 0)


Columns = tuple[list[int], list[int], list[datetime], list[float | None], int]


def _rows(task: Task, scale: Sequence[int]) -> dict[int, Columns]:
    """Return items, grades, times and seconds of each one's latest judgments, and the number of others."""
    with connection.cursor() as cursor:
        cursor.execute(ROWS, [task.pk, AT_A_GLANCE, task.pk, list(NOT_SHOWN), list(scale), LATEST])
        return {person: tuple(columns) for person, *columns in cursor.fetchall()}


def _gold(task: Task, keys: np.ndarray, order: Mapping[int, int]) -> dict[int, int]:
    """Return the known grade, as an index on the scale, of items by their place among the keys."""
    gold = {pair: order[grade] for pair, grade in find_gold(task).items() if grade in order}
    docnos = {docno for _, docno in gold}
    items = JudgedItem.objects.filter(task=task, docno__in=docnos).values_list("topic", "docno", "pk")
    numbers = {(topic, docno): pk for topic, docno, pk in items}
    places = {number: place for place, number in enumerate(keys.tolist())}
    return {
        places[numbers[pair]]: grade
        for pair, grade in gold.items()
        if pair in numbers and numbers[pair] in places
    }
