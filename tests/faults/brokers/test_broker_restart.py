"""A worker outlives a restart of the broker in the middle of a task, and logs it without a traceback."""

from pathlib import Path

import pytest
from django.core.files.base import ContentFile

from evaluation.models import Document, Phase, Run, RunState, Task
from evaluation.submissions.runs.receiving import receive_run
from tests.evaluation.conftest import wait_for
from tests.factories import make_task, make_team, make_team_member
from tests.faults.brokers.reported_tasks import TOPICS
from tests.faults.brokers.running import KINDS, parts_on

DEPTH = 10_000  # a check of seconds


def received(task: Task) -> Run:
    """A run whose check takes seconds."""
    content = b"".join(
        b"T%d Q0 D%d %d %d tag\n" % (topic, number, number, -number)
        for topic in range(1, TOPICS + 1)
        for number in range(DEPTH)
    )
    team = make_team(task.track)
    file, by = ContentFile(content, "a.run"), make_team_member(team)
    return receive_run(task=task, team=team, file=file, description="", by=by)


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=pytest.mark.whole if kind == "valkey" else pytest.mark.long) for kind in KINDS],
)
def test_worker_outlives_a_restart_of_the_broker(
    kind: str, site_environment: dict[str, str], tmp_path: Path
) -> None:
    """It acknowledges the message of its task on a connection that is gone."""
    task = make_task(phase=Phase.OPEN, topic_count=TOPICS, max_per_topic=DEPTH)
    Document.objects.bulk_create(
        Document(collection=task.collection, docno=f"D{number}") for number in range(DEPTH)
    )
    with parts_on(kind, site_environment, tmp_path) as parts:
        assert parts.broker
        parts.start("worker")
        rows = Run.objects.filter(pk=received(task).pk)
        wait_for(lambda: rows.filter(check_attempt_count=1), "a check that has begun")
        parts.broker.kill()
        parts.broker.start()
        wait_for(lambda: rows.filter(state=RunState.ACCEPTED), "the verdict")
        again = Run.objects.filter(pk=received(task).pk)
        wait_for(lambda: again.exclude(state=RunState.RECEIVED), "the next verdict")
        assert parts.running["worker"].poll() is None, "the worker ended"
        assert "Traceback" not in parts.log.read_text(errors="replace")
    assert rows.get().check_attempt_count == 1
