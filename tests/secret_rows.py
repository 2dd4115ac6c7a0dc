"""Rows of every kind whose words assessors must never see: each such word begins with ``SECRET``."""

from __future__ import annotations

import json
import uuid
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from assessment.models import (
    AssignedItem,
    AssignmentKind,
    ExtraQuestion,
    GoldItem,
    GoldUse,
    JudgingPlan,
    Judgment,
    Purpose,
    Remark,
    Slot,
    TrainingReply,
)
from evaluation.core.imports.faults import Faults, ImportFault
from evaluation.core.report.choice import Choice
from evaluation.models import (
    Announcement,
    Application,
    ApplicationState,
    Audience,
    Criteria,
    EntryRules,
    Image,
    Import,
    ImportKind,
    ImportState,
    Invitation,
    LateException,
    MeasureValue,
    Phase,
    Picture,
    QrelsKind,
    Report,
    ReportProgress,
    Role,
    RunNote,
    RunState,
    Scoring,
    Signature,
    SubmissionQuestion,
    TeamLimit,
)
from judges.models import (
    Budget,
    Call,
    CallState,
    Job,
    Judge,
    LedgerEntry,
    Mapping,
    Price,
    Prompt,
    Rate,
    RequestFile,
    Shard,
    ShardContent,
    Trial,
)
from tests.assessment.factories import judge, make_assignment
from tests.evaluation.report_findings import stored_findings
from tests.factories import (
    make_blob,
    make_collection,
    make_document,
    make_family,
    make_image,
    make_qrels,
    make_run,
    make_task,
    make_track,
)

if TYPE_CHECKING:
    from assessment.models import Assignment
    from evaluation.models import Pool, Qrels, Run, Task, Team, Track, User

SECRET = "Xenolith"
HIDDEN_SCORE = 0.7310585  # every raw score and every value of a measure
PAIRS = [("T1", f"{SECRET}-docno-1"), ("T1", f"{SECRET}-docno-2"), ("T2", f"{SECRET}-docno-1")]


def make_secret_task() -> Task:
    """A task in judging with two pictures, beside a draft."""
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


def make_secret_exception(task: Task, team: Team, organizer: User) -> LateException:
    """A later close for the team, which is over; made before the task has a pool."""
    return LateException.objects.create(
        task=task,
        team=team,
        closes_at=timezone.now() - timedelta(days=1),
        reason=f"{SECRET}-reason",
        granted_by=organizer,
    )


def make_secret_note(run: Run, organizer: User) -> RunNote:
    """One to the run's team."""
    return RunNote.objects.create(run=run, text=f"{SECRET}-note", written_by=organizer)


def make_secret_registration(owners: dict[Team, User], organizer: User) -> None:
    """Rules of the track, and an approved application and a signature of each team."""
    rules = EntryRules.objects.create(
        track=organizer.memberships.get().track, needs_approval=True, agreement="Do *no* harm."
    )
    for team, owner in owners.items():
        whose = f"{SECRET}-rival" if team.name.endswith("-rival") else SECRET
        Application.objects.create(
            team=team,
            state=ApplicationState.APPROVED,
            words=f"{whose}-words",
            applied_by=owner,
            note=f"{whose}-note",
            decided_at=timezone.now(),
            decided_by=organizer,
        )
        Signature.objects.create(team=team, agreement_sha256=rules.agreement_sha256, signed_by=owner)


def make_secret_import(task: Task, organizer: User) -> Import:
    """A tried import with a fault."""
    faults = Faults()
    faults.add(ImportFault.NO_NAME, "line 3", f"{SECRET}-docno-3")
    return Import.objects.create(
        task=task,
        kind=ImportKind.COLLECTION,
        upload=make_blob(f"{SECRET} captions".encode()),
        file_name=f"{SECRET}-captions.jsonl",
        state=ImportState.TRIED,
        counts={"added": 2, "changed": 0, "same": 0, "refused": 1},
        faults=faults.to_json(),
        received_by=organizer,
    )


def make_secret_judgments(pool: Pool, assessor: User, colleague: User, hidden_grade: int) -> list[Assignment]:
    """The assessor's assignment, begun, with gold and a repeated item; then a colleague's two, judged."""
    GoldItem.objects.create(task=pool.task, topic="T1", docno=PAIRS[1][1], grade=hidden_grade)
    JudgingPlan.objects.create(task=pool.task, gold_percent=10, repeat_percent=10)
    practice = GoldItem.objects.create(
        task=pool.task,
        topic="T2",
        docno=PAIRS[0][1],
        grade=hidden_grade,
        use=GoldUse.PRACTICE,
        explanation=f"{SECRET} explanation",
    )
    TrainingReply.objects.create(item=practice, assessor=colleague, grade=hidden_grade)
    ExtraQuestion.objects.create(
        task=pool.task, name="sure", text="How sure?", choices="1\n2\n3", is_required=False
    )
    own = make_assignment(pool, topic="T1", assessor=assessor)
    second = make_assignment(pool, topic="T1", assessor=colleague, kind=AssignmentKind.SECOND)
    other = make_assignment(pool, topic="T2", assessor=colleague)
    judge(own, PAIRS[0][1], 1, comment="My own comment")
    for place, purpose in enumerate((Purpose.GOLD, Purpose.REPEAT), start=own.items.count() + 1):
        AssignedItem.objects.get_or_create(
            assignment=own, docno=PAIRS[1][1], purpose=purpose, defaults={"place": place}
        )
    Slot.objects.create(pool=pool, topic="T2", docno=PAIRS[2][1], turn=1, position=0)
    for assignment, (topic, docno) in ((second, PAIRS[0]), (second, PAIRS[1]), (other, PAIRS[2])):
        Judgment.objects.create(
            task=pool.task,
            topic=topic,
            docno=docno,
            criteria=Criteria.objects.current(pool.task),
            assessor=assignment.assessor,
            grade=hidden_grade,
            comment=f"{SECRET} comment",
            client_uuid=uuid.uuid4(),
            shown_at=timezone.now(),
            active_seconds=1.5,
        )
        Remark.objects.create(
            task=pool.task,
            topic=topic,
            docno=docno,
            assessor=assignment.assessor,
            comment=f"{SECRET} remark",
            is_flagged=True,
            client_uuid=uuid.uuid4(),
        )
    return [own, second, other]


