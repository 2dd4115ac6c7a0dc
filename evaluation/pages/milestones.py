"""The dates of tasks as a list of events."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from evaluation.tracks.models import Phase, Task
from trackside.text.time_zones import zone_title

STEPS = (
    ("opens_at", Phase.OPEN, "Open for runs"),
    ("closes_at", Phase.CLOSED, "Runs close"),
    ("judging_at", Phase.JUDGING, "Judging opens"),
    ("releases_at", Phase.RELEASED, "Results released"),
)
ORDER = [Phase.DRAFT, *(phase for _, phase, _ in STEPS)]


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
    found: dict[tuple[datetime, str], list[Task]] = {}
    for task in tasks:
        for moment, words in _steps(task):
            found.setdefault((moment, words), []).append(task)
    milestones = tuple(
        Milestone(moment, words, _names(shared, tasks), _is_past(words, shared[0]))
        for (moment, words), shared in sorted(found.items(), key=lambda item: item[0][0])
    )
    return Dates(zone, milestones)


def _steps(task: Task) -> Iterable[tuple[datetime, str]]:
    return ((moment, words) for name, _, words in STEPS if (moment := getattr(task, name)))


def _names(shared: Sequence[Task], tasks: Sequence[Task]) -> tuple[str, ...]:
    return () if len(shared) == len(tasks) else tuple(task.name for task in shared)


def _is_past(words: str, task: Task) -> bool:
    """Decide by the task's phase, which follows the database's clock."""
    begins = next(phase for _, phase, step in STEPS if step == words)
    return ORDER.index(Phase(task.phase)) >= ORDER.index(begins)
