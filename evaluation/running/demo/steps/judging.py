"""Pools the demo's tasks and grades the pools: simulated assessors, encoders, and a tiny LLaVA."""

import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from assessment.assigning.actions import assign_topics
from assessment.models.assignment import Assignment
from assessment.models.judgment import Judgment
from assessment.publishing.actions import publish_judgments
from evaluation.collections.models import Document
from evaluation.platform.access.people import Role, User
from evaluation.results.qrels.models import Qrels, QrelsKind
from evaluation.results.reports.models import Report
from evaluation.running.demo import models
from evaluation.running.demo.scenes import SEED
from evaluation.running.demo.steps.track import ASSESSOR, Wait, join, organizer
from evaluation.running.demo.texts import TEXTS
from evaluation.running.demo.world import DemoTask, simulate_grade
from evaluation.submissions.pools.actions import build_pool
from evaluation.submissions.pools.models import Pool
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task
from evaluation.tracks.work.recomputing.actions import ask_results
from judges.catalogue.actions import create_judge
from judges.catalogue.models import Judge
from judges.grades.publishing import fit_mapping, publish_job
from judges.jobs.models import Job
from judges.jobs.starting import start_job
from judges.prompts.actions import create_prompt
from trackside.judging.settings import CLIP_PRESETS, Settings
from trackside.pooling.recipes import DepthRecipe

MAIN, SECOND_LOOK = "main", "second look"
SECOND_PERCENT = 25  # per cent of topics that are graded twice
VISITOR_DEPTH, VISITOR_PERCENT = 3, 10  # about a dozen items on each of four topics
VISITOR_SEED = 2  # draws only topics that are not graded twice
JUDGING_FOR = timedelta(days=28)


@transaction.atomic
def close_and_grade(task: Task, world: DemoTask) -> None:
    """Close the task for runs, open judging, freeze the pool, assign its topics and grade them."""
    Task.objects.filter(pk=task.pk).update(closes_at=Now(), judging_at=Now(), releases_at=Now() + JUDGING_FOR)
    pool = build_pool(task=task, name=MAIN, seed=SEED, by=organizer())
    criteria = Criteria.objects.current(task)
    for assignment in assign_topics(pool=pool, second_percent=SECOND_PERCENT, seed=SEED, by=organizer()):
        # Insert in bulk: record_judgment, made for one person at a screen, would take a minute for all.
        Judgment.objects.bulk_create(_judgments(assignment, world, criteria))


def _judgments(assignment: Assignment, world: DemoTask, criteria: Criteria) -> Iterator[Judgment]:
    docnos = list(assignment.pool.items.filter(topic=assignment.topic).values_list("docno", flat=True))
    documents = Document.objects.filter(collection=criteria.task.collection, docno__in=docnos)
    images = dict(documents.values_list("docno", "image"))
    for docno in docnos:
        grade, seconds = simulate_grade(
            world, assignment.topic, docno, is_second=assignment.is_second, seed=SEED
        )
        yield Judgment(
            task=criteria.task,
            topic=assignment.topic,
            docno=docno,
            image_sha256=images[docno] or "",
            criteria=criteria,
            assessor_id=assignment.assessor_id,
            grade=grade,
            client_uuid=uuid.uuid4(),
            shown_at=timezone.now(),
            active_seconds=seconds,
        )


@transaction.atomic
def leave_work(task: Task) -> None:
    """Give the visitors' assessor a small pool to judge as second assessor.

    The topics keep their assessors, and her load is the smallest, so all second assignments are hers.
    """
    if not task.pools.filter(name=SECOND_LOOK).exists():
        join(task.track, User.objects.get(email=ASSESSOR), Role.ASSESSOR)
        depths = dict.fromkeys(task.runs.accepted().values_list("pk", flat=True), VISITOR_DEPTH)
        pool = build_pool(task=task, name=SECOND_LOOK, seed=VISITOR_SEED, by=organizer(), depths=depths)
        assign_topics(pool=pool, second_percent=VISITOR_PERCENT, seed=VISITOR_SEED, by=organizer())


