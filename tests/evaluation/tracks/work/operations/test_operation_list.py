"""Pages of operations: polled while a worker is busy, and quiet afterwards."""

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Archiving, Operation, Pool, RunState, Task
from evaluation.tasks import run_operations
from evaluation.tracks.work.models import MOST_ATTEMPTS
from evaluation.tracks.work.queueing import claim_work, release_claim
from tests.factories import (
    make_organizer,
    make_pool,
    make_run,
    make_task,
)

pytestmark = pytest.mark.django_db
POLL = {"HX-Request": "true"}


@pytest.fixture
def task(client: Client) -> Task:
    """A task with one run, whose organizer has signed in."""
    task = make_task()
    make_run(task, results={"T1": ["D1", "D2"]})
    client.force_login(make_organizer(task.track))
    return task


def page_of(name: str, task: Task, *args: int) -> str:
    return reverse(name, args=[task.track.slug, task.slug, *args])


def freeze(client: Client, task: Task, **fields: str) -> str:
    """Send the form; return the address that it leads to."""
    form = {"name": "pool 1", "seed": "1", f"depth_{task.runs.get().pk}": "2"}
    answer = client.post(page_of("pool_build", task), form | fields)
    assert answer.status_code == 302, answer.context["form"].errors
    return str(answer["Location"])


def polled(client: Client, address: str) -> str:
    return client.get(address, headers=POLL).content.decode()


def test_page_polls_until_the_pool_is_frozen_and_links_to_it(client: Client, task: Task) -> None:
    pools, operations = page_of("pool_build", task), page_of("operation_list", task)
    assert freeze(client, task) == pools
    again = client.post(pools, {"name": "pool 1", "seed": "1", f"depth_{task.runs.get().pk}": "2"})
    assert "waits or runs already" in again.content.decode(), "a second click"
    assert not Pool.objects.exists()
    for page in (client.get(pools).content.decode(), polled(client, operations)):
        assert f'hx-get="{operations}"' in page
        assert "waiting" in page
    assert claim_work(Operation, worker="a")
    assert "running" in polled(client, operations)
    Operation.objects.update(claim=None)
    run_operations()
    fragment = polled(client, operations)
    assert "hx-get" not in fragment
    assert "Pool pool 1 is frozen: 2 items." in fragment
    assert f'href="{pools}"' in fragment
    assert "<html" not in fragment


def test_preview_page_reloads_when_the_worker_has_drawn(client: Client, task: Task) -> None:
    preview = freeze(client, task, preview="yes")
    assert preview == page_of("pool_preview", task, Operation.objects.get().pk)
    assert f'hx-get="{preview}"' in client.get(preview).content.decode()
    assert "A worker draws the" in polled(client, preview)
    run_operations()
    assert client.get(preview, headers=POLL)["HX-Refresh"] == "true"
    page = client.get(preview).content.decode()
    assert "<b>2 items</b>" in page
    assert f'action="{page_of("pool_build", task)}"' in page
    assert "every 1s" not in page


def test_preview_that_is_refused_shows_the_reason_above_the_form(client: Client, task: Task) -> None:
    preview = freeze(client, task, preview="yes")
    task.runs.update(state=RunState.WITHDRAWN)
    make_run(task, tag="later")
    run_operations()
    page = client.get(preview)
    assert "The accepted runs have changed since the form was sent" in page.content.decode()
    assert page.context["draw"] is None


def test_preview_of_another_task_or_kind_is_not_found(client: Client, task: Task) -> None:
    freeze(client, task)
    frozen = Operation.objects.get()
    assert client.get(page_of("pool_preview", task, frozen.pk)).status_code == 404
    freeze(client, task, preview="yes")
    other = make_task(task.track)
    preview = Operation.objects.get(kind="pool_preview")
    assert client.get(page_of("pool_preview", other, preview.pk)).status_code == 404


def test_parked_operation_is_retried_from_the_page_of_long_work(client: Client, task: Task) -> None:
    freeze(client, task)
    for _ in range(MOST_ATTEMPTS):
        row = claim_work(Operation, worker="a")
        assert row is not None
        release_claim(row, trouble="Out of disk.")
    fragment = polled(client, page_of("operation_list", task))
    assert "Out of disk." in fragment
    assert "hx-get" not in fragment
    work = page_of("work_list", task)
    assert f'href="{work}"' in fragment
    page = client.get(work).content.decode()
    assert "Out of disk." in page
    assert "Try again" in page
    archiving = Archiving.objects.create(track=task.track, archived_by=make_organizer(task.track))
    page = client.get(work).content.decode()
    assert "Try again" not in page
    assert f'href="{reverse("track_detail", args=[task.track.slug])}#archive"' in page
    archiving.delete()
    parked = Operation.objects.get()
    client.post(reverse("work_retry", args=[task.track.slug, task.slug, "operation", parked.pk]))
    run_operations()
    assert Pool.objects.get().name == "pool 1"


def test_list_shows_all_operations_and_their_messages(client: Client, task: Task) -> None:
    empty = client.get(page_of("operation_list", task)).content.decode()
    assert "No operation has been started yet" in empty
    freeze(client, task)
    run_operations()
    freeze(client, task, name="pool 2")
    page = client.get(page_of("operation_list", task)).content.decode()
    assert page.index("pool 2") < page.index("Pool pool 1 is frozen: 2 items.")
    other = make_task(task.track)
    assert "Freeze a pool</a> first" in client.get(page_of("operation_list", other)).content.decode()
    make_pool(other)  # by a command
    page = client.get(page_of("operation_list", other)).content.decode()
    assert "No operation has been started yet" in page
    assert "Freeze a pool</a>" not in page
