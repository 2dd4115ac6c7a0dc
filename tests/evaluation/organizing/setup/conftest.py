"""A task to set up, and its organizer."""

import pytest
from django.test import Client

from evaluation.models import Phase, Task
from tests.evaluation.organizing.setup.setup_pages import client_of
from tests.factories import make_organizer, make_task


@pytest.fixture
def task() -> Task:
    return make_task(
        phase=Phase.DRAFT, opens_at=None, closes_at=None, judging_at=None, releases_at=None, topic_count=1
    )


@pytest.fixture
def organizer(task: Task) -> Client:
    return client_of(make_organizer(task.track))
