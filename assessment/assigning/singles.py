"""Draw the items of walls that are judged singly, first and only, to measure what a wall changes."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from django.db.models import Count, Q

from assessment.core.arranging import SINGLE_EVERY, is_single, single_every
from assessment.models.aggregates import CurrentJudgment
from assessment.models.assignment import AssignedItem, Assignment
from assessment.models.purposes import APART, Purpose
from evaluation.tracks.criteria import Criteria

Rates = Mapping[tuple[int, str], int]


def find_rates(assignments: Sequence[Assignment]) -> Rates:
    """Return by assessor and topic of how many items one is judged singly: by their grades on earlier walls.

    Of new people and topics there is none. The assignments are of one task.
    """
    task = assignments[0].pool.task
    rows = CurrentJudgment.objects.filter(
        task=task, assessor__in={assignment.assessor_id for assignment in assignments}, grade__isnull=False
    )
    is_top = Q(grade=max(Criteria.objects.current(task).scale))
    counts = list(
        rows.filter(judgment__wall__isnull=False)
        .order_by()
        .values_list("assessor", "item__topic")
        .annotate(graded=Count("pk"), top=Count("pk", filter=is_top))
    )
    graded_by: Counter[int] = Counter()
    top_by: Counter[int] = Counter()
    for assessor, _, graded, top in counts:
        graded_by[assessor] += graded
        top_by[assessor] += top
    return {
        (assessor, topic): single_every(top, graded, share=top_by[assessor] / graded_by[assessor])
        for assessor, topic, graded, top in counts
    }


def deal(
    assignment: Assignment, items: Sequence[tuple[str, str]], *, rates: Rates, after: int = 0
) -> Iterator[AssignedItem]:
    """Yield the items, docno and purpose, at the places after ``after``, and draw those to be judged singly.

    The draw knows the place alone, so it is uniform within the topic. Tasks without walls, which may get some
    later, have it, too.
    """
    every = rates.get((assignment.assessor_id, assignment.topic), SINGLE_EVERY)
    seed = f"{assignment.pool.seed} {assignment.topic} {assignment.assessor_id} singles"
    for place, (docno, purpose) in enumerate(items, start=after + 1):
        is_drawn = assignment.kind not in APART and purpose in (Purpose.WORK, Purpose.GOLD)
        yield AssignedItem(
            assignment=assignment,
            place=place,
            docno=docno,
            purpose=purpose,
            is_single=is_drawn and is_single(place, every=every, seed=seed),
            single_every=every if is_drawn else None,
        )
