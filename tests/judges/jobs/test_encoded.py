import pytest

from evaluation.models import Document, Pool, Topic
from judges.jobs.scheduling import retry_job
from tests.factories import make_image
from tests.judges.factories import (
    ScriptedGenerator,
    judged,
    make_generator,
    make_image_pool,
    make_judge,
    make_text_pool,
    run_to_end,
)
from trackside.judging.presets import SECTION_FIRST

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


def row(field: str, texts: int, tokens: int, seen_tokens: int, never_seen_count: int) -> dict[str, object]:
    return {
        "field": field,
        "texts": texts,
        "tokens": tokens,
        "seen_tokens": seen_tokens,
        "never_seen_count": never_seen_count,
    }


def test_job_counts_tokens_by_field_in_the_order_of_reading(pool: Pool) -> None:
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


@pytest.mark.whole
@pytest.mark.usefixtures("with_canaries")
def test_job_leaves_canaries_out_of_its_texts(pool: Pool) -> None:
    job = judged(make_judge(text_fields=SECTION_FIRST), pool)

    assert job.texts is not None
    assert job.texts["count"] == 2


def test_job_that_is_retried_counts_each_text_once(pool: Pool) -> None:
    Document.objects.filter(docno="D2").update(image=None)
    job = judged(make_judge(text_fields=SECTION_FIRST), pool)
    before = job.texts
    Document.objects.filter(docno="D2").update(image=make_image())

    retry_job(job=job, by=job.created_by)

    assert run_to_end(job).texts == before
    assert before is not None
    assert before["count"] == 2


@pytest.mark.usefixtures("scripted")
def test_job_of_an_endpoint_does_not_know_what_was_read(pool: Pool) -> None:
    assert judged(make_generator(), pool).texts is None


def test_job_of_a_generator_that_refuses_long_prompts_read_them_whole(
    pool: Pool, scripted: type[ScriptedGenerator], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scripted, "refuses_long_texts", True)

    job = judged(make_generator(prompt="{section_title} {context_section_description} {image}"), pool)

    field = {"tokens": None, "seen_tokens": None, "never_seen_count": 0}
    assert job.texts == {
        "count": 2,
        "cut_count": 0,
        "fields": [
            {"field": "section_title", "texts": 2} | field,
            {"field": "context_section_description", "texts": 1} | field,
        ],
    }
