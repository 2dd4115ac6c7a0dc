"""An organizer and a pool of images, for pages of jobs."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Pool, Task
from judges.jobs.starting import start_job
from judges.models import Job
from tests.judges.factories import (
    make_image_pool,
    make_judge,
)


@pytest.fixture
def pool() -> Pool:
    return make_image_pool()


@pytest.fixture
def organizer(client: Client, pool: Pool) -> Client:
    client.force_login(pool.created_by)
    return client


def address(name: str, task: Task, job: Job | None = None) -> str:
    return reverse(name, args=[task.track.slug, task.slug, *([job.pk] if job else [])])


def start(pool: Pool) -> Job:
    return start_job(judge=make_judge(), pool=pool, by=pool.created_by)


def text_of(response: Any) -> str:
    return " ".join(response.content.decode().split())
