"""The list of topics: 24 on a page, found by words and stratum, with what the reader may see of each."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from evaluation.models import Document, MeasureValue, Phase, QrelsKind, Task, Topic
from evaluation.results.values.actions import score_runs
from tests.factories import (
    dates_of,
    make_collection,
    make_document,
    make_image,
    make_organizer,
    make_qrels,
    make_run,
    make_task,
    make_team,
    make_team_member,
    make_topic,
)

pytestmark = pytest.mark.django_db


def _page(client: Client, task: Task, query: str = "") -> str:
    answer = client.get(reverse("topic_list", args=[task.track.slug, task.slug]) + query)
    assert answer.status_code == 200
    return " ".join(re.sub(r"<(?!img)[^>]+>", " ", answer.content.decode()).split())


@pytest.fixture
def task() -> Task:
    """People judged two documents of T1; D2 has a picture and the higher grade."""
    task = make_task(phase=Phase.JUDGING, topic_count=2, document_count=2, measures=["P@5"])
    Document.objects.filter(docno="D2").update(image=make_image())
    make_qrels(task, kind=QrelsKind.HUMAN, grades={("T1", "D1"): 0, ("T1", "D2"): 2})
    for results in ({"T1": ["D1"]}, {"T1": ["D1"]}, {"T1": ["D2"]}):
        make_run(task, results=results)
    score_runs(task=task)
    return task


def test_organizer_sees_judged_pairs_best_and_median_run_and_a_good_picture(
    client: Client, task: Task
) -> None:
    client.force_login(make_organizer(task.track))
    page = _page(client, task)
    # P@5 is 0.2 for the run with D2 and 0 for the two others: best 0.2, median 0.
    assert "T1 Page of T1 Section of T1" in page or "T1 " in page
    assert "2 judged · P@5 best 0.20, median 0.00" in page
    assert "0 judged" in page  # T2
    image = Document.objects.get(docno="D2").image_id
    assert page.count("<img") == page.count(f"{image}") == 1
    assert "that of a document with its highest grade" in page


@pytest.mark.parametrize(("phase", "is_shown"), [(Phase.JUDGING, False), (Phase.RELEASED, True)])
def test_participants_see_neither_counts_nor_runs_nor_pictures_before_the_release(
    client: Client, task: Task, phase: Phase, is_shown: bool
) -> None:
    Topic.objects.filter(number="T1").update(stratum="hard")
    Task.objects.update(**dates_of(phase))
    assert MeasureValue.objects.exists()
    client.force_login(make_team_member(make_team(task.track)))
    page = _page(client, task)
    assert ("judged" in page, "median" in page, "hard" in page, "<img" in page) == (is_shown,) * 4


def test_participants_see_a_picture_by_words_whatever_people_graded(client: Client, task: Task) -> None:
    """D4 has both words of T3, D3 one, and D2, which people graded highest, none; T5 has one word of D4."""
    for number, title in (("T3", "The old mills"), ("T4", "Of the"), ("T5", "Grey horses")):
        make_topic(task, number=number, fields=[["title", title]])
    for docno, text in (("D3", "An old man"), ("D4", "A mill, old and grey"), ("D5", "Nothing")):
        make_document(task.collection, docno=docno, fields=[["caption", text]], image=make_image())
    make_document(task.collection, docno="D0", fields=[["caption", "old mill"]])  # has no picture
    make_document(make_collection(task.track), fields=[["caption", "old mill"]], image=make_image())
    make_qrels(task, kind=QrelsKind.HUMAN, grades={("T3", "D2"): 2})
    client.force_login(make_team_member(make_team(task.track)))
    page = _page(client, task)
    image = Document.objects.get(docno="D4").image_id
    assert page.count("<img") == page.count(f"{image}") == 2
    assert "that of a document with some of its words" in page
    assert "highest grade" not in page


def test_picture_of_a_section_is_by_the_title_of_its_page(client: Client, task: Task) -> None:
    """A section has its page's subject: of a vase's "Grey varieties" no grey car is shown."""
    make_topic(task, number="S1", fields=[["page_title", "Vase"], ["section_title", "Grey varieties"]])
    for docno, text in (("D3", "A grey car"), ("D4", "A blue vase")):
        make_document(task.collection, docno=docno, fields=[["caption", text]], image=make_image())
    client.force_login(make_team_member(make_team(task.track)))
    page = _page(client, task)
    images = [Document.objects.get(docno=docno).image_id for docno in ("D3", "D4")]
    assert [page.count(f"{image}") for image in images] == [0, 1]


def test_topics_are_listed_in_pages_and_found_by_words_and_stratum(client: Client) -> None:
    task = make_task(topic_count=26)
    Topic.objects.filter(number__in=["T3", "T4"]).update(stratum="hard")
    Topic.objects.filter(number="T4").update(fields=[["title", "An old MILL"]])
    client.force_login(make_organizer(task.track))
    assert "Topics 1 to 24 of 26" in _page(client, task)
    assert "Topics 25 to 26 of 26" in _page(client, task, "?page=2")
    assert "2 topics." in _page(client, task, "?stratum=hard")
    assert "1 topic." in _page(client, task, "?q=old+mill&stratum=hard")
    assert "0 topics." in _page(client, task, "?q=title")  # a field's name is no text


@pytest.mark.parametrize("is_organizer", [True, False])
def test_number_of_statements_does_not_grow_with_topics(
    client: Client, task: Task, *, is_organizer: bool
) -> None:
    track = task.track
    client.force_login(make_organizer(track) if is_organizer else make_team_member(make_team(track)))
    counts = []
    for _ in range(2):
        _page(client, task)
        with CaptureQueriesContext(connection) as asked:
            _page(client, task)
        counts.append(len(asked))
        for number in range(5):
            Topic.objects.create(task=task, number=f"X{len(counts)}{number}", fields=[["title", "a"]])
    assert counts[0] == counts[1]
