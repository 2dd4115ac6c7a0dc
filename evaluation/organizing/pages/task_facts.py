"""Facts of tasks for public pages: dates, leaders, counts, reading. The number of queries is fixed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count

from evaluation.collections.models import Topic
from evaluation.platform.access.people import User
from evaluation.results.reports.models import Report
from evaluation.results.values.leaders import Leaders, find_leaders
from evaluation.tracks.models import Phase, Task, TaskQuerySet
from trackside.text.time_zones import zone_title

STEPS = {
    Phase.OPEN: ("opens_at", "Open for runs"),
    Phase.CLOSED: ("closes_at", "Runs close"),
    Phase.JUDGING: ("judging_at", "Judging opens"),
    Phase.RELEASED: ("releases_at", "Results released"),
}
ORDER = [Phase.DRAFT, *STEPS]


@dataclass(frozen=True)
class Milestone:
    """A date, its event in words, and the tasks that share it."""

    moment: datetime
    words: str
    tasks: tuple[str, ...]
    is_past: bool


@dataclass(frozen=True)
class Dates:
    """Milestones by date, shown in one zone. `tasks` of a milestone is empty if all tasks share it."""

    zone: str
    milestones: tuple[Milestone, ...]

    @property
    def zone_title(self) -> str:
        """The zone in words."""
        return zone_title(self.zone)


def dates_of(tasks: Sequence[Task], *, zone: str) -> Dates:
    """Return the dates of tasks with their phase, to be shown in the zone."""
    by_moment: dict[tuple[datetime, Phase], list[Task]] = {}
    for task in tasks:
        for phase, (name, _) in STEPS.items():
            if moment := getattr(task, name):
                by_moment.setdefault((moment, phase), []).append(task)
    milestones = []
    for (moment, phase), shared in sorted(by_moment.items(), key=lambda item: item[0][0]):
        names = () if len(shared) == len(tasks) else tuple(task.name for task in shared)
        is_past = ORDER.index(Phase(shared[0].phase)) >= ORDER.index(phase)  # by the database's clock
        milestones.append(Milestone(moment, STEPS[phase][1], names, is_past))
    return Dates(zone, tuple(milestones))


# The front page of a track with several tasks shows the one in the latest phase.
LATEST_FIRST = (Phase.RELEASED, Phase.JUDGING, Phase.CLOSED, Phase.OPEN, Phase.DRAFT)


@dataclass(frozen=True)
class TaskFacts:
    """A task with what the reader may see of it; leaders only after the release."""

    task: Task
    leaders: Leaders | None
    topic_count: int
    has_topics: bool
    has_report: bool
    has_collection: bool


def find_facts(tasks: Sequence[Task], reader: User | AnonymousUser) -> dict[int, TaskFacts]:
    """Return what the reader may see of each task, by primary key, in the order of the tasks."""
    topics = Topic.objects.active().filter(task__in=tasks).values_list("task").annotate(Count("pk"))
    counts = dict(topics.order_by("task"))
    leaders = find_leaders(tasks, reader)
    with_topics = _among(Task.objects.shown_to(reader), tasks)
    released = _among(Task.objects.released_to(reader), tasks)
    reports = Report.objects.visible_to(reader).filter(task__in=tasks)
    reported = set(reports.values_list("task", flat=True)) & released
    return {
        task.pk: TaskFacts(
            task,
            leaders.get(task.pk),
            counts.get(task.pk, 0),
            task.pk in with_topics and task.pk in counts,
            task.pk in reported,
            task.pk in released,
        )
        for task in tasks
    }


def front_of(tasks: Sequence[Task]) -> Task | None:
    """Return the task in the latest phase, or the first of several; ``phase`` must be annotated.

    A practice task comes after all others.
    """
    order = {phase: place for place, phase in enumerate(LATEST_FIRST)}
    return min(tasks, key=lambda task: (task.is_practice, order[Phase(task.phase)]), default=None)


def _among(wanted: TaskQuerySet, tasks: Sequence[Task]) -> set[int]:
    return set(wanted.filter(pk__in=[task.pk for task in tasks]).values_list("pk", flat=True))
