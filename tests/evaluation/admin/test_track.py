import pytest
from django.test import Client
from django.urls import reverse

from evaluation.admin import track
from evaluation.models import Phase, Pool, Task
from tests.factories import make_collection, make_organizer, make_run, make_staff, make_task, make_track

pytestmark = pytest.mark.django_db


def _act(client: Client, action: str, *tasks: Task) -> str:
    form = {"action": action, "_selected_action": [task.pk for task in tasks]}
    return client.post(reverse("admin:evaluation_task_changelist"), form, follow=True).content.decode()


def test_task_action_builds_a_pool_of_the_set_depths(client: Client) -> None:
    task = make_task(phase=Phase.CLOSED, pool_depth=1)
    make_run(task, results={"T1": ["D1", "D2"]})
    organizer = make_organizer(task.track)
    client.force_login(organizer)
    assert "pool 1 is frozen" in _act(client, "build_pools", task)
    pool = Pool.objects.get()
    assert (pool.task, pool.created_by, pool.items.count()) == (task, organizer, 1)


def test_task_action_says_why_a_pool_cannot_be_built(client: Client) -> None:
    task = make_task(phase=Phase.CLOSED)
    client.force_login(make_organizer(task.track))
    page = _act(client, "build_pools", task)
    assert 'class="error bad"' in page
    assert not Pool.objects.exists()


def test_task_action_queues_the_report(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    queued: list[tuple[object, ...]] = []
    monkeypatch.setattr(track, "enqueue", lambda *call: queued.append(call))
    task = make_task()
    client.force_login(make_organizer(task.track))
    _act(client, "recompute_reports", task)
    assert queued == [("evaluation.compute_report", task.pk)]


def test_task_actions_reach_no_task_of_another_track(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    queued: list[tuple[object, ...]] = []
    monkeypatch.setattr(track, "enqueue", lambda *call: queued.append(call))
    client.force_login(make_organizer(make_task().track))
    _act(client, "recompute_reports", make_task())
    assert queued == []


def test_tracks_are_opened_by_the_site_s_staff_alone(client: Client) -> None:
    address = reverse("admin:evaluation_track_add")
    client.force_login(make_organizer(make_track()))
    assert client.get(address).status_code == 403
    client.force_login(make_staff())
    assert client.get(address).status_code == 200


def test_criteria_are_added_but_never_changed(client: Client) -> None:
    task = make_task()
    client.force_login(make_organizer(task.track))
    criteria = task.criteria.get()
    assert client.get(reverse("admin:evaluation_criteria_add")).status_code == 200
    assert client.post(reverse("admin:evaluation_criteria_change", args=[criteria.pk]), {}).status_code == 403
    assert client.post(reverse("admin:evaluation_criteria_delete", args=[criteria.pk]), {}).status_code == 403


def test_a_new_task_gets_the_default_criteria(client: Client) -> None:
    collection = make_collection()
    client.force_login(make_organizer(collection.track))
    form = {
        "track": collection.track.pk,
        "name": "New",
        "slug": "new",
        "kind": "text-to-image",
        "collection": collection.pk,
        "time_zone": "Etc/GMT+12",
        "grace": "0",
        "max_per_topic": 100,
        "tag_max": 20,
        "pool_depth": 30,
        "baseline_pool_depth": 25,
        "relevance_level": 2,
        "measures": "nDCG@10 AP(rel=2)",
    }
    answer = client.post(reverse("admin:evaluation_task_add"), form)
    assert answer.status_code == 302, answer.content.decode()
    task = Task.objects.get()
    assert (task.time_zone, task.measures) == ("Etc/GMT+12", ["nDCG@10", "AP(rel=2)"])
    assert [each["name"] for each in task.criteria.get().grades] == ["Non-relevant", "Related", "Relevant"]
