"""The run list of a task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse

if TYPE_CHECKING:
    from evaluation.models import Task


def address_of(task: Task) -> str:
    return reverse("run_list", args=[task.track.slug, task.slug])
