"""A console of a site in a separate process: fills it, starts work and counts rows.

Reads a command a line from standard input, as JSON: its name and its arguments. Prints the answer as JSON,
and null while the database is away.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import django
from django.conf import settings

PEOPLE, ITEMS, UPLOAD_TOPICS, UPLOAD_DOCNOS = 4, 30, 3, 50
DOCNOS = 60_000  # of the import


class Console:
    """The process, from the outside."""

    def __init__(self, env: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            cwd=settings.ROOT,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, name: str, *arguments: object) -> Any:
        """The answer of a command; None while the database is away."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps([name, *arguments]) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self) -> None:
        self.process.communicate()


def fill(endpoint: str) -> dict[str, Any]:
    """Make assessors with items, a judge of the same items, a team that may upload, and a task to report."""
    from evaluation.models import Phase, Scope, Task
    from evaluation.platform.access.actions import create_token
    from judges.models import Price
    from tests.factories import make_task, make_team, make_team_member
    from tests.faults.asked_jobs import PRICES
    from tests.faults.brokers.reported_tasks import reported_task
    from tests.faults.judging_site import fill as fill_judging
    from tests.judges.factories import make_judge
    from trackside.judging.shipped_prompts import BUILT_IN

    works = fill_judging(PEOPLE, ITEMS, has_pictures=True)
    judged = Task.objects.get()
    prompt = BUILT_IN[0]
    judge = make_judge(
        backend="openai_chat",
        model="judge-2026-01-31",
        model_revision="",
        prompt=prompt.template,
        answer=prompt.answer,
        endpoint=endpoint,
    )
    Price.objects.create(model=judge.model, **PRICES)
    opened = make_task(phase=Phase.OPEN, topic_count=UPLOAD_TOPICS, document_count=UPLOAD_DOCNOS)
    member = make_team_member(make_team(opened.track))
    token = create_token(name="uploads", scopes=[Scope.READ, Scope.SUBMIT], days=1, by=member)
    return {
        "works": works,
        "judged": judged.pk,
        "judge": judge.pk,
        "opened": opened.pk,
        "runs": f"/tracks/{opened.track.slug}/tasks/{opened.slug}/runs",
        "token": token.secret,
        "reported": reported_task().pk,
    }


def start_work(site: dict[str, Any]) -> bool:
    """Start the job and the import."""
    from django.core.files.base import ContentFile

    from evaluation.models import ImportKind, Pool, Task
    from evaluation.organizing.imports.actions import receive_import
    from judges.jobs.starting import start_job
    from judges.models import Judge
    from tests.factories import make_organizer

    pool = Pool.objects.get(task=site["judged"])
    start_job(judge=Judge.objects.get(pk=site["judge"]), pool=pool, by=pool.created_by, cap_micros=10**9)
    task = Task.objects.get(pk=site["reported"])
    content = b"".join(b"docno-%d\n" % number for number in range(DOCNOS))
    file = ContentFile(content, "docnos.txt")
    receive_import(task=task, kind=ImportKind.DOCNOS, file=file, by=make_organizer(task.track))
    return True


def finish_work(site: dict[str, Any]) -> bool:
    """Confirm the import, publish the judgments and compute the report."""
    from assessment.core.consolidation import ConsolidationRule
    from assessment.publishing.actions import request_publication
    from evaluation.models import Import, Pool
    from evaluation.organizing.imports.actions import confirm_import
    from evaluation.tracks.work.recomputing.actions import ask_results

    brought = Import.objects.get()
    confirm_import(task_import=brought, by=brought.received_by)
    pool = Pool.objects.get(task=site["judged"])
    request_publication(task=pool.task, rule=ConsolidationRule.OWNER, by=pool.created_by)
    ask_results(task_id=site["reported"])
    return True


def read(site: dict[str, Any]) -> dict[str, Any]:
    """Counts of what was done and of what waits."""
    from assessment.models import Judgment
    from evaluation.config.monitoring.probes import read_waiting
    from evaluation.models import Document, Import, Mail, Operation, Qrels, Report, ReportProgress, Run
    from judges.models import CallState, Job

    [job] = Job.objects.all() or [None]
    states = [run.state for run in Run.objects.filter(task=site["opened"])]
    return {
        "judgments": Judgment.objects.count(),
        "runs": {state: states.count(state) for state in sorted(set(states))},
        "job": job and job.state,
        "called": job.calls.filter(state=CallState.DONE).count() if job else 0,
        "imports": list(Import.objects.values_list("state", flat=True)),
        "claimed": [
            model.__name__
            for model in (Import, Operation, ReportProgress)
            if model.rows().filter(claim__isnull=False).exists()
        ],
        "documents": Document.objects.filter(docno__startswith="docno-").count(),
        "operations": list(Operation.objects.values_list("outcome", flat=True)),
        "graded": [qrels.graded_count for qrels in Qrels.objects.filter(task=site["judged"], kind="human")],
        "reports": Report.objects.filter(task=site["reported"]).count(),
        "mails": Mail.objects.filter(what="run_accepted").count(),
        "unsent": Mail.objects.filter(sent_at=None).count(),
        "waiting": sum(sample.value for sample in read_waiting() if sample.metric == "work_waiting"),
    }


def stored(site: dict[str, Any]) -> dict[str, Any]:
    """The rows to compare: judgments, uploads, and what the judge asked and got."""
    from assessment.models import Judgment
    from evaluation.models import Run
    from judges.models import Job

    job = Job.objects.get()
    return {
        "judgments": {
            str(key): meant
            for key, *meant in Judgment.objects.values_list("client_uuid", "docno", "image_sha256", "grade")
        },
        "uploads": dict(Run.objects.filter(task=site["opened"]).values_list("pk", "upload")),
        "ledger": [[str(entry), entry.request_key, entry.outcome] for entry in job.ledger.all()],
        "scores": dict(job.calls.values_list("request_key", "raw_score")),
        "pairs": job.calls.count(),
        "note": job.note,
    }


COMMANDS: dict[str, Callable[..., Any]] = {
    each.__name__: each for each in (fill, start_work, finish_work, read, stored)
}


def main() -> None:
    """Answer until the input ends."""
    from django.db import InterfaceError, OperationalError, connection

    for line in sys.stdin:
        name, *arguments = json.loads(line)
        try:
            answer = COMMANDS[name](*arguments)
        except (OperationalError, InterfaceError):
            answer = None
            connection.close()
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    django.setup()
    main()
