"""Pages of topics and documents show results side by side, to each reader no more than runs and qrels do."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse

from evaluation.models import Document, MeasureValue, Phase, QrelsKind, Run, Task, Topic
from evaluation.results.topic_pages.comparison import compare
from evaluation.results.topic_pages.document_pages import MOST_MATCHES, search
from evaluation.results.topic_pages.topic_values import ordered_topics, value_line
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
)
from trackside.figures.shades import Shade

pytestmark = pytest.mark.django_db

RESULTS_A = {"T1": ["D1", "D2", "D3", "D9"], "T2": ["D1"]}
RESULTS_B = {"T1": ["D2", "D4"], "T2": ["D2"]}
PEOPLE = {("T1", "D1"): 0, ("T1", "D2"): 2, ("T2", "D1"): 1}
JUDGE = {("T1", "D1"): 2, ("T1", "D2"): 1}


@pytest.fixture
def task() -> Task:
    return make_task(phase=Phase.JUDGING, topic_count=2, document_count=5)


@pytest.fixture
def runs(task: Task) -> list[Run]:
    tagged = (("aa", RESULTS_A), ("bb", RESULTS_B))
    return [make_run(task, make_team(task.track), tag=tag, results=results) for tag, results in tagged]


def page_of(client: Client, name: str, task: Task, *keys: object, query: str = "") -> str:
    answer = client.get(reverse(name, args=[task.track.slug, task.slug, *keys]) + query, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def topic_of(task: Task) -> Topic:
    return Topic.objects.get(task=task, number="T1")


def test_comparison_names_what_is_shared_and_what_one_run_has(task: Task, runs: list[Run]) -> None:
    people = make_qrels(task, name="people", grades=PEOPLE)
    judge = make_qrels(task, kind=QrelsKind.MODEL, name="clip", grades=JUDGE)
    found = compare(topic_of(task), task, runs, (people, judge), 0)
    first, second = found.sides
    assert [(result.docno, result.other_rank) for result in first.results] == [
        ("D1", None),
        ("D2", 1),
        ("D3", None),
        ("D9", None),
    ]
    assert [(result.docno, result.other_rank) for result in second.results] == [("D2", 2), ("D4", None)]
    assert found.links == ((1, 0),)
    assert found.counts == {"all": 5, "only-a": 3, "only-b": 1, "gap": 1, "unjudged": 3}
    assert [result.people for result in first.results[:3]] == [Shade(0, 0), Shade(2, 4), Shade(None, None)]
    assert [result.judge for result in first.results[:2]] == [Shade(2, 4), Shade(1, 2)]
    assert first.results[3].document is None  # D9 is not in the collection


def test_ranks_beyond_the_first_ten_are_read_from_their_place(task: Task) -> None:
    run = make_run(task, results={"T1": [f"D{number}" for number in range(1, 26)]})
    found = compare(topic_of(task), task, [run], (None, None), 20)
    assert [(result.rank, result.docno) for result in found.sides[0].results] == [
        (rank, f"D{rank}") for rank in range(21, 26)
    ]


def test_topics_are_ordered_by_the_difference_of_the_two_runs(task: Task, runs: list[Run]) -> None:
    people = make_qrels(task, name="people", grades=PEOPLE)
    for run, values in zip(runs, ([0.5, 0.1], [0.4, 0.9]), strict=True):
        MeasureValue.objects.create(
            run=run, qrels=people, measure="AP", values=values, mean=0.3, code_version="1"
        )
    organizer = make_organizer(task.track)
    assert [number for _, number in ordered_topics(task, organizer, people, "AP", runs)] == ["T2", "T1"]
    assert [number for _, number in ordered_topics(task, organizer, None, "AP", runs)] == ["T1", "T2"]
    line = value_line(topic_of(task), people, "AP", organizer, runs, 0)
    assert line
    assert [(line.value(run), line.rank(run)) for run in runs] == [(0.5, 1), (0.4, 2)]
    assert value_line(topic_of(task), people, "AP", AnonymousUser(), runs, 0) is None


def test_values_beyond_the_chart_are_said_as_they_are(task: Task, runs: list[Run]) -> None:
    people = make_qrels(task, name="people", grades=PEOPLE)
    for run, values in zip(runs, ([1.25, 0.0], [3.0, 0.0]), strict=True):
        MeasureValue.objects.create(
            run=run, qrels=people, measure="NumRel", values=values, mean=1.0, code_version="1"
        )
    line = value_line(topic_of(task), people, "NumRel", make_organizer(task.track), runs, 0)
    assert line
    assert (line.difference, line.words) == (1.75, "people: A 1.25, B 3.00.")
    assert line.letters[0][1] == line.letters[1][1]  # both at the end of the chart


def test_team_sees_its_own_results_without_grades_before_the_release(
    client: Client, task: Task, runs: list[Run]
) -> None:
    make_qrels(task, name="people", grades=PEOPLE)
    client.force_login(runs[0].received_by)
    page = page_of(client, "topic_detail", task, topic_of(task).pk, query=f"?b={runs[1].pk}")
    assert "D3" in page
    assert "D4" not in page
    assert "bb" not in page
    assert 'class="gm' not in page
    document = Document.objects.get(docno="D2", collection=task.collection)
    page = page_of(client, "document_detail", task, document.pk)
    assert ">aa</a> 2" in page
    assert "bb" not in page
    assert 'class="gm' not in page


@pytest.mark.parametrize("is_public", [True, False])
def test_everybody_sees_results_after_the_release_if_the_track_publishes_its_runs(
    client: Client, task: Task, runs: list[Run], is_public: bool
) -> None:
    make_qrels(task, name="people", grades=PEOPLE)
    type(task).objects.filter(pk=task.pk).update(**dates_of(Phase.RELEASED))
    type(task.track).objects.filter(pk=task.track_id).update(has_public_runs=is_public)
    page = page_of(client, "topic_list", task, query="?number=T1")  # leads to the topic's page
    assert ("D3" in page and 'class="gm' in page) == is_public
    document = Document.objects.get(docno="D2", collection=task.collection)
    page = page_of(client, "document_detail", task, document.pk)
    assert (">bb</a> 1" in page) == is_public
    assert 'class="gm pp g4"' in page  # the qrels are public either way


def test_pages_of_topics_and_documents_show_all_their_pictures(client: Client, task: Task) -> None:
    client.force_login(make_organizer(task.track))
    document = Document.objects.filter(collection=task.collection).latest("pk")
    for name, item in (("topic_detail", topic_of(task)), ("document_detail", document)):
        item.image, *more = (make_image() for _ in range(3))
        item.more_images = [image.pk for image in more]
        item.save()
        page = page_of(client, name, task, item.pk)
        assert all(f"/images/{image.pk}/display" in page for image in (item.image, *more))


def test_document_is_found_by_words_in_any_form_and_by_its_docno(task: Task) -> None:
    arch = make_document(task.collection, docno="X1", fields=[["caption", "Stone arches carry a railway"]])
    make_document(make_collection(task.track), docno="X2", fields=[["caption", "an arch elsewhere"]])
    assert [document for document, _ in search(task.collection, "arch railways").documents] == [arch]
    assert [document.docno for document, _ in search(task.collection, "D3").documents] == ["D3"]
    assert search(task.collection, "arch -railway").documents == []
    assert search(task.collection, "caption:* & (").documents  # no query is a syntax error


def test_phrase_is_looked_for_in_the_first_documents_with_its_words(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    """'in' is no index word: the two words of the phrase have it between them, or any other word."""
    texts = ("a stone arch", "arch stones", "stone in the arch", "an arched stone", "stones, arches, rivers")
    for place, text in enumerate(texts):
        make_document(task.collection, docno=f"P{place}", fields=[["caption", text]])

    def found(words: str) -> set[str]:
        return {document.docno for document, _ in search(task.collection, words).documents}

    assert found('"stone arch"') == {"P0", "P4"}
    assert found('"stone in the arch"') == {"P2"}
    assert found('"stone arch" -river') == {"P0"}
    assert found('stone -"stone arch"') == {"P1", "P2", "P3"}
    assert found('"arch stone" or "stone arch"') == {"P0", "P1", "P3", "P4"}
    assert search(task.collection, '"stone arch"').read_count is None
    monkeypatch.setattr("evaluation.results.topic_pages.document_pages.MOST_READ", 2)
    assert search(task.collection, '"stone arch"').read_count == 2


def test_frequent_words_are_cut_and_the_page_says_so(client: Client, task: Task) -> None:
    collection = task.collection
    Document.objects.bulk_create(
        Document(collection=collection, docno=f"F{n}", fields=[["t", "frequent"]])
        for n in range(MOST_MATCHES + 5)
    )
    client.force_login(make_organizer(task.track))
    assert f"More than {MOST_MATCHES}" in page_of(client, "document_list", task, query="?q=frequent")
    assert "No document has all these words" in page_of(client, "document_list", task, query="?q=absent")
    assert "No document has" not in page_of(client, "document_list", task, query="?q=frequent")


def test_text_with_more_words_than_the_index_holds_is_stored(task: Task) -> None:
    text = " ".join(f"word{number}" for number in range(200_000))
    document = make_document(task.collection, fields=[["text", text]])
    assert [found for found, _ in search(task.collection, "word7").documents] == [document]
