"""The list of topics: 24 on a page, found by words, with their pictures."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from evaluation.models import Task, Topic
from tests.factories import make_image, make_organizer, make_task

pytestmark = pytest.mark.django_db


def _page(client: Client, task: Task, query: str = "") -> str:
    answer = client.get(reverse("topic_list", args=[task.track.slug, task.slug]) + query)
    assert answer.status_code == 200
    return " ".join(re.sub(r"<(?!img)[^>]+>", " ", answer.content.decode()).split())


def test_topics_are_listed_in_pages_and_found_by_number_and_words(client: Client) -> None:
    task = make_task(topic_count=26)
    image = make_image()
    Topic.objects.filter(number="T4").update(fields=[["title", "An old MILL"]], image=image)
    client.force_login(make_organizer(task.track))
    first = _page(client, task)
    assert ("26 topics" in first, "Topics 1 to 24 of 26" in first) == (True, True)
    assert first.count("<img") == first.count(str(image.pk)) == 1
    second = _page(client, task, "?page=2")
    assert ("Topics 25 to 26 of 26" in second, "<img" in second) == (True, False)
    found = _page(client, task, "?q=old+mill")
    assert ("26 topics" in found, "1 topic." in found, "An old MILL" in found) == (True, True, True)
    assert "0 topics." in _page(client, task, "?q=weir")
    assert "1 topic." in _page(client, task, "?q=t26")


def test_number_of_statements_does_not_grow_with_topics(client: Client) -> None:
    task = make_task(topic_count=2)
    client.force_login(make_organizer(task.track))
    counts = []
    for more in range(2):
        _page(client, task)
        with CaptureQueriesContext(connection) as asked:
            _page(client, task)
        counts.append(len(asked))
        for number in range(5):
            Topic.objects.create(
                task=task, number=f"X{more}{number}", fields=[["title", "a"]], image=make_image()
            )
    assert counts[0] == counts[1]
