"""The page of a test collection's numbers."""

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Document, Phase, Task
from evaluation.organizing.pages import numbers
from tests.factories import make_document, make_organizer, make_qrels, make_task, make_topic, make_track

pytestmark = pytest.mark.django_db


def _text(client: Client, task: Task) -> str:
    answer = client.get(reverse("collection_numbers", args=[task.track.slug, task.slug]))
    assert answer.status_code == 200
    return " ".join(answer.content.decode().replace("</td>", " </td>").split())


def _cells(page: str, label: str) -> list[str]:
    parts = page.split(f'data-l="{label}">')[1:]
    return [part.split("<")[0].strip() for part in parts]


def test_page_has_the_numbers_of_topics_documents_and_grades(client: Client) -> None:
    task = make_task(make_track(), phase=Phase.RELEASED)
    for number in ("T1", "T2", "T3"):
        make_topic(task, number=number, fields=[["title", "red fox in snow"]])
    for place in range(4):
        make_document(task.collection, docno=f"D{place}", fields=[["text", "word " * (10 + place)]])
    make_qrels(task, name="people", grades={("T1", "D0"): 2, ("T1", "D1"): 1, ("T2", "D0"): 0})
    page = _text(client, task)
    assert _cells(page, "Number") == ["3", "4"]
    assert _cells(page, "With words") == ["100.0 %", "100.0 %"]
    assert _cells(page, "Words, mean") == ["4.0", "11.5"]
    assert _cells(page, "Longest") == ["4", "13"]
    assert (_cells(page, "Topics"), _cells(page, "Relevant a topic"), _cells(page, "Topics without")) == (
        ["2"],
        ["1.0"],
        ["1"],
    )
    assert "measured" not in page


def test_empty_task_says_what_is_missing(client: Client) -> None:
    task = make_task(make_track())
    client.force_login(make_organizer(task.track))
    page = _text(client, task)
    assert _cells(page, "Number") == ["0", "0"]
    assert "No grades of people are published." in page


def test_large_collection_is_sampled_and_the_page_says_so(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numbers, "MEASURED", 200)
    task = make_task(make_track(), phase=Phase.RELEASED)
    other = make_task(make_track())
    long = "x" * 1_000  # so that the collection has some hundred blocks to draw from
    Document.objects.bulk_create(
        Document(collection=collection, docno=f"D{place:04}", fields=[["text", words]])
        for collection, words in ((task.collection, f"one {long}"), (other.collection, f"one two {long}"))
        for place in range(2_000)
    )
    page = _text(client, task)
    assert _cells(page, "Number") == ["0", "2,000"]
    assert "200 of them measured" in page
    assert (_cells(page, "Words, mean"), _cells(page, "Longest")) == (["2.0"], ["2"])
