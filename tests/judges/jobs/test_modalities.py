"""Pairs of texts, of images and of both, judged by an endpoint on the loopback and by a tiny CLIP."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pytest

from evaluation.models import Criteria, Document, ImportKind, Pool, TaskKind, Topic
from evaluation.organizing.imports.actions import set_chosen_fields
from judges.jobs.models import Side
from judges.models import Job, Judge
from tests.factories import make_document, make_image, make_pool, make_task, make_topic
from tests.judges.endpoint import Act, Endpoint, Request, running
from tests.judges.factories import fitted, judged, make_endpoint_judge, published, started
from tests.refusals import refused
from trackside.imports.fields import FieldChoice
from trackside.judging.inputs import Gap
from trackside.judging.prompts import PromptTemplate, rendered
from trackside.judging.settings import CLIP_PRESETS, Preset, Settings, digest
from trackside.judging.shipped_prompts import BUILT_IN
from trackside.text.roles import propose_roles

pytestmark = pytest.mark.django_db

GRADES = [{"grade": grade, "name": f"Grade {grade}", "text": ""} for grade in range(4)]
UMBRELA = next(each for each in BUILT_IN if each.name == "after-umbrela-own-words")


def graded(request: Request) -> Act:
    """The grade that the document's text asks for by its number; else 1."""
    shown = request.shown
    return Act(text=f"Grade: {next((digit for digit in range(4) if f'worth {digit}' in shown), 1)}")


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with running(graded) as served:
        yield served


def make_pair_pool(kind: TaskKind, *, topic: dict[str, Any], documents: list[dict[str, Any]]) -> Pool:
    """One topic with each document, on four grades."""
    task = make_task(kind=kind)
    Criteria.objects.filter(task=task).update(grades=GRADES)
    make_topic(task, number="T1", **topic)
    for place, fields in enumerate(documents, start=1):
        make_document(task.collection, docno=f"D{place}", **fields)
    return make_pool(task, pairs=[("T1", f"D{place}") for place in range(1, len(documents) + 1)])


def make_grader(endpoint: Endpoint, prompt: str, answer: str = "grade-0-3") -> Judge:
    return make_endpoint_judge(endpoint.url, prompt=prompt, answer=answer)


def contents(endpoint: Endpoint) -> list[list[str | bytes]]:
    """What each request showed, in order: texts, and the bytes of images."""
    return [request.parts for request in endpoint.asked]


def bytes_of(item: Topic | Document) -> bytes:
    assert item.image
    return item.image.small.read()


def test_texts_are_judged_against_a_text_on_four_grades(endpoint: Endpoint) -> None:
    passages = ["a passage worth 3", "a passage worth 0", "a passage worth 2"]
    texts: list[dict[str, Any]] = [{"fields": [["text", passage]]} for passage in passages]
    texts.append({"fields": []})
    pool = make_pair_pool(TaskKind.TEXT_TO_TEXT, topic={"fields": [["query", "what?"]]}, documents=texts)
    judge = make_grader(endpoint, UMBRELA.template)

    job = judged(judge, pool)
    mapping = fitted(job)
    qrels = published(job, mapping)

    rows = qrels.pairs.order_by("docno").values_list("docno", "grade", "outcome")
    assert list(rows) == [("D1", 3, "ok"), ("D2", 0, "ok"), ("D3", 2, "ok"), ("D4", None, "text_empty")]
    assert mapping.rule == "as-given"
    assert qrels.provenance["prompt_name"] == "after-umbrela-own-words"
    assert all(len(parts) == 1 for parts in contents(endpoint))
    assert "Query: what?" in contents(endpoint)[0][0]


def test_image_and_text_on_both_sides_and_the_caption_beside_the_image(endpoint: Endpoint) -> None:
    documents: list[dict[str, Any]] = [
        {"image": make_image(), "fields": [["caption", "worth 2"], ["licence", "CC"]]},
        {"image": None, "fields": [["caption", "worth 3"]]},
        {"image": make_image(), "fields": []},
    ]
    topic = {"image": make_image(), "fields": [["question", "which bird?"]]}
    pool = make_pair_pool(TaskKind.IMAGE_TO_TEXT, topic=topic, documents=documents)
    prompt = "{topic.image} Asked: {topic.question}\nFound: {document.image}\nCaption: {document.caption}"

    job = judged(make_grader(endpoint, prompt), pool)

    assert dict(job.calls.values_list("docno", "outcome")) == {
        "D1": "ok", "D2": "image_missing", "D3": "text_empty",
    }  # fmt: skip
    (parts,) = contents(endpoint)
    items = Topic.objects.get(number="T1"), Document.objects.get(docno="D1")
    first, second = (bytes_of(item) for item in items)
    assert parts == [first, "Asked: which bird?\nFound:", second, "Caption: worth 2"]
    assert job.calls.get(docno="D1").raw_score == 2


