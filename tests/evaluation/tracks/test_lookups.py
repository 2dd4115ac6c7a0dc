"""Tasks of addresses: slugs are those of one track."""

from collections.abc import Callable

import pytest
from django.test import RequestFactory

from evaluation.models import Task
from evaluation.tracks import lookups
from tests.factories import make_task, make_user

FINDS = (
    lookups.find_task,
    lookups.find_explored_task,
    lookups.find_judged_task,
    lookups.find_organized_task,
)


@pytest.mark.django_db
@pytest.mark.parametrize("find", FINDS)
def test_task_is_that_of_the_track_where_another_track_has_its_slug(find: Callable[..., Task]) -> None:
    tasks = [make_task(slug="images") for _ in range(2)]
    request = RequestFactory().get("/")
    request.user = make_user(is_superuser=True)
    assert [find(request, task.track.slug, "images") for task in tasks] == tasks
