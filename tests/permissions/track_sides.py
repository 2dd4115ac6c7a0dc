"""A track with a row of each kind, and the keys by which a form of another track may name them."""

import uuid
from collections.abc import Mapping as Given
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from assessment.assigning.actions import open_queue
from assessment.models import ExtraQuestion, GoldItem, GoldUse, JudgingPlan
from evaluation.models import (
    Import,
    ImportKind,
    ImportState,
    Invitation,
    Phase,
    Picture,
    Pool,
    Role,
    Scope,
    SubmissionQuestion,
    Task,
    Team,
    User,
)
from evaluation.platform.access.actions import create_token
from judges.models import Call, CallState, Job, JobState, Judge, Mapping, Prompt
from tests.assessment.factories import judge, make_assignment
from tests.factories import (
    make_assessor,
    make_blob,
    make_family,
    make_image,
    make_organizer,
    make_pool,
    make_qrels,
    make_run,
    make_task,
    make_team,
    make_team_member,
)
from tests.secret_rows.judgments import make_secret_exclusion
from tests.secret_rows.tracks import make_secret_exception

TOPICS = ("T1", "T2", "T3", "T4")
DOCNOS = ("D1", "D2", "D3")
PAIRS = [(topic, docno) for topic in TOPICS for docno in DOCNOS]


@dataclass(frozen=True)
class Side:
    """A task with a row of each kind, its people, and the names of its rows in URLs and forms."""

    task: Task
    people: Given[str, User]
    keys: Given[str, Any]


def make_side() -> Side:
    """A task in judging with a judged pool, a completed job, its mapping, and people of every role."""
    task = make_task(phase=Phase.JUDGING, topic_count=len(TOPICS), document_count=len(DOCNOS))
    team = make_team(task.track)
    people = {
        "organizer": make_organizer(task.track),
        "assessor": make_assessor(task.track),
        "second": make_assessor(task.track),
        "third": make_assessor(task.track),
        "owner": make_team_member(team),
    }
    keys = {
        **_keys_of_task(task, people),
        **_keys_of_people(task, team, people),
        **_keys_of_judging(task, people),
    }
    return Side(task, people, keys)


def _keys_of_task(task: Task, people: Given[str, User]) -> dict[str, Any]:
    grades: dict[tuple[str, str], int | None] = {pair: place % 3 for place, pair in enumerate(PAIRS)}
    brought = Import.objects.create(
        task=task,
        kind=ImportKind.DOCNOS,
        upload=make_blob(f"docnos of {task.pk}".encode()),
        file_name="docnos.txt",
        state=ImportState.TRIED,
        counts={"added": 1, "changed": 0, "same": 0, "refused": 0},
        received_by=people["organizer"],
    )
    return {
        "task_key": task.pk,
        "qrels": make_qrels(task, name="people", grades=grades).pk,
        "task_import": brought.pk,
        "picture": Picture.objects.create(task=task, name="a", image=make_image()).pk,
        "family": make_family(task).pk,
        "exception": make_secret_exception(task, make_team(task.track), people["organizer"]).pk,
        "question": SubmissionQuestion.objects.create(task=task, name="q", text="Why?").pk,
        "extra": ExtraQuestion.objects.create(task=task, name="q", text="Sure?", is_required=False).pk,
    }


def _keys_of_people(task: Task, team: Team, people: Given[str, User]) -> dict[str, Any]:
    tokens = {
        name: create_token(name="t", scopes=list(Scope), days=1, by=people[name])
        for name in ("third", "owner", "organizer")
    }
    invitation = Invitation.objects.create(
        track=task.track,
        email="x@example.org",
        role=Role.ASSESSOR,
        token_sha256=uuid.uuid4().hex * 2,
        invited_by=people["organizer"],
        expires_at=timezone.now() + timedelta(days=1),
    )
    return {
        "assessor": people["third"].pk,
        "baseline": make_team(task.track, is_baseline=True).pk,
        "team": team.pk,
        "team_name": team.name,
        "member": make_team_member(team, role=Role.TEAM_MEMBER).pk,
        "run": make_run(task, team, received_by=people["owner"]).pk,
        "invitation": invitation.pk,
        "number": tokens["third"].token.pk,
        "secrets": {name: made.secret for name, made in tokens.items()},
    }


def _keys_of_judging(task: Task, people: Given[str, User]) -> dict[str, Any]:
    """Keys of pools, people's judging and models'."""
    pool, spare, queued = (make_pool(task, pairs=PAIRS) for _ in range(3))
    first = make_assignment(pool, topic="T1", assessor=people["assessor"])
    second = make_assignment(pool, topic="T1", assessor=people["second"], kind="second")
    judged = judge(first, "D1", 0)
    judge(second, "D1", 2)
    open_queue(pool=queued, percent=0, seed=1, assessor_count=2)
    judges = [_judge(task, people["organizer"]) for _ in range(3)]
    for each in judges[:2]:
        _complete(each, pool, people["organizer"])
    JudgingPlan.objects.create(task=task)
    item = GoldItem.objects.create(task=task, topic="T2", docno="D2", grade=1, use=GoldUse.PRACTICE)
    return {
        "pool": spare.pk,
        "queue": queued.pk,
        "judge": judges[2].pk,
        "asked_judge": _judge(task, people["organizer"], backend="openai_chat", answer="grade-0-2").pk,
        "mapping": Mapping.objects.get(judge=judges[0]).pk,
        "item": item.pk,
        "gold": item.pk,
        "judgment": str(judged.client_uuid),
        "judged_by": first.assessor_id,
        "exclusion": make_secret_exclusion(pool, people["second"]).pk,
        "job": Job.objects.get(judge=judges[0]).pk,
        "assignment": first.pk,
        "prompt": _prompt(task).name,
    }


def _judge(task: Task, by: User, backend: str = "clip", answer: str = "") -> Judge:
    name = f"judge-{uuid.uuid4().hex[:8]}"
    return Judge.objects.create(
        track=task.track,
        name=name,
        backend=backend,
        answer=answer,
        revision=1,
        model="model",
        model_revision="1",
        dtype="float32",
        prompt="",
        image_size="small",
        long_text="truncate",
        endpoint="https://host.example/v1" if answer else "",
        identity_sha256=uuid.uuid4().hex * 2,
        task_kinds=[task.kind],
        created_by=by,
    )


def _complete(made: Judge, pool: Pool, by: User) -> None:
    """A completed job on the pool and a mapping of its scores."""
    job = Job.objects.create(
        judge=made, pool=pool, created_by=by, state=JobState.COMPLETED, finished_at=timezone.now()
    )
    done = {"state": CallState.DONE, "outcome": "ok", "ended_at": timezone.now()}
    for place, (topic, docno) in enumerate(PAIRS):
        Call.objects.create(job=job, topic=topic, docno=docno, raw_score=float(place), **done)
    Mapping.objects.create(
        judge=made, pool=pool, rule="fixed-cuts", version=1, thresholds=[4, 8], score_count=12, created_by=by
    )


def _prompt(task: Task) -> Prompt:
    name = f"prompt-{task.pk}"
    template = f"Words of {name}: {{fields}} {{image}}"
    return Prompt.objects.create(
        track=task.track, name=name, version=1, template=template, answer="relevance-1-100", sha256="0" * 64
    )
