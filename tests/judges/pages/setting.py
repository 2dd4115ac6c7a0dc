"""Addresses and texts of pages of jobs."""

from typing import Any

from django.urls import reverse

from evaluation.models import Pool, Task
from judges.jobs.starting import start_job
from judges.models import Job, Judge
from tests.judges.factories import (
    make_judge,
)


def address(name: str, task: Task, job: Job | None = None) -> str:
    return reverse(name, args=[task.track.slug, task.slug, *([job.pk] if job else [])])


def start(pool: Pool, judge: Judge | None = None) -> Job:
    return start_job(judge=judge or make_judge(), pool=pool, by=pool.created_by)


def text_of(response: Any) -> str:
    return " ".join(response.content.decode().split())
