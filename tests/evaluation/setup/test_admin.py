import json

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evaluation.models import ReportProgress, Scoring, Task
from tests.factories import (
    GRADES,
    make_collection,
    make_organizer,
    make_task,
)
from tests.trackside.malformed_criteria import MALFORMED, UNSTORABLE

pytestmark = pytest.mark.django_db


def _act(client: Client, action: str, *tasks: Task) -> str:
    form = {"action": action, "_selected_action": [task.pk for task in tasks]}
    return client.post(reverse("admin:evaluation_task_changelist"), form, follow=True).content.decode()


def test_task_action_queues_scores_and_report(client: Client) -> None:
    task = make_task()
    client.force_login(make_organizer(task.track))
    _act(client, "recompute_reports", task)
    assert Scoring.objects.waiting().get().task == task
    assert ReportProgress.objects.waiting().get().task == task


def test_task_actions_reach_no_task_of_another_track(client: Client) -> None:
    client.force_login(make_organizer(make_task().track))
    _act(client, "recompute_reports", make_task())
    assert not Scoring.objects.exists()


def _criteria_form(task: Task, grades: object, version: int = 2) -> dict[str, object]:
    text = grades if isinstance(grades, str) else json.dumps(grades)
    return {"task": task.pk, "version": version, "instructions": "", "grades": text}


@pytest.mark.parametrize("grades", (MALFORMED | UNSTORABLE).values(), ids=(MALFORMED | UNSTORABLE).keys())
def test_form_refuses_criteria_that_are_no_scale_and_gives_the_reason(client: Client, grades: object) -> None:
    task = make_task()
    client.force_login(make_organizer(task.track))
    page = client.post(reverse("admin:evaluation_criteria_add"), _criteria_form(task, grades))
    assert (page.status_code, list(page.context["adminform"].form.errors)) == (200, ["grades"])
    assert task.criteria.count() == 1


@pytest.mark.parametrize(
    "text",
    ["[" * 5000, "[" + "9" * 5000 + "]", "[NaN, 1e999]", "[1", "\0"],
    ids=["deep", "long number", "not finite", "broken off", "NUL"],
)
def test_form_refuses_json_that_cannot_be_parsed_or_stored(client: Client, text: str) -> None:
    task = make_task()
    client.force_login(make_organizer(task.track))
    page = client.post(reverse("admin:evaluation_criteria_add"), _criteria_form(task, text))
    assert (page.status_code, list(page.context["adminform"].form.errors)) == (200, ["grades"])
    form = {"task": task.pk, "number": "T9", "state": "active", "note": "", "fields": text}
    page = client.post(reverse("admin:evaluation_topic_add"), form)
    assert (page.status_code, "fields" in page.context["adminform"].form.errors) == (200, True)


def test_criteria_are_added_and_changed_until_somebody_judges_by_them(client: Client) -> None:
    task = make_task()
    client.force_login(make_organizer(task.track))
    client.post(reverse("admin:evaluation_criteria_add"), _criteria_form(task, GRADES))
    first, second = task.criteria.order_by("version")
    change = reverse("admin:evaluation_criteria_change", args=[second.pk])
    assert client.post(change, _criteria_form(task, GRADES[:2])).status_code == 302
    second.refresh_from_db()
    assert second.scale == (0, 1)
    task.criteria.filter(pk=second.pk).update(frozen_at=timezone.now())
    assert client.post(change, _criteria_form(task, GRADES)).status_code == 403
    delete = reverse("admin:evaluation_criteria_delete", args=[second.pk])
    assert client.post(delete, {"post": "yes"}).status_code == 403
    delete = reverse("admin:evaluation_criteria_delete", args=[first.pk])
    assert client.post(delete, {"post": "yes"}).status_code == 302
    assert list(task.criteria.all()) == [second]


def test_a_task_keeps_its_only_criteria(client: Client) -> None:
    task = make_task()
    client.force_login(make_organizer(task.track))
    only = reverse("admin:evaluation_criteria_delete", args=[task.criteria.get().pk])
    assert client.post(only, {"post": "yes"}).status_code == 403


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
    hidden = client.post(reverse("admin:evaluation_task_add"), form | {"name": "Ne\u0007w"})
    assert list(hidden.context["adminform"].form.errors) == ["name"]
    answer = client.post(reverse("admin:evaluation_task_add"), form)
    assert answer.status_code == 302, answer.content.decode()
    task = Task.objects.get()
    assert (task.time_zone, task.measures) == ("Etc/GMT+12", ["nDCG@10", "AP(rel=2)"])
    assert [each["name"] for each in task.criteria.get().grades] == ["Non-relevant", "Related", "Relevant"]
