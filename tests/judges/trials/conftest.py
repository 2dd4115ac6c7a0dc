"""A task, its organizer, and one of the site's staff."""

from __future__ import annotations

import pytest

from evaluation.models import Task, User
from tests.factories import make_organizer, make_staff, make_task


@pytest.fixture
def task() -> Task:
    return make_task()


@pytest.fixture
def organizer(task: Task) -> User:
    return make_organizer(task.track)


@pytest.fixture
def staff() -> User:
    return make_staff()
