"""What a job with vectors tells: how much of each text was read, and which documents are alike."""

import numpy as np
import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse

from evaluation.models import Document, Phase, Pool, Task, Topic, User
from judges.jobs.embeddings import MOST, Embedding, nearest, pool_likeness
from judges.jobs.scheduling import retry_job
from judges.models import Job
from tests.factories import dates_of, make_assessor, make_image, make_organizer, make_team, make_team_member
from tests.judges.factories import (
    ScriptedGenerator,
    judged,
    make_generator,
    make_image_pool,
    make_judge,
    make_text_pool,
    run_to_end,
)
from trackside.judging.settings import SECTION_FIRST

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("counting")]


# The encoder of these tests reads six words, and a word is a token.
FIRST = [
    ["page_title", "Barn"],
    ["section_title", "Red roofs"],
    ["context_page_description", "a barn is a building"],
    ["context_section_description", "roofs are red"],
]
SECOND = [["page_title", "Owl"], ["section_title", "Night"], ["context_page_description", "it hunts"]]


@pytest.fixture
def pool() -> Pool:
    """Two topics with these fields against two pictures."""
    pool = make_image_pool(topic_count=2, image_count=2)
    for number, fields in (("T1", FIRST), ("T2", SECOND)):
        Topic.objects.filter(task=pool.task, number=number).update(fields=fields)
    return pool


ROW = ("field", "texts", "tokens", "seen_tokens", "never_seen_count")


def row(*values: object) -> dict[str, object]:
    return dict(zip(ROW, values, strict=True))


@pytest.mark.usefixtures("with_canaries")
def test_job_counts_tokens_by_field_in_the_order_of_reading_without_canaries(pool: Pool) -> None:
    job = judged(make_judge(text_fields=SECTION_FIRST), pool)

    # T1: 2 + 3 + 1 of six words, then none is left for the page's five. T2: 1 + 1 + 2 fit.
    assert job.texts == {
        "count": 2,
        "cut_count": 1,
        "fields": [
            row("section_title", 2, 3, 3, 0),
            row("context_section_description", 1, 3, 3, 0),
            row("page_title", 2, 2, 2, 0),
            row("context_page_description", 2, 7, 2, 1),
        ],
    }


def test_job_counts_again_what_another_job_has_encoded(pool: Pool, counting: list[bytes]) -> None:
    judge = make_judge(text_fields=SECTION_FIRST)
    first = judged(judge, pool)
    counting.clear()
    # The same words and images, so the same vectors, but other names.
    again = make_judge(text_fields=SECTION_FIRST, model=judge.model, seed=1)

    second = judged(again, pool)

    assert counting == []
    assert second.texts == first.texts


def test_job_counts_documents_where_these_are_the_text() -> None:
    pool = make_text_pool(topic_count=2, text_count=3)
    Document.objects.filter(docno="D3").update(
        fields=[["caption", "one two three four five six seven eight"]]
    )

    job = judged(make_judge(), pool)

    assert job.texts == {"count": 3, "cut_count": 1, "fields": [row("caption", 3, 14, 12, 0)]}


def test_job_counts_equal_texts_each_and_empty_ones_not(pool: Pool) -> None:
    Topic.objects.filter(number="T2").update(fields=FIRST)
    both = judged(make_judge(text_fields=SECTION_FIRST), pool)
    Topic.objects.filter(number="T2").update(fields=[["section_title", " "]])
    one = judged(make_judge(text_fields=SECTION_FIRST), pool)

    assert both.texts is not None
    assert one.texts is not None
    assert (both.texts["count"], both.texts["cut_count"]) == (2, 2)
    assert (one.texts["count"], one.texts["cut_count"]) == (1, 1)


def test_job_that_is_retried_counts_each_text_once(pool: Pool) -> None:
    Document.objects.filter(docno="D2").update(image=None)
    job = judged(make_judge(text_fields=SECTION_FIRST), pool)
    before = job.texts
    Document.objects.filter(docno="D2").update(image=make_image())

    retry_job(job=job, by=job.created_by)

    assert run_to_end(job).texts == before
    assert before is not None
    assert before["count"] == 2


def test_job_of_a_generator_that_refuses_long_prompts_read_them_whole(
    pool: Pool, scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert judged(make_generator(), pool).texts is None  # an endpoint may cut a text silently
    monkeypatch.setattr(scripted, "refuses_long_texts", True)

    job = judged(make_generator(prompt="{section_title} {context_section_description} {image}"), pool)

    fields = [row("section_title", 2, None, None, 0), row("context_section_description", 1, None, None, 0)]
    assert job.texts == {"count": 2, "cut_count": 0, "fields": fields}


def make_compared(count: int) -> Job:
    """A completed job on one topic and ``count`` pictures."""
    pool = make_image_pool(topic_count=1, image_count=count)
    return judged(make_judge(), pool)


def test_nearest_are_those_of_the_largest_cosine() -> None:
    """Unit vectors at 0, 10, 20 ... degrees: D3 at 20 is 10 from D2 and D4, 20 from D1 and D5, 30 from D6."""
    job = make_compared(6)
    calls = job.calls.of_pool().values_list("docno", "document_input")
    Embedding.objects.filter(input_sha256__in=[sha256 for _, sha256 in calls]).delete()
    for docno, sha256 in calls:
        angle = np.deg2rad(10 * (int(docno[1:]) - 1))
        vector = np.array([np.cos(angle), np.sin(angle)], "<f4")
        Embedding.objects.create(
            encoder_sha256=job.judge.settings.encoder_sha256, input_sha256=sha256, vector=vector.tobytes()
        )
    found = nearest(job, "D3")
    assert [set(found[:2]), set(found[2:4]), found[4:]] == [{"D2", "D4"}, {"D1", "D5"}, ["D6"]]
    assert nearest(job, "D99") == []


def test_a_page_shows_the_nearest_twelve() -> None:
    job = make_compared(MOST + 3)
    task = Task.objects.get()
    client = Client()
    client.force_login(make_organizer(task.track))
    document = Document.objects.get(docno="D1")
    names = [task.track.slug, task.slug]
    page = client.get(reverse("document_detail", args=[*names, document.pk])).content.decode()
    address = f"{reverse('document_list', args=names)}?like={document.pk}"
    assert f'href="{address}"' in page
    assert [hit.docno for hit, _ in client.get(address).context["alike"]] == nearest(job, "D1")
    for key in ("0", "x", "9" * 30):
        assert client.get(f"{reverse('document_list', args=names)}?like={key}").status_code == 404


def test_only_organizers_see_before_the_release_what_was_pooled() -> None:
    make_compared(2)
    task = Task.objects.get()
    member = make_team_member(make_team(task.track))
    readers: list[User | AnonymousUser] = [make_organizer(task.track), member, AnonymousUser()]
    for phase, shown in ((Phase.JUDGING, [True, False, False]), (Phase.RELEASED, [True, True, True])):
        Task.objects.update(**dates_of(phase))
        found = Task.objects.with_phase().get()
        assert [pool_likeness(found, reader) is not None for reader in readers] == shown
    Task.objects.update(**dates_of(Phase.JUDGING))
    client = Client()
    document = Document.objects.get(docno="D1")
    address = f"{reverse('document_list', args=[task.track.slug, task.slug])}?like={document.pk}"
    for person in (member, make_assessor(task.track)):
        client.force_login(person)
        assert client.get(address).status_code == 404
