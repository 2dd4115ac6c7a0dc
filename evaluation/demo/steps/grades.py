"""Pools a demo task and lets simulated assessors grade the pool."""

import uuid
from collections.abc import Iterator
from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from assessment.assigning.actions import assign_topics
from assessment.models.assignment import Assignment
from assessment.models.judgment import Judgment
from evaluation.access.people import Role, User
from evaluation.collections.models import Document
from evaluation.demo.scenes import SEED
from evaluation.demo.steps.people import ASSESSOR, join, organizer
from evaluation.demo.world import DemoTask, simulate_grade
from evaluation.pools.actions import build_pool
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task

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
