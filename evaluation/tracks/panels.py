"""Extension points for other apps: sections of the task page, the workload of assessors, documents alike.

``evaluation`` imports neither ``assessment`` nor ``judges``; they register here in ``AppConfig.ready()``.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches

from evaluation.platform.access.people import User
from evaluation.tracks.facts import Facts, FactSource, no_facts, read_facts
from evaluation.tracks.models import Task


@dataclass(frozen=True)
class Panel:
    """A section of the task page.

    ``context(task, user, facts)`` returns the template's context, or None to hide the section from this
    person. It may have ``needs``, a list of ``OpenAction``. ``front`` is the template of a summary at the top
    of the organizers' page, with the same context. Panels are ordered by ``place``.
    """

    place: int
    template: str
    context: Callable[[Task, User, Facts], dict[str, Any] | None]
    front: str = ""
    facts: FactSource = no_facts


@dataclass(frozen=True)
class OpenAction:
    """An open action of an organizer: the text of a link, its address, and the text after it.

    ``state`` is bad (something fails), warn (something is late or missing), empty (waits for a person) or ok
    (nothing to do: only the page of the release shows it).
    """

    state: str
    text: str
    address: str
    rest: str = ""


@dataclass(frozen=True)
class ShownPanel:
    """A panel with its context for one person."""

    template: str
    front: str
    context: dict[str, Any]


@dataclass(frozen=True)
class Workload:
    """Median seconds per judgment (None before any is measured), and the number of assessors."""

    median_seconds: float | None
    assessor_count: int

    def hours(self, item_count: int) -> float | None:
        """Return the hours per assessor for this many items; None without measurements or assessors."""
        if self.median_seconds is None or not self.assessor_count:
            return None
        return item_count * self.median_seconds / 3600 / self.assessor_count


@dataclass(frozen=True)
class OpenActions:
    """A source of open actions, which ``tell`` yields from a task and its ``facts``."""

    tell: Callable[[Task, Facts], Iterable[OpenAction]]
    facts: FactSource = no_facts


def open_actions(task: Task, sources: Sequence[OpenActions]) -> list[OpenAction]:
    """Return the open actions of the sources, in order; all their facts are read in one statement."""
    facts = read_facts(task, [source.facts for source in sources])
    pairs = zip(sources, facts, strict=True)
    return [action for source, of_source in pairs for action in source.tell(task, of_source)]


# What makes the release of a task unsafe.
_guards: list[OpenActions] = []
register_guards = _guards.append


def release_guards() -> list[OpenActions]:
    """Return what other apps know that makes the release unsafe."""
    return _guards


Likeness = Callable[[str], list[str]]  # the docnos most like a docno, nearest first
# Functions that compare documents of a task, for readers who may see it.
_likenesses: list[Callable[[Task, User | AnonymousUser], Likeness | None]] = []
register_likeness = _likenesses.append


def likeness_of(task: Task, reader: User | AnonymousUser) -> Likeness | None:
    """Return what compares the task's documents for this reader, None without stored vectors."""
    return next((likeness for compare in _likenesses if (likeness := compare(task, reader))), None)


WORKLOAD_LASTS = 60  # seconds
_panels: list[Panel] = []
# Functions that measure the workload of a task.
_workloads: list[Callable[[Task], Workload]] = []
register_workload = _workloads.append


def workload_of(task: Task) -> Workload:
    """Return the workload of judging the task; its values are null or 0 where nothing is measured.

    It is cached for WORKLOAD_LASTS seconds: the median over all judgments is the slowest query of pool pages.
    """
    workload = caches["pages"].get_or_set(f"workload-{task.pk}", partial(_measured, task), WORKLOAD_LASTS)
    return cast("Workload", workload)


def _measured(task: Task) -> Workload:
    return _workloads[0](task)


def register_panel(panel: Panel) -> None:
    """Add a section to the task page."""
    _panels.append(panel)
    _panels.sort(key=lambda panel: panel.place)


def panel_facts() -> list[FactSource]:
    """Return the source of each section's facts, in order."""
    return [panel.facts for panel in _panels]


def panels_for(task: Task, user: User, facts: Iterable[Facts]) -> list[ShownPanel]:
    """Return the sections that this person sees, in order; ``facts`` has those of each section.

    A practice task has none: they are about judging.
    """
    if task.is_practice:
        return []
    pairs = [
        (panel, panel.context(task, user, of_panel)) for panel, of_panel in zip(_panels, facts, strict=True)
    ]
    return [
        ShownPanel(panel.template, panel.front, context) for panel, context in pairs if context is not None
    ]