def make_secret_qrels(pool: Pool, organizer: User, hidden_grade: int) -> tuple[Qrels, Qrels]:
    """People's and a model's."""
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
    Report.objects.create(
        task=run.task,
        reference=people,
        inputs_sha256="0" * 64,
        **json.loads(stored),
        code_version=f"{SECRET}-code",
    )
    choice = Choice((f"{SECRET}-clip-a",), ())
    ReportProgress.objects.create(
        task=run.task, choice=choice.to_json(), choice_sha256=choice.sha256, problem=f"{SECRET}-problem"
    )
    Scoring.objects.create(task=run.task, trouble=f"{SECRET}-trouble")


def make_secret_job(pool: Pool, organizer: User) -> Job:
    """A job that has ended, with its judge, its answers in words, its costs and a mapping."""
    job = Job.objects.create(judge=_make_judge(organizer), pool=pool, created_by=organizer)
    shard = Shard.objects.create(
        job=job,
        side=ShardContent.PAIR,
        inputs=[],
        input_count=0,
        done_at=timezone.now(),
        error=f"{SECRET} error",
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
    LedgerEntry.objects.create(
        job=job, shard=shard, request_key=f"{SECRET}-key", bound_micros=1, detail=f"{SECRET} detail"
    )
    RequestFile.objects.create(shard=shard, request_count=1, file_id=f"{SECRET}-file", note=f"{SECRET} note")
    Budget.objects.create(track=pool.task.track)
    Mapping.objects.create(
        judge=job.judge,
        pool=pool,
        rule=f"{SECRET}-rule",
        version=1,
        thresholds=[HIDDEN_SCORE, HIDDEN_SCORE],
        score_count=3,
        created_by=organizer,
    )
    return job


def _make_judge(organizer: User) -> Judge:
    Price.objects.create(model=f"{SECRET}/model", input_price=1, output_price=1)
    Rate.objects.create(endpoint=f"https://{SECRET}.example.org", in_flight=1)
    Prompt.objects.create(
        name=f"{SECRET}-prompt", version=1, template=f"{SECRET} {{image}}", answer="0-2", sha256="0" * 64
    )
    return Judge.objects.create(
        name=f"{SECRET}-judge",
        backend="openai_chat",
        revision=1,
        model=f"{SECRET}/model",
        model_revision="0" * 40,
        dtype="",
        prompt=f"{SECRET} prompt",
        image_size="small",
        long_text="truncate",
        endpoint=f"https://{SECRET}.example.org",
        identity_sha256="0" * 64,
        task_kinds=["text-to-image"],
        created_by=organizer,
    )


def make_secret_announcement(track: Track, organizer: User) -> Announcement:
    """One to the teams, which assessors must not read."""
    return Announcement.objects.create(
        track=track, audience=Audience.TEAMS, subject=f"{SECRET}-announcement", created_by=organizer
    )


def make_secret_invitation(track: Track, organizer: User) -> Invitation:
    """One that nobody has accepted."""
    return Invitation.objects.create(
        track=track,
        email=f"{SECRET}-invited@example.org".lower(),
        role=Role.ASSESSOR,
        token_sha256="0" * 64,
        invited_by=organizer,
        expires_at=timezone.now() + timedelta(days=1),
    )


def make_setup_rows(task: Task, job: Job) -> dict[str, list[object]]:
    """What the pages of setting up remove or try, as parameters of their addresses."""
    picture = Picture.objects.create(task=task, name="Example", image=make_image())
    family = make_family(task, name=f"{SECRET}-spare-family")
    question = SubmissionQuestion.objects.create(task=task, name="spare", text="Anything else?", place=9)
    extra = ExtraQuestion.objects.create(task=task, name="spare", text="How sure are you?", is_required=False)
    item = GoldItem.objects.create(task=task, topic="T2", docno="D3", grade=1, use=GoldUse.MIXED)
    Trial.objects.create(
        judge=job.judge,
        task=task,
        topic="T1",
        docno="D1",
        asked_by=job.created_by,
        ended_at=timezone.now(),
        error=f"{SECRET}-error",
    )
    own_judge = Judge.objects.get(pk=job.judge_id)
    own_judge.pk, own_judge.track, own_judge.name = None, task.track, f"{SECRET}-spare-judge"
    own_judge.save()
    return {
        "picture": [picture.pk],
        "family": [family.pk],
        "question": [question.pk],
        "extra": [extra.pk],
        "gold": [item.pk],
        "invitation": [Invitation.objects.get(track=task.track).pk],
        "judge": [own_judge.pk],
    }
