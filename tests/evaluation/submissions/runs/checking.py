"""Upload and check small runs."""

from django.core.files.base import ContentFile

from evaluation.models import Run, Task, Team
from evaluation.submissions.runs.checking import check_run
from evaluation.submissions.runs.receiving import receive_run
from tests.factories import make_task, make_team_member

SOUND = b"T1 Q0 D1 1 0.25 kestrel\nT1 Q0 D2 2 0.5 kestrel\nT2 Q0 D3 1 -1e-3 kestrel\n"


def small_task() -> Task:
    return make_task(topic_count=2, document_count=3)


def receive(task: Task, team: Team, content: bytes = SOUND) -> Run:
    member = make_team_member(team)
    return receive_run(task=task, team=team, file=ContentFile(content, "a.run"), description="", by=member)


def checked(run: Run) -> Run:
    assert check_run(run_id=run.pk) == run
    run.refresh_from_db()
    return run


def codes(run: Run, kind: str = "faults") -> list[str]:
    assert run.verdict is not None
    return [fault["code"] for fault in run.verdict.content[kind]]


def tagged(tag: str) -> bytes:
    return SOUND.replace(b"kestrel", tag.encode())
