"""Writes the simulated assessors' judgments."""

import uuid
from collections.abc import Iterator

from django.utils import timezone

from assessment.models.assignment import Assignment
from assessment.models.judgment import Judgment
from evaluation.collections.models import Document
from evaluation.demo.assessors import simulate_grade
from evaluation.demo.progress import Progress
from evaluation.demo.seeds import SEED
from evaluation.demo.world import DemoTask
from evaluation.pools.models import Pool
from evaluation.tracks.criteria import Criteria


def grade_pool(pool: Pool, world: DemoTask, progress: Progress) -> None:
    """Let the simulated assessors judge the rest of the pool, each topic in one statement.

    Insert judgments in bulk: record_judgment, made for one person at a screen, takes 9 ms per item, or a
    minute for all.
    """
    text = f"letting simulated assessors judge the {world.name} task"
    assignments = Assignment.objects.filter(pool=pool).with_progress()
    left = [each for each in assignments if each.judged_count < each.item_count]
    criteria = Criteria.objects.current(pool.task)
    images = _images(pool)
    for done, assignment in enumerate(left):
        progress(done, len(left), text)
        Judgment.objects.bulk_create(_judgments(assignment, world, criteria, images))
    if left:
        progress(len(left), len(left), text)


def _images(pool: Pool) -> dict[str, str]:
    documents = Document.objects.filter(collection=pool.task.collection, image__isnull=False)
    return dict(documents.values_list("docno", "image"))


def _judgments(
    assignment: Assignment, world: DemoTask, criteria: Criteria, images: dict[str, str]
) -> Iterator[Judgment]:
    items = assignment.pool.items.filter(topic=assignment.topic)
    for topic, docno in items.values_list("topic", "docno"):
        given = simulate_grade(world, topic, docno, is_second=assignment.is_second, seed=SEED)
        yield Judgment(
            task=criteria.task,
            topic=topic,
            docno=docno,
            image_sha256=images.get(docno, ""),
            criteria=criteria,
            assessor_id=assignment.assessor_id,
            grade=given.grade,
            client_uuid=uuid.uuid4(),
            shown_at=timezone.now(),
            active_seconds=given.active_seconds,
        )
