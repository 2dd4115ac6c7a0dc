"""A site with one of everything. Each word in it that assessors must never see begins with ``SECRET``."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.contenttypes.models import ContentType
from django.test import Client
from django.utils import timezone

from assessment.models import GoldItem, JudgingPlan, Judgment, Kind
from evaluation.models import (
    Criteria,
    Document,
    Image,
    Invitation,
    MeasureValue,
    Phase,
    QrelsKind,
    Report,
    Run,
    RunState,
    Task,
    User,
)
from judges.models import Call, CallState, Job, Judge, Mapping, Shard, Side
from tests.assessment.factories import judge, make_assignment
from tests.evaluation.report_content import report_content
from tests.factories import (
    dates_of,
    make_assessor,
    make_blob,
    make_collection,
    make_document,
    make_family,
    make_image,
    make_organizer,
    make_pool,
    make_qrels,
    make_run,
    make_staff,
    make_task,
    make_team,
    make_team_member,
    make_track,
    make_user,
)

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

    from assessment.models import Assignment
    from evaluation.models import Pool, Qrels, Team, Track

SECRET = "Xenolith"
HIDDEN_SCORE = 0.7310585  # every raw score and every value of a measure
PAIRS = [("T1", f"{SECRET}-docno-1"), ("T1", f"{SECRET}-docno-2"), ("T2", f"{SECRET}-docno-1")]
ROLES = (
    "signed-out",  # nobody
    "visitor",  # an account without a role
    "assessor",  # of the track, with an assignment
    "colleague",  # the track's other assessor
    "team",  # the run's
    "rival",  # of another team of the track
    "organizer",  # of the track
    "stranger",  # organizer of another track
    "staff",  # of the site
)


@dataclass(frozen=True)
class WholeSite:
    """The site's task, who visits it by role (None: signed out), and what parameters of addresses may be.

    The first value of each parameter is the one that the roles are told by: the task, the team's accepted
    run, the assessor's own assignment.
    """

    task: Task
    visitors: dict[str, User | None]
    values: dict[str, list[object]]

    @property
    def first_values(self) -> dict[str, object]:
        """The address parameters of the things that the roles are told by."""
        return {name: values[0] for name, values in self.values.items()}

    def signed_in(self, role: str) -> User:
        """The account of a role that has one."""
        person = self.visitors[role]
        assert person
        return person

    def clients(self) -> dict[str, Client]:
        """A browser for each role, signed in."""
        found = {role: Client() for role in ROLES}
        for role, person in self.visitors.items():
            if person:
                found[role].force_login(person)
        return found

    def enter(self, phase: Phase) -> None:
        """Move the dates so that the task is in the phase."""
        Task.objects.filter(pk=self.task.pk).update(**dates_of(phase))


def word_of(answer: HttpResponseBase) -> str:
    """The status of an answer, or "sign-in" where it leads to a sign-in page."""
    is_sign_in = answer.headers.get("Location", "").startswith(("/account/sign-in/?", "/admin/login/?"))
    return "sign-in" if answer.status_code == 302 and is_sign_in else str(answer.status_code)


def make_whole_site(*, hidden_grade: int = 2) -> WholeSite:
    """Two assessors at work on a judged, scored and reported pool; ``hidden_grade`` is what others gave."""
    task = _make_task()
    team, rival = (make_team(task.track, name=f"{SECRET}-team-{name}") for name in ("own", "rival"))
    visitors = _make_visitors(task.track, team, rival)
    organizer = visitors["organizer"]
    run = _make_runs(task, team, rival)[0]
    pool = make_pool(task, name=f"{SECRET}-pool", pairs=PAIRS, runs=[run], created_by=organizer)
    assignments = _make_judgments(pool, visitors, hidden_grade)
    JudgingPlan.objects.create(task=task, gold_percent=10, repeat_percent=10)
    GoldItem.objects.create(task=task, topic="T1", docno=f"{SECRET}-docno-gold", grade=hidden_grade)
    people, model = _make_qrels(pool, organizer, hidden_grade)
    _make_report(run, people, model)
    job = _make_job(pool, organizer)
    Invitation.objects.create(
        track=task.track,
        email=f"{SECRET.lower()}-invited@example.org",
        role="assessor",
        token_sha256="0" * 64,
        invited_by=organizer,
        expires_at=timezone.now() + timedelta(days=1),
    )
    return WholeSite(task, visitors, _values(task, run, assignments, job))


def _make_task() -> Task:
    track = make_track()
    hidden = make_collection(track, name=f"{SECRET}-collection")
    make_task(track, phase=Phase.DRAFT, name=f"{SECRET}-draft", topic_count=1, collection=hidden)
    task = make_task(track, phase=Phase.JUDGING, topic_count=2)
    for number in (1, 2):
        picture = make_image()
        blob = make_blob(f"{SECRET}: what the camera wrote into picture {number}".encode())
        fresh = Image.objects.create(
            sha256=blob.sha256,
            original=blob,
            display=picture.display,
            small=picture.small,
            thumbnail=picture.thumbnail,
            width=64,
            height=48,
        )
        make_document(
            task.collection,
            docno=f"{SECRET}-docno-{number}",
            fields=[["caption", f"Picture {number}"]],
            image=fresh,
        )
    return task


def _make_visitors(track: Track, team: Team, rival: Team) -> dict[str, Any]:
    def named(role: str) -> dict[str, Any]:
        return {"name": f"{SECRET} {role}", "email": f"{SECRET.lower()}-{role}@example.org"}

    return {
        "signed-out": None,
        "visitor": make_user(),
        "assessor": make_assessor(track, name="Own Name", email="own@example.org"),
        "colleague": make_assessor(track, **named("colleague")),
        "team": make_team_member(team, **named("team")),
        "rival": make_team_member(rival, **named("rival")),
        "organizer": make_organizer(track, **named("organizer")),
        "stranger": make_organizer(
            make_track(slug=f"{SECRET.lower()}-elsewhere", name=f"{SECRET} elsewhere")
        ),
        "staff": make_staff(),
    }


def _make_runs(task: Task, team: Team, rival: Team) -> list[Run]:
    results = {topic: [docno for other, docno in PAIRS if other == topic] for topic in ("T1", "T2")}
    family = make_family(task, name=f"{SECRET}-family")
    runs = []
    for owner, tag, state in (
        (team, "accepted", RunState.ACCEPTED),
        (team, "rejected", RunState.REJECTED),
        (team, "received", RunState.RECEIVED),
        (rival, "other", RunState.ACCEPTED),
        (rival, "withdrawn", RunState.WITHDRAWN),
    ):
        words = {"tag": f"{SECRET}-tag-{tag}", "description": f"{SECRET} description of {tag}"}
        runs.append(make_run(task, owner, state=state, results=results, **words))
        runs[-1].families.add(family)
    return runs


def _make_judgments(pool: Pool, visitors: dict[str, Any], hidden_grade: int) -> list[Assignment]:
    own = make_assignment(pool, topic="T1", assessor=visitors["assessor"])
    second = make_assignment(pool, topic="T1", assessor=visitors["colleague"], kind=Kind.SECOND)
    other = make_assignment(pool, topic="T2", assessor=visitors["colleague"])
    judge(own, PAIRS[0][1], 1, comment="My own comment")
    for assignment, (topic, docno) in ((second, PAIRS[0]), (second, PAIRS[1]), (other, PAIRS[2])):
        Judgment.objects.create(
            task=pool.task,
            topic=topic,
            docno=docno,
            criteria=Criteria.objects.current(pool.task),
            assessor=assignment.assessor,
            grade=hidden_grade,
            comment=f"{SECRET} comment",
            client_uuid=f"00000000-0000-4000-8000-{Judgment.objects.count():012}",
            shown_at=timezone.now(),
            active_seconds=1.5,
        )
    return [own, second, other]


def _make_qrels(pool: Pool, organizer: User, hidden_grade: int) -> tuple[Qrels, Qrels]:
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


def _make_report(run: Run, people: Qrels, model: Qrels) -> None:
    for qrels in (people, model):
        MeasureValue.objects.create(
            run=run,
            qrels=qrels,
            measure="AP",
            values=[HIDDEN_SCORE] * 2,
            mean=HIDDEN_SCORE,
            code_version=f"{SECRET}-code",
        )
    content = json.dumps(report_content())
    for word in ("clip-a", "clip-b", "bm25", "Kestrel", "clipscore"):
        content = content.replace(f'"{word}"', f'"{SECRET}-{word}"')
    Report.objects.create(
        task=run.task,
        reference=people,
        inputs_sha256="0" * 64,
        content=json.loads(content),
        code_version=f"{SECRET}-code",
    )


def _make_job(pool: Pool, organizer: User) -> Job:
    model = Judge.objects.create(
        name=f"{SECRET}-judge",
        backend="clip",
        revision=1,
        model=f"{SECRET}/model",
        model_revision="0" * 40,
        dtype="float32",
        prompt=f"{SECRET} prompt",
        image_size="small",
        long_text="truncate",
        identity_sha256="0" * 64,
        task_kinds=["text-to-image"],
        created_by=organizer,
    )
    job = Job.objects.create(judge=model, pool=pool, created_by=organizer)
    Shard.objects.create(
        job=job, side=Side.DOCUMENT, inputs=[], input_count=0, done_at=timezone.now(), error=f"{SECRET} error"
    )
    for topic, docno in PAIRS:
        Call.objects.create(
            job=job,
            topic=topic,
            docno=docno,
            state=CallState.DONE,
            raw_answer=f"{SECRET} answer",
            outcome=f"ok_{SECRET}",
            raw_score=HIDDEN_SCORE,
            ended_at=timezone.now(),
        )
    Mapping.objects.create(
        judge=model,
        pool=pool,
        rule=f"{SECRET}-rule",
        version=1,
        thresholds=[HIDDEN_SCORE, HIDDEN_SCORE],
        score_count=3,
        created_by=organizer,
    )
    return job


def _values(task: Task, run: Run, assignments: list[Assignment], job: Job) -> dict[str, list[object]]:
    other_tasks = Task.objects.filter(track=task.track).exclude(pk=task.pk)
    documents = Document.objects.filter(collection=task.collection).order_by("docno")
    return {
        "track": [task.track.slug],
        "task": [task.slug, *other_tasks.values_list("slug", flat=True)],
        "run": [run.pk, *Run.objects.exclude(pk=run.pk).values_list("pk", flat=True)],
        "assignment": [each.pk for each in assignments],
        "place": [1, 2, 3],
        "job": [job.pk],
        "sha256": list(documents.values_list("image", flat=True)),
        "size": ["display", "small", "thumbnail"],
        "token": ["no-token"],
        "uidb64": ["AA"],
        "app_label": ["evaluation", "assessment", "judges"],
        "content_type_id": [ContentType.objects.get_for_model(Run).pk],
        "object_id": [run.pk],
        "id": [run.received_by_id],
        "url": ["nothing/"],
    }
