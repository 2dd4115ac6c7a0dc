"""On every broker, work that kill -9 interrupts is done within about a minute, and done once."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import TypeVar

import pytest
from django.core.files.base import ContentFile

from evaluation.models import (
    Document,
    Import,
    ImportKind,
    ImportState,
    LongWork,
    Mail,
    MeasureValue,
    Phase,
    Ranking,
    Report,
    ReportProgress,
    Run,
    RunState,
    Scoring,
)
from evaluation.organizing.imports.actions import confirm_import, receive_import
from evaluation.submissions.runs.receiving import receive_run
from evaluation.tracks.mail.actions import store_mail
from evaluation.tracks.work.recomputing.actions import ask_results
from tests.evaluation.conftest import children, wait_for
from tests.evaluation.tracks.mail.smtp_server import smtp_server
from tests.factories import make_organizer, make_task, make_team, make_team_member
from tests.faults.brokers.reported_tasks import TOPICS, reported_task
from tests.faults.brokers.running import KINDS, parts_on

Row = TypeVar("Row", bound=LongWork)
DOCNOS = 150_000
MAILS = 40

pytestmark = pytest.mark.long


def fresh(row: Row) -> Row:
    row.refresh_from_db()
    return row


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_lost_or_doubled_when_workers_are_killed(
    kind: str, site_environment: dict[str, str], tmp_path: Path
) -> None:
    task = reported_task()
    organizer = make_organizer(task.track)
    with smtp_server() as postbox:
        mail = {"EMAIL_HOST": "127.0.0.1", "EMAIL_PORT": str(postbox.port), "EMAIL_USE_TLS": "no"}
        with parts_on(kind, site_environment | mail, tmp_path) as parts:
            parts.start_all()
            content = b"".join(b"docno-%d\n" % number for number in range(DOCNOS))
            brought = receive_import(
                task=task, kind=ImportKind.DOCNOS, file=ContentFile(content, "docnos.txt"), by=organizer
            )
            for wanted in (ImportState.TRIED, ImportState.DONE):
                wait_for(lambda: fresh(brought).claim, "an import that is claimed")
                parts.kill("long")
                parts.start("long")
                wait_for(lambda: fresh(brought).state == wanted, f"an import that is {wanted}")  # noqa: B023
                if wanted == ImportState.TRIED:
                    confirm_import(task_import=brought, by=organizer)
            assert Document.objects.filter(docno__startswith="docno-").count() == DOCNOS

            ask_results(task_id=task.pk)
            progress = ReportProgress.objects.get(task=task)
            wait_for(lambda: fresh(progress).claim, "a report that is claimed")
            parts.kill_all()
            assert not Report.objects.exists()
            for number in range(MAILS):
                store_mail(what="run_accepted", to=f"p{number}@example.org", subject="s", text="t\n")
            parts.start_all()
            wait_for(lambda: Mail.objects.filter(sent_at__isnull=False).exists(), "a mail that went")
            parts.kill("worker")
            parts.start("worker")
            wait_for(lambda: not Mail.objects.filter(sent_at=None).exists(), "all mails to go")
            wait_for(lambda: fresh(progress).ended_at and not progress.queued_at, "the report")
            wait_for(lambda: not Scoring.objects.filter(queued_at__isnull=False).exists(), "the scores")

    assert Report.objects.filter(task=task).count() == 1
    assert MeasureValue.objects.filter(run__task=task).exists()
    assert not Import.objects.filter(queued_at__isnull=False).exists()
    # The mail server may accept a mail just before the worker dies; it then comes twice, with one Message-ID.
    by_id = {str(message["Message-ID"]): message["To"] for message in postbox.messages}
    assert sorted(by_id.values()) == sorted(f"p{number}@example.org" for number in range(MAILS))
    assert len(postbox.messages) <= MAILS + 2  # one for each process of the killed worker


@pytest.mark.parametrize("kind", KINDS)
def test_check_of_a_killed_worker_is_done_once(
    kind: str, site_environment: dict[str, str], tmp_path: Path
) -> None:
    """The message of the killed worker stays with the broker for an hour; a sweep sends another."""
    task = make_task(phase=Phase.OPEN, topic_count=TOPICS, document_count=0, max_per_topic=10_000)
    Document.objects.bulk_create(
        Document(collection=task.collection, docno=f"D{number}") for number in range(10_000)
    )
    team = make_team(task.track)
    content = b"".join(
        b"T%d Q0 D%d %d %d tag\n" % (topic, number, number, -number)
        for topic in range(1, TOPICS + 1)
        for number in range(10_000)
    )
    with parts_on(kind, site_environment, tmp_path) as parts:
        parts.start_all()
        run = receive_run(
            task=task,
            team=team,
            file=ContentFile(content, "a.run"),
            description="",
            by=make_team_member(team),
        )
        rows = Run.objects.filter(pk=run.pk)
        wait_for(lambda: rows.filter(check_attempt_count=1), "a check that has begun")
        parts.kill("worker")
        assert rows.get().state == RunState.RECEIVED
        parts.start("worker")
        wait_for(lambda: rows.filter(state=RunState.ACCEPTED), "the verdict")
    assert rows.get().check_attempt_count == 2
    assert Ranking.objects.filter(run=run).count() == TOPICS


def test_work_may_take_longer_than_the_consumer_timeout(
    site_environment: dict[str, str], tmp_path: Path
) -> None:
    """The broker closes a channel that keeps a message for 5 s; our workers acknowledge at once."""
    task = make_task()
    with parts_on("rabbitmq", site_environment, tmp_path) as parts:
        parts.start("long")
        parts.start("beat")
        content = b"".join(b"docno-%d\n" % number for number in range(DOCNOS))
        brought = receive_import(
            task=task,
            kind=ImportKind.DOCNOS,
            file=ContentFile(content, "d.txt"),
            by=make_organizer(task.track),
        )
        wait_for(lambda: fresh(brought).claim, "an import that is claimed")
        claim = brought.claim
        worker = parts.running["long"]
        stopped = children(worker.pid)
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)  # for longer than the broker waits, and shorter than its claim lasts
        time.sleep(12)
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)
        wait_for(lambda: fresh(brought).claim != claim, "the end of the import")
        assert brought.state == ImportState.TRIED, "its first worker ended it"
        assert worker.poll() is None
        assert "PreconditionFailed" not in parts.log.read_text(errors="replace")
