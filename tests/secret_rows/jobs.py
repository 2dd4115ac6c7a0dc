"""Secret rows of judges, and the rows that the pages of setting up remove or try."""

from django.utils import timezone

from assessment.models import (
    ExtraQuestion,
    GoldItem,
    GoldUse,
)
from evaluation.models import (
    Invitation,
    Picture,
    Pool,
    SubmissionQuestion,
    Task,
    User,
)
from judges.models import (
    Budget,
    Call,
    CallState,
    Comparison,
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
from tests.factories import (
    make_family,
    make_image,
)
from tests.secret_rows.words import HIDDEN_SCORE, PAIRS, SECRET


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
    answer = {"score": 1, "text": f"{SECRET} words", "error": "", "cost": 1}
    Comparison.objects.create(
        judge=job.judge,
        task=task,
        versions=[{"name": f"{SECRET} {end}", "template": "", "answer": "grade-0-2"} for end in "ab"],
        rows=[{"topic": "T1", "docno": "D1", "answers": [answer, answer]}],
        asked_by=job.created_by,
        ended_at=timezone.now(),
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
