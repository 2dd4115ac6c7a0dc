"""Stable names for assessors that say nothing of the people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assessment.models import Judgment

if TYPE_CHECKING:
    from evaluation.models import Task


def find_pseudonyms(*, task: Task) -> dict[int, str]:
    """A1, A2 ... by account, in the order of first judgments: events are never deleted, so each stays."""
    assessors = Judgment.objects.filter(task=task).order_by("pk").values_list("assessor", flat=True)
    return {assessor: f"A{number}" for number, assessor in enumerate(dict.fromkeys(assessors), start=1)}
