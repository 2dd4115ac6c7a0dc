"""`verify` finds changes that an owner of the database made to recorded rows."""

import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.storage import default_storage
from django.db import connection

from assessment.models import Assignment
from assessment.publishing.actions import publish_judgments
from evaluation.models import Blob, Document, QrelsPair, Topic
from evaluation.running.hosting.verify import (
    changed_documents,
    changed_qrels,
    changed_topics,
    damaged_blobs,
    differences,
)
from tests.assessment.factories import judge, make_assignment, undo
from tests.factories import make_blob, make_image


@contextmanager
def without_triggers() -> Iterator[None]:
    """Statements that only the owner of the tables can run."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        yield
        cursor.execute("SET LOCAL session_replication_role = origin")


@pytest.fixture
def assignment(db: None) -> Assignment:
    """A topic with two graded documents, one of them a picture; and their published qrels."""
    made = make_assignment()
    Document.objects.filter(docno="D1").update(image=make_image())
    judge(made, "D1", 2)
    judge(made, "D2", 0)
    undone = judge(made, "D3", 1)
    undo(made, undone)
    publish_judgments(task=made.pool.task, by=made.pool.created_by)
    return made


@pytest.mark.usefixtures("assignment")
def test_sound_site_has_no_differences() -> None:
    assert list(differences()) == []


@pytest.mark.usefixtures("assignment")
def test_changed_grade_and_lost_grade_are_found() -> None:
    for change in ({"grade": 1}, {"grade": None, "outcome": "unjudged"}):
        with without_triggers():
            QrelsPair.objects.filter(topic="T1", docno="D2").update(**change)
        [line] = changed_qrels()
        assert "(people (version 1)" in line


@pytest.mark.usefixtures("assignment")
def test_changed_topic_is_found() -> None:
    topic = Topic.objects.filter(number="T1")
    fields = topic.get().fields
    for change in ({"fields": [["title", "bent"]]}, {"image": make_image()}, {"number": "T9"}):
        with without_triggers():
            topic.update(**change)
        [line] = changed_topics()
        assert line.startswith("topic T1 of task")
        with without_triggers():
            Topic.objects.filter(number__in=("T1", "T9")).update(fields=fields, image=None, number="T1")
    assert list(changed_topics()) == []


@pytest.mark.usefixtures("assignment")
def test_changed_text_and_image_of_a_document_are_found_and_of_one_that_nobody_judged_not() -> None:
    with without_triggers():
        Document.objects.filter(docno="D2").update(fields=[["caption", "bent"]])
        Document.objects.filter(docno="D1").update(image=make_image())
    assert [line.split()[1] for line in changed_documents()] == ["D1", "D2"]


@pytest.mark.django_db
def test_damaged_and_missing_blobs_are_found() -> None:
    blobs = [make_blob(uuid.uuid4().bytes) for _ in range(3)]
    paths = [Path(default_storage.path(blob.path)) for blob in blobs]
    paths[0].chmod(0o600)
    paths[0].write_bytes(b"bent")
    paths[1].unlink()
    found = [line for line in damaged_blobs() if any(blob.pk in line for blob in blobs)]
    expected = {blobs[0].pk: "its bytes have the hash", blobs[1].pk: "its bytes are missing"}
    assert len(found) == 2
    assert all(any(key in line and words in line for line in found) for key, words in expected.items())
    assert Blob.objects.count() >= 3


@pytest.mark.whole
def test_command_prints_what_differs_and_exits_with_1(site_environment: dict[str, str]) -> None:
    def verify() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "manage.py", "verify"]
        env = site_environment
        return subprocess.run(
            command, cwd=settings.ROOT, env=env, capture_output=True, text=True, check=False
        )

    sound = verify()
    assert (sound.returncode, sound.stderr) == (0, "")
    blob = make_blob(uuid.uuid4().bytes)
    Path(default_storage.path(blob.path)).unlink()
    bent = verify()
    assert (bent.returncode, bent.stdout) == (1, f"blob {blob.pk}: its bytes are missing\n")
    assert "Differences: 1." in bent.stderr
