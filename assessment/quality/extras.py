"""Judgments that are stored but do not count."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Sum

from assessment.core.distribution import GradeSegment, lay_out_counts
from assessment.models.aggregates import Tally
from assessment.models.purposes import Purpose
from evaluation.access.people import User
from evaluation.tracks.models import Task


@dataclass(frozen=True)
class ExtraRow:
    """The extra judgments of an assessor on a topic: shown before the item or the topic went to others."""

    name: str
    topic: str
    count: int
    distribution: list[GradeSegment]


def find_extras(task: Task, scale: Sequence[int]) -> list[ExtraRow]:
    """Return the current extra judgments by assessor and topic."""
    tallies = Tally.objects.filter(task=task, purpose=Purpose.EXTRA, count__gt=0).order_by(
        "topic", "assessor"
    )
    counts: dict[tuple[str, int], Counter[int | None]] = defaultdict(Counter)
    for topic, assessor, grade, count in tallies.values_list("topic", "assessor", "grade").annotate(
        total=Sum("count")
    ):
        counts[topic, assessor][grade] += count
    people = User.objects.in_bulk({assessor for _, assessor in counts})
    return [
        ExtraRow(
            f"{people[assessor]} ({people[assessor].email})",
            topic,
            grades.total(),
            lay_out_counts(grades, scale),
        )
        for (topic, assessor), grades in counts.items()
    ]
