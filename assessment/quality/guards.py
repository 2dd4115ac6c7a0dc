"""What makes the release of people's grades unsafe: careless assessors, no second grades, open items."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from typing import cast

import numpy as np
from django.core.cache import caches
from django.db import connection
from django.db.models import QuerySet, Sum
from django.urls import reverse

from assessment.core.carelessness import FAST, SAME, is_straight, is_too_fast, people_at_chance
from assessment.models.aggregates import JudgedItem, SharedTally, Tally
from assessment.models.purposes import Purpose
from evaluation.access.people import User
from evaluation.panels import OpenAction
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task
from trackside.arrays import Ints

RECENT = 300  # judgments whose median time is compared
AT_A_GLANCE = 4  # cells of a wall that one look takes in
LASTS = 60  # seconds that the findings are kept
MOST_NAMED = 3  # people of each kind that get a line each
MEDIANS = """
    SELECT assessor, count(*), percentile_cont(0.5) WITHIN GROUP (
        ORDER BY recent.active_seconds * CASE WHEN judgment.wall IS NULL THEN 1 ELSE %s END
    )
    FROM unnest(%s::bigint[]) AS assessor, LATERAL (
        SELECT judgment_id, active_seconds FROM assessment_currentjudgment
        WHERE task_id = %s AND assessor_id = assessor AND purpose = 'work' AND active_seconds > 0
        ORDER BY judged_at DESC LIMIT %s
    ) AS recent JOIN assessment_judgment AS judgment ON judgment.id = judgment_id
    GROUP BY assessor
"""


def careless_needs(task: Task) -> list[OpenAction]:
    """Return what organizers should know of careless judging, kept for LASTS seconds."""
    needs = caches["pages"].get_or_set(f"careless-{task.pk}", partial(_careless, task), LASTS)
    return cast("list[OpenAction]", needs)


def release_guards(task: Task) -> Iterable[OpenAction]:
    """Yield what makes the release unsafe on people's side."""
    yield from careless_needs(task)
    items = JudgedItem.objects.filter(task=task)
    if open_count := items.disputed().filter(is_settled=False).count():
        words = "1 item is" if open_count == 1 else f"{open_count:,} items are"
        address = _address(task, "disagreement_list")
        yield OpenAction("", f"{words} to settle", address, "graded differently or flagged")
    if items.exists() and not SharedTally.objects.filter(task=task, count__gt=0).exists():
        yield OpenAction(
            "warn",
            "No item is graded by two people",
            _address(task, "topics_assign"),
            "nobody can say whether people agree",
        )


def _careless(task: Task) -> list[OpenAction]:
    scale = Criteria.objects.current(task).scale
    address = _address(task, "judging_quality")
    people, monotonous = _monotonous(task, scale)
    names = {user.pk: str(user) for user in User.objects.filter(pk__in=people)}
    at_chance = people_at_chance(_shared(task, scale), scale)
    kinds = (
        [
            (" and ".join(names[person] for person in suspects), _chance_words(suspects, kappa))
            for suspects, kappa in at_chance
        ],
        [
            (names[person], "gives nearly every item the same grade, unlike others")
            for person in _straight(task, scale, monotonous)
        ],
        [
            (names[person], f"takes below {FAST:.0f} s for half of the items")
            for person, count, median in _medians(task, list(people))
            if is_too_fast(median, count)
        ],
    )
    return [need for kind in kinds for need in _named(kind, address)]


def _chance_words(people: Sequence[int], kappa: float) -> str:
    who = "agree" if len(people) > 1 else "agrees with others"
    return f"{who} hardly more than by chance, kappa {kappa:.2f}"


def _named(kind: Sequence[tuple[str, str]], address: str) -> Iterable[OpenAction]:
    for name, words in kind[:MOST_NAMED]:
        yield OpenAction("bad", f"{name} {words}", address, "look before the grades are used")
    if (more := len(kind) - MOST_NAMED) > 0:
        yield OpenAction("bad", f"and {more:,} more like the last", address)


def _shared(task: Task, scale: Sequence[int]) -> dict[tuple[int, int], Ints]:
    """Return the items of each pair of people by both grades, in the order of the scale."""
    order = {grade: index for index, grade in enumerate(scale)}
    tallies = SharedTally.objects.filter(task=task, grade__in=scale, other_grade__in=scale).order_by()
    rows = tallies.values_list("assessor", "other", "grade", "other_grade").annotate(total=Sum("count"))
    matrices: dict[tuple[int, int], Ints] = defaultdict(
        lambda: np.zeros((len(scale), len(scale)), dtype=np.int64)
    )
    for person, other, grade, other_grade, total in rows:
        cell = order[grade], order[other_grade]
        pair, index = ((person, other), cell) if person < other else ((other, person), cell[::-1])
        matrices[pair][index] += total
    return {pair: matrix for pair, matrix in matrices.items() if matrix.any()}


def _straight(task: Task, scale: Sequence[int], people: Collection[int]) -> list[int]:
    """Return who gives one grade far more often than others do on the same topics."""
    tallies = Tally.objects.filter(task=task, purpose=Purpose.WORK, grade__in=scale).order_by()
    everyone = _by_topic(tallies, scale)
    straight = []
    for person in people:
        own_counts = _by_topic(tallies.filter(assessor=person), scale)
        other_counts = {topic: counts - own_counts.get(topic, 0) for topic, counts in everyone.items()}
        if is_straight(own_counts, other_counts):
            straight.append(person)
    return straight


def _by_topic(tallies: QuerySet[Tally], scale: Sequence[int]) -> dict[str, Ints]:
    """Return the counts of grades by topic, in the order of the scale."""
    order = {grade: index for index, grade in enumerate(scale)}
    counts: dict[str, Ints] = defaultdict(lambda: np.zeros(len(scale), dtype=np.int64))
    for topic, grade, count in tallies.values_list("topic", "grade").annotate(total=Sum("count")):
        counts[topic][order[grade]] += count
    return counts


def _monotonous(task: Task, scale: Sequence[int]) -> tuple[set[int], set[int]]:
    """Return all people with a grade of a pool item, and those who hardly use more than one grade."""
    tallies = Tally.objects.filter(task=task, purpose=Purpose.WORK, grade__in=scale).order_by()
    counts: dict[int, list[int]] = defaultdict(list)
    for person, _, count in tallies.values_list("assessor", "grade").annotate(total=Sum("count")):
        counts[person].append(count)
    return set(counts), {person for person, of in counts.items() if max(of) >= SAME * sum(of)}


def _medians(task: Task, people: Sequence[int]) -> list[tuple[int, int, float]]:
    """Return (person, judgments, median seconds) of each person's last judgments."""
    with connection.cursor() as cursor:
        cursor.execute(MEDIANS, [AT_A_GLANCE, list(people), task.pk, RECENT])
        return [(person, count, median) for person, count, median in cursor.fetchall()]


def _address(task: Task, name: str) -> str:
    return reverse(name, args=[task.track.slug, task.slug])
