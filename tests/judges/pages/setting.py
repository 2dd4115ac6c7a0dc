"""Addresses and texts of pages of jobs."""

from typing import Any

from django.urls import reverse

from evaluation.models import Task
from judges.models import Job


def address(name: str, task: Task, job: Job | None = None) -> str:
    return reverse(name, args=[task.track.slug, task.slug, *([job.pk] if job else [])])


def text_of(response: Any) -> str:
    return " ".join(response.content.decode().split())
