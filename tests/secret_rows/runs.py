"""Secret rows of runs, qrels and reports."""

import json
from typing import Any

from evaluation.models import (
    MeasureValue,
    Packing,
    Pool,
    Qrels,
    QrelsKind,
    ReportProgress,
    Run,
    RunNote,
    RunState,
    Scoring,
    SubmissionQuestion,
    Task,
    Team,
    TeamLimit,
    User,
)
from tests.evaluation.report_findings import make_report, stored_findings
from tests.factories import (
    make_family,
    make_qrels,
    make_run,
)
from tests.secret_rows.words import HIDDEN_SCORE, PAIRS, SECRET
from trackside.reporting.design import Choice


def make_secret_runs(task: Task, team: Team, rival: Team) -> list[Run]:
    """Runs of two teams in every state but replaced; the team's accepted one comes first."""
    results = {topic: [docno for other, docno in PAIRS if other == topic] for topic in ("T1", "T2")}
    family = make_family(task, name=f"{SECRET}-family")
    SubmissionQuestion.objects.create(task=task, name="training", text="What was it trained on?")
    TeamLimit.objects.create(task=task, team=team, max_runs=9)
    runs = []
    for owner, tag, state in (
        (team, "accepted", RunState.ACCEPTED),
        (team, "rejected", RunState.REJECTED),
        (team, "received", RunState.RECEIVED),
        (rival, "other", RunState.ACCEPTED),
        (rival, "withdrawn", RunState.WITHDRAWN),
    ):
        words: dict[str, Any] = {
            "tag": f"{SECRET}-tag-{tag}",
            "description": f"{SECRET} description of {tag}",
            "backbone": f"{SECRET}-backbone",
            "suggested_family": f"{SECRET}-suggestion",
            "replies": {"training": f"{SECRET}-reply"},
        }
        runs.append(make_run(task, owner, state=state, results=results, **words))
        runs[-1].families.add(family)
    return runs


def make_secret_note(run: Run, organizer: User) -> RunNote:
    """A note to the run's team."""
    return RunNote.objects.create(run=run, text=f"{SECRET}-note", written_by=organizer)


def make_secret_qrels(pool: Pool, organizer: User, hidden_grade: int) -> tuple[Qrels, Qrels]:
    """The qrels of people and of a model."""
    grades = dict.fromkeys(PAIRS, hidden_grade)
    provenance = {"assessors": {f"{SECRET}-pseudonym": 3}, "prompt": f"{SECRET} prompt"}
    both: dict[str, Any] = {"grades": grades, "provenance": provenance, "created_by": organizer}
    people = make_qrels(pool.task, name=f"{SECRET}-people", **both)
    model = make_qrels(
        pool.task,
        kind=QrelsKind.MODEL,
        name=f"{SECRET}-model",
        raw_scores=dict.fromkeys(PAIRS, HIDDEN_SCORE),
        pool=pool,
        **both,
    )
    return people, model


def make_secret_report(run: Run, people: Qrels, model: Qrels) -> None:
    """Values of the run under both, a report, and why one of a choice failed."""
    for qrels in (people, model):
        MeasureValue.objects.create(
            run=run,
            qrels=qrels,
            measure="AP",
            values=[HIDDEN_SCORE] * 2,
            mean=HIDDEN_SCORE,
            code_version=f"{SECRET}-code",
        )
    stored = json.dumps(stored_findings())
    for word in ("clip-a", "clip-b", "bm25", "Kestrel", "clipscore"):
        for name in (word, f"rank, {word}"):
            stored = stored.replace(f'"{name}"', f'"{name.replace(word, f"{SECRET}-{word}")}"')
    report = make_report(run.task, reference=people, code_version=f"{SECRET}-code", **json.loads(stored))
    choice = Choice((f"{SECRET}-clip-a",), ())
    ReportProgress.objects.create(
        task=run.task, choice=choice.to_json(), choice_sha256=choice.sha256, problem=f"{SECRET}-problem"
    )
    Scoring.objects.update_or_create(task=run.task, defaults={"trouble": f"{SECRET}-trouble"})
    Packing.objects.create(task=run.task, report=report, trouble=f"{SECRET}-trouble")