def test_a_prompt_of_one_image_is_refused_for_texts(endpoint: Endpoint) -> None:
    judge = make_grader(endpoint, "{fields} {image}")
    assert judge.task_kinds == ["image-to-text", "text-to-image"]
    pool = make_pair_pool(TaskKind.TEXT_TO_TEXT, topic={}, documents=[{}])
    with refused("task-kind-not-accepted"):
        started(judge, pool)


@pytest.mark.parametrize(
    ("prompt", "match"),
    [
        ("{topic.fields} only", "of the topic and of the document"),
        ("{topic.image} {topic.image} {document.fields}", "each image once"),
        ("{topic.fields} {document.fields} {title}", "write {topic.title} or {document.title}"),
    ],
)
def test_prompts_that_name_sides_show_both(endpoint: Endpoint, prompt: str, match: str) -> None:
    with refused("prompt-refused", match=match):
        make_grader(endpoint, prompt)


SECTION = [["title", "Tarn"], ["section_context", "A small lake in a hollow."]]
ATOMIC = [
    ["page_title", "Lakes"],
    ["section_title", "Tarn"],
    ["context_section_description", "A small lake in a hollow."],
    ["context_page_description", "Lakes of the north."],
    ["hierarchy", "Lakes | Tarn"],
]
OTHERS = [prompt for prompt in BUILT_IN if prompt != UMBRELA]


def make_section_pool(fields: list[list[str]]) -> Pool:
    task = make_task(kind=TaskKind.TEXT_TO_IMAGE)
    make_topic(task, number="T1", fields=fields)
    make_document(task.collection, docno="D1", image=make_image())
    return make_pool(task, pairs=[("T1", "D1")])


def give_roles(pool: Pool) -> None:
    names = [name for name, _ in pool.task.topics.get().fields]
    choice = FieldChoice(roles=propose_roles(names)).to_json()
    set_chosen_fields(pool.task, ImportKind.TOPICS, choice)


def shown_of_topic(pool: Pool, settings: Settings) -> Any:
    job = Job(judge=Judge(**asdict(settings)), pool=pool)
    return job.inputs(Side.TOPIC, ["T1"])["T1"]


@pytest.mark.parametrize("preset", CLIP_PRESETS.values(), ids=str)
def test_every_preset_of_clip_reads_a_track_with_other_names_by_their_roles(preset: Preset) -> None:
    settings = Settings(backend="clip", revision=0, model="m", model_revision="1", **preset.choices)
    pool = make_section_pool(SECTION)
    if preset.text_fields:
        assert shown_of_topic(pool, settings) == Gap.TEXT_EMPTY
    give_roles(pool)
    shown = shown_of_topic(pool, settings)
    titles = ["Tarn"] if "section_title" in (preset.text_fields or ["section_title"]) else []
    assert shown.texts == (" ".join([*titles, "A small lake in a hollow."]),)
    assert {name for name, _ in shown.fields} <= {"title", "section_context"}


@pytest.mark.parametrize("prompt", OTHERS, ids=lambda prompt: prompt.name)
def test_every_prompt_reads_other_names_by_their_roles_which_change_no_request_with_atomics_names(
    prompt: PromptTemplate, endpoint: Endpoint
) -> None:
    settings = make_grader(endpoint, prompt.template, prompt.answer).settings
    pool = make_section_pool(SECTION)
    give_roles(pool)
    text = " ".join(str(part) for part in rendered(prompt.template, shown_of_topic(pool, settings).fields))
    assert "itle: Tarn\n" in text
    assert "ontext: A small lake in a hollow." in text

    pool = make_section_pool(ATOMIC)
    before = shown_of_topic(pool, settings)
    if prompt.template.count("{section_title}"):
        # digest(["fields", *pairs]) of what the prompt names, in its order; computed by hand before roles
        assert before.sha256 == digest(["fields", ATOMIC[1], ATOMIC[2], ATOMIC[0], ATOMIC[3]])
    give_roles(pool)
    assert shown_of_topic(pool, settings) == before


def test_prompt_that_names_sides_reads_roles_of_both(endpoint: Endpoint) -> None:
    pool = make_pair_pool(
        TaskKind.TEXT_TO_TEXT,
        topic={"fields": [["heading", "Tarn"]]},
        documents=[{"fields": [["alt", "A lake."], ["url", "u"]]}],
    )
    give_roles(pool)
    choice = FieldChoice(roles={"caption": "alt"}).to_json()
    set_chosen_fields(pool.task, ImportKind.COLLECTION, choice)
    judge = make_grader(endpoint, "{topic.title} or {document.caption}? Grade: <grade>")
    judged(judge, pool)
    assert str(contents(endpoint)[-1][0]).startswith("Tarn or A lake.?")