def release(task: Task) -> None:
    """Release the task now unless it is released."""
    Task.objects.filter(pk=task.pk, releases_at__gt=Now()).update(
        releases_at=Now(), release_confirmed_for=Now()
    )


CLIPS = ("clip-four-fields", "clip-context-only", "clipscore-2021")
"""Presets: the text fields of the source paper, a part of them, and CLIPScore's own prompt."""
PHOTO_JUDGES = {"photos-title": ("section_title",), "photos-all": ()}
"""Judges of real pictures, with the text fields that they read; all of them if none is named."""
LLAVA, FORM = "tiny-llava", "grade-0-2"
PROMPT = "{image}\n" + TEXTS["question"]
GRADE_CUTS = (0.5, 1.5)  # LLaVA answers with the grade itself
SMALL_POOL, TOPICS, DEPTH = "eight topics", 8, 4
LONGEST = {"max_tokens": 24}


def let_encoders_judge(task: Task, *, is_drawn: bool) -> None:
    """Start a job of each encoder, of the tiny CLIP or of real photos, on the task's pool if missing."""
    pool = task.pools.get(name=MAIN)
    if is_drawn:
        for name in CLIPS:
            _start(name, pool, backend="clip", model=str(models.CLIP), **CLIP_PRESETS[name].choices)
    else:
        for name, fields in PHOTO_JUDGES.items():
            _start(name, pool, backend=models.PHOTOS, model=models.photo_model(), text_fields=fields)


def let_llava_judge(task: Task) -> None:
    """Start a job of the LLaVA on some pairs of the first topics, in a pool that only models judge."""
    pool = task.pools.filter(name=SMALL_POOL).first() or _small_pool(task)
    if not Judge.objects.filter(name=LLAVA).exists():
        create_prompt(name=LLAVA, template=PROMPT, answer=FORM, by=organizer())
    _start(
        LLAVA, pool, backend="llava", model=str(models.LLAVA), prompt=PROMPT, answer=FORM, decoding=LONGEST
    )


def _small_pool(task: Task) -> Pool:
    topics = tuple(task.topics.order_by("number").values_list("number", flat=True)[:TOPICS])
    depths = dict.fromkeys(task.runs.accepted().values_list("pk", flat=True), DEPTH)
    recipe = DepthRecipe(topics)
    return build_pool(task=task, name=SMALL_POOL, seed=SEED, by=organizer(), depths=depths, recipe=recipe)


@transaction.atomic
def _start(name: str, pool: Pool, **choices: Any) -> None:
    # The backend fills in its revision and pins the folder by a digest of its files.
    known = Judge.objects.filter(name=name).first()
    judge = known or create_judge(
        name=name, settings=Settings(revision=0, model_revision="", **choices), by=organizer()
    )
    if not Job.objects.filter(judge=judge, pool=pool).exists():
        start_job(judge=judge, pool=pool, by=organizer())


def publish_grades(task: Task, wait: Wait) -> None:
    """Publish all unpublished grades in one transaction, so that the report is computed once."""
    jobs = Job.objects.filter(pool__task=task).select_related("judge", "pool")
    wait(lambda: all(job.is_completed for job in jobs.all()))
    with transaction.atomic():
        if not task.qrels.filter(kind=QrelsKind.HUMAN).exists():
            publish_judgments(task=task, by=organizer())
        for job in jobs:
            if not Qrels.objects.filter(pool=job.pool, name=job.judge.name).exists():
                cuts = GRADE_CUTS if job.judge.name == LLAVA else ()
                publish_job(job=job, mapping=fit_mapping(job=job, by=organizer(), cuts=cuts), by=organizer())
        if not is_reported(task):
            ask_results(task_id=task.pk)


def is_reported(task: Task) -> bool:
    """Whether the latest report uses the latest qrels."""
    report = Report.objects.whole().filter(task=task).order_by("computed_at").last()
    if report is None or report.is_old:
        return False
    current = Qrels.objects.filter(task=task).current().values_list("sha256", flat=True)
    return {graded.sha256 for graded in report.summary.facts.qrels} == set(current)
