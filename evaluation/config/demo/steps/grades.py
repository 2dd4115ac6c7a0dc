"""The simulated assessors at work."""

import uuid
from collections.abc import Iterator

from django.utils import timezone

from assessment.models import Assignment, Judgment
from evaluation.config.demo.assessors import simulate_grade
from evaluation.config.demo.progress import Progress
from evaluation.config.demo.steps.track import SEED
from evaluation.config.demo.world import DemoTask
from evaluation.models import Criteria, Document, Pool


def grade_pool(pool: Pool, world: DemoTask, tell: Progress) -> None:
    """Let the simulated assessors judge what is left of the pool, each topic in one statement.

    They write rows of judgments: record_judgment, made for one person at a screen, takes 9 ms an item, or a
    minute for all.
    """
    text = f"letting simulated assessors judge the {world.name} task"
    assignments = Assignment.objects.filter(pool=pool).with_progress()
    left = [each for each in assignments if each.judged_count < each.item_count]
    criteria = Criteria.objects.current(pool.task)
    images = _images(pool)
    for done, assignment in enumerate(left):
        tell(done, len(left), text)
        Judgment.objects.bulk_create(_judgments(assignment, world, criteria, images))
    if left:
        tell(len(left), len(left), text)


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
