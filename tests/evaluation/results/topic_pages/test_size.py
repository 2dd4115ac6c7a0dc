"""A topic with 100 runs of 1,000 results has a small and quick page; so has a search in a million texts."""

import time
from functools import partial

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from evaluation.models import Collection, Document, MeasureValue, QrelsKind, Run, Topic
from evaluation.results.topic_pages.document_pages import search
from evaluation.results.values.actions import shown_measures
from tests.factories import make_collection, make_qrels
from tests.filled_track import Size, fill_track

pytestmark = [pytest.mark.django_db, pytest.mark.whole, pytest.mark.long]

SIZE = Size(topics=10, runs=100, people=6, documents=100_000, depth=5)
WORDS = """
    INSERT INTO evaluation_document (collection_id, docno, fields, version)
    SELECT %s, 'w' || n, jsonb_build_array(jsonb_build_array('caption', (
        SELECT string_agg('word' || floor(20000 * power(random(), 3))::int, ' ')
        FROM generate_series(1, 25) WHERE n > 0  -- so that each row draws its own words
    ))), 1 FROM generate_series(1, %s) AS n
"""


def seconds(client: Client, address: str) -> tuple[float, int]:
    """Processor seconds of the second request, and bytes of the page."""
    client.get(address)
    start = time.process_time()
    answer = client.get(address)
    assert answer.status_code == 200
    return time.process_time() - start, len(answer.content)


def test_pages_of_a_topic_and_a_document_with_100_runs() -> None:
    track = fill_track(SIZE)
    task = track.task
    topic = Topic.objects.filter(task=task).earliest("number")
    runs = list(Run.objects.filter(task=task))
    docnos = runs[0].rankings.get(topic=topic.number).unpack()[0][:200]
    grades = {(topic.number, docno): place % 3 for place, docno in enumerate(docnos)}
    measure = shown_measures(task)[0]
    for kind, name in ((QrelsKind.HUMAN, "people-2"), (QrelsKind.MODEL, "clip")):
        qrels = make_qrels(task, kind=kind, name=name, grades=grades)
        MeasureValue.objects.bulk_create(
            MeasureValue(
                run=run,
                qrels=qrels,
                measure=measure,
                values=[0.5] * len(qrels.topics),
                mean=0.5,
                code_version="1",
            )
            for run in runs
        )
    client = Client()
    client.force_login(track.organizer)
    document = Document.objects.get(collection=task.collection, docno=docnos[0])
    for name, key in (("topic_detail", topic.pk), ("document_detail", document.pk)):
        used, size = seconds(client, reverse(name, args=[task.track.slug, task.slug, key]))
        assert used < 0.2
        assert size < 300_000


def test_search_in_a_million_documents() -> None:
    collection = make_collection()
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(WORDS, [collection.pk, 1_000_000])
        cursor.execute("SELECT gin_clean_pending_list('document_words')")  # as autovacuum does
        cursor.execute("ANALYZE evaluation_document")
    plain = ("word7", "word19999", "word0 word5 word19", "word0 -word1", "nothing")
    for words in (*plain, '"word0 word0"', '"word1 word2 word3"', '"word0 word1 word0 word2"'):
        assert min(map(partial(_seconds_of_search, collection), [words] * 3)) < 0.2, words


def _seconds_of_search(collection: Collection, words: str) -> float:
    start = time.perf_counter()
    search(collection, words)
    return time.perf_counter() - start
