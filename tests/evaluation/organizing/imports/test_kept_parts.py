"""What an import keeps: pictures of topics whose texts come again, and notes beside the texts."""

import io

import pytest
from django.db.models.functions import Now
from django.http import QueryDict
from PIL import Image as Picture

from evaluation.models import ImportKind, TaskKind, Topic
from evaluation.organizing.imports.actions import choose_fields
from evaluation.organizing.imports.forms import posted_choice
from tests.evaluation.organizing.imports.importing import add_import, run_queued, try_import, zip_of
from tests.factories import make_task, make_topic

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sandbox_threads")]


def _picture(shade: int) -> bytes:
    with io.BytesIO() as file:
        Picture.new("RGB", (40, 30), (shade, 0, 0)).save(file, "PNG")
        return file.getvalue()


def test_second_import_of_topics_texts_keeps_their_pictures() -> None:
    task = make_task(kind=TaskKind.IMAGE_TO_TEXT)
    rows = b'{"id": "T1", "title": "mill", "image": "a.png"}\n'
    add_import(try_import(task, ImportKind.TOPICS, zip_of({"t.jsonl": rows, "a.png": _picture(9)})))
    picture = Topic.objects.get().image_id
    done = add_import(try_import(task, ImportKind.TOPICS, b'{"id": "T1", "title": "an old mill"}\n'))
    assert done.counts == {"added": 0, "changed": 1, "same": 0, "refused": 0}
    topic = Topic.objects.get()
    assert (topic.fields, topic.image_id) == ([["title", "an old mill"]], picture)
    assert picture is not None


def test_note_chosen_at_the_import_is_stored_beside_the_texts() -> None:
    task = make_task()
    tried = try_import(task, ImportKind.TOPICS, b'{"id": "T1", "title": "mill", "remark": "ask Ann"}\n')
    number = next(number for number, field in enumerate(tried.fields) if field["name"] == "remark")
    choice = posted_choice(tried, QueryDict(f"use-{number}=note"))
    choose_fields(task_import=tried, choice=choice, by=tried.received_by)
    add_import(run_queued(tried))
    topic = Topic.objects.get()
    assert (topic.fields, topic.note) == ([["title", "mill"]], "ask Ann")


def test_note_and_stratum_of_a_frozen_topic_change_while_its_texts_stay() -> None:
    task = make_task()
    make_topic(task, number="T1", fields=[["title", "mill"]], note="old", stratum="easy")
    make_topic(task, number="T2", fields=[["title", "lake"]], note="old")
    Topic.objects.update(frozen_at=Now())
    rows = b"id,title,note,stratum\nT1,mill,new,hard\nT2,bay,new,\n"
    done = add_import(try_import(task, ImportKind.TOPICS, rows))
    assert done.counts == {"added": 0, "changed": 1, "same": 0, "refused": 1}
    stored = {topic.number: (topic.fields[0][1], topic.note, topic.stratum) for topic in task.topics.all()}
    assert stored == {"T1": ("mill", "new", "hard"), "T2": ("lake", "old", "")}
