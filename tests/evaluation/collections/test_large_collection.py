"""Lists and searches of documents read a bounded number of rows, however many documents there are."""

from contextlib import closing
from inspect import unwrap

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from evaluation.models import Collection, Document, Task
from evaluation.platform.web.admin_lists import CappedPaginator
from evaluation.tracks import facts
from evaluation.tracks.work.table_rows import RowCount, count_rows
from tests.addresses.rows_read import rows_read
from tests.factories import make_collection, make_image, make_organizer, make_task

pytestmark = pytest.mark.django_db

COUNT = 6_000
CAP = 200  # rows that a list shows, that are counted, or that one page searches, in these tests
READ = 5 * CAP  # most rows that a page may read: a count, an offset, its rows, and permissions


def _fill(collection: Collection, count: int = COUNT) -> None:
    """Documents d000000, d000001 ...; the caption of each is its number, the last one's has a rare word."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO evaluation_document (collection_id, docno, fields)
            SELECT %s, 'd' || lpad(d::text, 6, '0'), jsonb_build_array(jsonb_build_array('caption',
                'Number ' || d || CASE WHEN d = %s - 1 THEN ' tarn' ELSE '' END))
            FROM generate_series(0, %s - 1) AS d
            """,
            [collection.pk, count, count],
        )
        cursor.execute("ANALYZE evaluation_document")


@pytest.fixture
def task(monkeypatch: pytest.MonkeyPatch, client: Client) -> Task:
    """A large collection between two others, and an organizer who is signed in."""
    monkeypatch.setattr("evaluation.platform.web.admin_lists.MOST_LISTED", CAP)
    monkeypatch.setattr("evaluation.tracks.work.table_rows.MOST_COUNTED", CAP)
    monkeypatch.setattr(facts, "_statement", unwrap(facts._statement))  # a compiled one has another cap
    monkeypatch.setattr("assessment.preparing.pages.READ", CAP)
    _fill(make_collection())  # of another track
    task = make_task(topic_count=1)
    _fill(task.collection)
    client.force_login(make_organizer(task.track))
    return task


def test_capped_paginator_counts_short_lists(task: Task) -> None:
    few = Document.objects.filter(collection=task.collection, docno__lt="d000003").order_by("docno")
    paginator = CappedPaginator(few, 2)
    assert (paginator.count, paginator.num_pages, paginator.is_capped) == (3, 2, False)
    many = CappedPaginator(Document.objects.order_by("docno"), 50)
    assert (many.count, many.num_pages, many.is_capped) == (CAP, 4, True)


@pytest.mark.parametrize("query", ["", "?p=4", "?q=d005999"])
def test_admin_of_an_organizer_reads_few_documents(client: Client, task: Task, query: str) -> None:
    with rows_read() as reading:
        shown = client.get(reverse("admin:evaluation_document_changelist") + query).context["cl"].result_list
    assert {document.collection_id for document in shown} == {task.collection_id}
    assert reading.rows <= READ


def test_count_rows_counts_few_and_estimates_many(task: Task) -> None:
    documents = Document.objects.filter(collection=task.collection)
    few = documents.filter(docno__lt="d000003")
    assert str(count_rows(few)) == "3"
    assert not count_rows(documents.none())
    with rows_read() as reading:
        found = count_rows(documents)
    assert reading.rows <= CAP + 1
    assert found.is_estimate
    assert found.number == pytest.approx(COUNT, rel=0.1)  # ANALYZE reads all rows of so small a table
    assert str(RowCount(9_990_000, is_estimate=True)) == "about 9,990,000"


@pytest.mark.parametrize("name", ["setup_collection", "setup_gold", "collection_release", "task_detail"])
def test_pages_of_a_task_read_few_documents(task: Task, client: Client, name: str) -> None:
    with rows_read() as reading:
        page = client.get(reverse(name, args=[task.track.slug, task.slug]))
    assert page.status_code == 200
    assert reading.rows < READ


def _gold(client: Client, task: Task, asked: str) -> tuple[list[str], str]:
    """Docnos of a page, and the docno after which the next begins; it reads few rows."""
    with rows_read() as reading:
        page = client.get(reverse("setup_gold", args=[task.track.slug, task.slug]) + asked)
    assert reading.rows < READ
    documents = [document.docno for document, _ in page.context["documents"]]
    return documents, page.context["page"].next_after


def test_documents_to_pick_from_are_paged_and_searched_in_parts(task: Task, client: Client) -> None:
    first, after = _gold(client, task, "")
    assert (first[0], len(first), after) == ("d000000", 24, "d000023")
    assert _gold(client, task, f"?after={after}")[0][0] == "d000024"
    assert _gold(client, task, "?words=d00599")[0] == [f"d00599{digit}" for digit in range(10)]
    assert _gold(client, task, "?words=Number+17")[0][:3] == ["d000017", "d000117", "d000170"]
    # The rare word is in the last document: each page searches CAP documents and says where it stopped.
    found, after = _gold(client, task, "?words=tarn")
    assert (found, after) == ([], f"d{CAP - 1:06d}")
    found, after = _gold(client, task, f"?words=tarn&after=d{COUNT - CAP - 1:06d}")
    assert (found, after) == ([f"d{COUNT - 1:06d}"], f"d{COUNT - 1:06d}")
    assert _gold(client, task, f"?words=tarn&after={after}") == ([], "")


def test_image_of_one_document_reads_no_others(task: Task, client: Client) -> None:
    image = make_image()
    Document.objects.filter(collection=task.collection, docno="d005000").update(image=image)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE evaluation_document")
    with rows_read() as reading:
        answer = client.get(f"/images/{image.sha256}/display")
    with closing(answer):
        assert answer.status_code == 200
    assert reading.rows < 50
