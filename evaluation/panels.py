"""Sections that other apps add to evaluation's task page.

Evaluation imports neither of its twins; they register here from ``AppConfig.ready()``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evaluation.models import Task, User


@dataclass(frozen=True)
class Panel:
    """A section of the task page.

    ``context(task, user)`` gives what the template needs, or None where the section is not for this person.
    Panels stand in rising ``place``.
    """

    place: int
    template: str
    context: Callable[[Task, User], dict[str, Any] | None]


_panels: list[Panel] = []


def register_panel(panel: Panel) -> None:
    """Add a section to the task page."""
    _panels.append(panel)
    _panels.sort(key=lambda each: each.place)


def panels_for(task: Task, user: User) -> list[tuple[str, dict[str, Any]]]:
    """Templates and contexts of the sections that this person gets, in order."""
    found = ((panel.template, panel.context(task, user)) for panel in _panels)
    return [(template, context) for template, context in found if context is not None]
