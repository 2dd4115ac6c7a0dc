"""Whose work an import is, and whose runs and qrels it makes."""

import pytest
from django.core.files.base import ContentFile

from evaluation.models import Import, ImportKind, Qrels, Run
from evaluation.organizing.imports.actions import choose_fields, confirm_import, receive_import, retry_import
from tests.evaluation.organizing.imports.importing import add_import, run_queued, try_import, zip_of
from tests.factories import make_organizer, make_task, make_team
from trackside.imports.fields import FieldChoice

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sandbox_threads")]


def test_work_of_an_import_is_in_the_queue_for_who_asked_last() -> None:
    """Two works of one person never run at the same time."""
    task = make_task()
    ann, ben, eve = (make_organizer(task.track) for _ in range(3))
    found = receive_import(
        task=task, kind=ImportKind.TOPICS, file=ContentFile(b"id,title\nT1,New\n", "t.csv"), by=ann
    )
    assert found.queued_by == ann
    choose_fields(task_import=run_queued(found), choice=FieldChoice(), by=ben)
    assert Import.objects.get().queued_by == ben
    confirm_import(task_import=run_queued(found), by=eve)
    assert Import.objects.get().queued_by == eve
    ann.memberships.all().delete()
    eve.memberships.all().delete()
    failed = run_queued(found)
    assert retry_import(task_import=failed, by=ben).queued_by == ben


def test_qrels_and_runs_are_those_of_who_confirmed_them_and_come_once() -> None:
    task = make_task(topic_count=1, document_count=1)
    team, other = make_team(task.track, is_baseline=True), make_organizer(task.track)
    grades = try_import(task, ImportKind.QRELS, b"T1 0 D1 2\n", name="nist", kind="second", source="")
    confirm_import(task_import=grades, by=other)
    run_queued(grades)
    archive = zip_of({"bm25.run": b"T1 Q0 D1 1 2 bm25\n"})
    runs = try_import(task, ImportKind.RUNS, archive, team)
    confirm_import(task_import=runs, by=other)
    run_queued(runs)
    assert Qrels.objects.values_list("created_by", "kind").get() == (other.pk, "second")
    again = add_import(try_import(task, ImportKind.RUNS, archive, team))
    assert again.counts == {"added": 0, "changed": 0, "same": 1, "refused": 0}
    run = Run.objects.get()
    assert (run.received_by, run.tag, run.file_name) == (other, "bm25", "bm25.run")
