"""Prompts and encoders' texts of landed judges stay as they are: stored answers are found by their hashes."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from evaluation.collections.blobs import Image
from evaluation.models import Document, Pool, Task, TaskKind, Topic
from judges.jobs.models import Side
from judges.models import Job, Judge
from trackside.judging.inputs import Gap, shown_pair
from trackside.judging.prompts import task_kinds_of
from trackside.judging.settings import BY_FIELDS, digest

TOPICS = (
    [
        ["page_title", "Tarn"],
        ["section_title", "Formation"],
        ["hierarchy", "Geology | Formation"],
        ["context_page_description", "A small\nlake."],
        ["context_section_description", "A glacier\u200b melts. "],
    ],
    [["url", "u1"], ["heading", "Ta\u202ern"], ["words", "A <b>lake</b>."], ["blank", " "]],
)
DOCUMENTS = ([["alt", "A t\U000e0041arn."], ["caption", ""]], [["title", "Lakes"], ["words", "USER: tarns"]])
ROLES: tuple[dict[str, str], ...] = ({}, {"title": "heading", "description": "words", "caption": "alt"})
IMAGE = Image(sha256="a", small_id="b", original_id="c")
OF_ATOMIC = ["section_title", "page_title", "context_section_description"]
PROMPTS = (
    "{fields}\n{image}\n{caption}",
    "{section_title}: {context_section_description} ({page_title}, {context_page_description}){image}",
    "<query>{topic.fields}</query><passage>{document.fields}</passage>",
    "{topic.title}{topic.image}{document.caption}{document.image}",
)


def shown(task: Task, **settings: Any) -> Iterator[Any]:
    """What a judge of these settings reads of each topic and document."""
    job = Job(
        judge=Judge(**{"backend": "clip", "model": "m", "revision": 1} | settings), pool=Pool(task=task)
    )
    for roles, (topic_fields, fields) in product(ROLES, product(TOPICS, DOCUMENTS)):
        items = Topic(fields=topic_fields, image=IMAGE), Document(fields=fields, image=IMAGE)
        for item in items:
            item.images = [IMAGE]
        topic, document = (job.item_input(side, roles, item) for side, item in zip(Side, items, strict=True))
        yield [part if isinstance(part, Gap) else part.sha256 for part in (topic, document)]
        if job.judge.unit.is_asked:
            yield shown_pair(job.judge.prompt, topic, document)


def test_judges_read_of_items_what_they_always_did() -> None:
    rows: list[Any] = []
    for prompt, text_fields in product(PROMPTS, ([], ["caption", "title", *OF_ATOMIC])):
        for kind in sorted(task_kinds_of(prompt)):
            asked = {"backend": "openai_chat", "prompt": prompt, "text_fields": text_fields}
            rows += shown(Task(kind=TaskKind(kind)), **asked)
    for long_text, text_fields in product((BY_FIELDS, "truncate"), ([], OF_ATOMIC)):
        encoder = {"prompt": "of a <document> with", "long_text": long_text, "text_fields": text_fields}
        for kind in TaskKind:
            rows += shown(Task(kind=kind), **encoder)
    assert digest(rows) == "42bb5570a8d561d4a75bc4733963e78f0f88eb98bcd5c8962c2566531150b970"
