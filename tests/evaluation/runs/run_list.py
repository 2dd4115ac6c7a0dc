"""The run list of a task."""

from __future__ import annotations

from django.urls import reverse

from evaluation.models import Task


def address_of(task: Task) -> str:
    return reverse("run_list", args=[task.track.slug, task.slug])
