"""The run list of a task."""

from django.urls import reverse

from evaluation.models import Task


def address_of(task: Task) -> str:
    return reverse("run_list", args=[task.track.slug, task.slug])
