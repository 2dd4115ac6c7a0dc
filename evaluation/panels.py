"""What other apps tell evaluation's pages: sections of the task page, and figures that only they know.

Evaluation imports neither of its twins; they register here from ``AppConfig.ready()``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaluation.models import Qrels, Task, User


@dataclass(frozen=True)
class Panel:
    """A section of the task page.

    ``context(task, user)`` gives what the template needs, or None where the section is not for this person.
    Panels stand in rising ``place``.
    """

    place: int
    template: str
    context: Callable[[Task, User], dict[str, Any] | None]


@dataclass(frozen=True)
class Workload:
    """What judging takes: the median seconds of a judgment, null before any is measured, and the people."""

    median_seconds: float | None
    assessor_count: int

    def hours(self, item_count: int) -> float | None:
        """Hours of each assessor for so many items; null where nothing is measured or nobody is there."""
        if self.median_seconds is None or not self.assessor_count:
            return None
        return item_count * self.median_seconds / 3600 / self.assessor_count


@dataclass(frozen=True)
class JudgedShare:
    """How many of the items that people are to judge they have, and how many judgments are not published."""

    judged_count: int
    item_count: int
    unpublished_count: int

    @property
    def is_partial(self) -> bool:
        """Whether a report from the published judgments may still change."""
        return self.judged_count < self.item_count or self.unpublished_count > 0


_panels: list[Panel] = []
_shares: list[Callable[[Task, Qrels], JudgedShare]] = []
_workloads: list[Callable[[Task], Workload]] = []


def register_workload(measured: Callable[[Task], Workload]) -> None:
    """Say who knows what judging a task takes."""
    _workloads.append(measured)


def workload_of(task: Task) -> Workload:
    """What judging the task takes, as far as anybody has measured it."""
    return next((measured(task) for measured in _workloads), Workload(None, 0))


def register_judged_share(counted: Callable[[Task, Qrels], JudgedShare]) -> None:
    """Say who knows how far the judging of a task is."""
    _shares.append(counted)


def judged_share(task: Task, published: Qrels) -> JudgedShare:
    """How far the judging is now, of which these qrels were published."""
    return next((counted(task, published) for counted in _shares), JudgedShare(0, 0, 0))


def register_panel(panel: Panel) -> None:
    """Add a section to the task page."""
    _panels.append(panel)
    _panels.sort(key=lambda each: each.place)


def panels_for(task: Task, user: User) -> list[tuple[str, dict[str, Any]]]:
    """Templates and contexts of the sections that this person gets, in order."""
    found = ((panel.template, panel.context(task, user)) for panel in _panels)
    return [(template, context) for template, context in found if context is not None]
