"""The dates of tasks as a list of events."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from evaluation.tracks.models import Phase, Task
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
