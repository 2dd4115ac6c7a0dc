"""The simulated assessors at work."""

import uuid

from django.db import transaction
from django.utils import timezone

from assessment.actions.record_judgment import record_judgment
from assessment.models import Assignment
from evaluation.config.demo.assessors import simulate_grade
from evaluation.config.demo.progress import Progress
from evaluation.config.demo.steps.track import SEED
from evaluation.config.demo.world import DemoTask
from evaluation.models import Document, Pool

NAMESPACE = uuid.UUID("7f3f4b0e-3d0c-4e57-9a55-6a2f0f0f7d11")


def grade_pool(pool: Pool, world: DemoTask, tell: Progress) -> None:
    """Let the simulated assessors judge what is left of the pool, a topic in each transaction."""
    assignments = Assignment.objects.filter(pool=pool).with_progress()
    left = [each for each in assignments if each.judged_count < each.item_count]
    documents = Document.objects.filter(collection=pool.task.collection, image__isnull=False)
    images = dict(documents.values_list("docno", "image"))
    for done, assignment in enumerate(left):
        tell(done, len(left), f"letting simulated assessors judge topics of the {world.name} task")
        _judge(assignment, world, images)
    if left:
        tell(len(left), len(left), f"letting simulated assessors judge topics of the {world.name} task")


@transaction.atomic
def _judge(assignment: Assignment, world: DemoTask, images: dict[str, str]) -> None:
    for item in assignment.items():
        given = simulate_grade(world, item.topic, item.docno, is_second=assignment.is_second, seed=SEED)
        record_judgment(
            assignment=assignment,
            docno=item.docno,
            image_sha256=images.get(item.docno, ""),
            criteria_version=1,
            mark=given.grade,
            client_uuid=uuid.uuid5(NAMESPACE, f"{assignment.pk}/{item.docno}"),
            shown_at=timezone.now(),
            active_seconds=given.active_seconds,
            by=assignment.assessor,
        )
