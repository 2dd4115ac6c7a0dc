"""Show some single items of walls again, alone, after other work: how often is the same grade given?"""

import random
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from assessment.assigning.layout import append_dealt
from assessment.models.assignment import AssignedItem, Assignment
from assessment.models.judgment import Judgment
from assessment.models.purposes import APART, Purpose
from assessment.models.slot import Slot
from evaluation.platform.access.people import User

AGAIN_EVERY = 5  # single items: one of them comes again, of fewer in a topic with that chance
LEAST_BETWEEN = 100  # judgments between the two sightings


def deal_again(assignment: Assignment) -> None:
    """Append repeats of single items to the assessor's topics of the task that were finished long ago.

    Topics that were judged lately get them at the end of the assessor's work, of items that were judged long
    ago. Each topic gets them once. The draw depends on pool seed, topic and assessor.
    """
    task, assessor = assignment.pool.task_id, assignment.assessor
    own = Judgment.objects.filter(task=task, assessor=assessor)
    times = own.order_by("-judged_at").values_list("judged_at", flat=True)
    for since in times[LEAST_BETWEEN - 1 : LEAST_BETWEEN]:
        items = AssignedItem.objects.filter(assignment=OuterRef("pk"))
        given = Assignment.objects.filter(pool__task=task, assessor=assessor, ended_at=None)
        given = given.exclude(kind__in=APART)
        rows = given.filter(
            Exists(items.filter(is_single=True)), ~Exists(items.filter(purpose=Purpose.REPEAT))
        )
        if _has_work(given, task, assessor):
            rows = rows.exclude(topic__in=own.filter(judged_at__gte=since).values("topic"))
        for former in rows.select_related("pool").select_for_update(of=("self",), no_key=True):
            if not former.open_places():
                append_dealt(former, [(docno, Purpose.REPEAT) for docno in _drawn(former, since)])


def _has_work(given: QuerySet[Assignment], task: int, assessor: User) -> bool:
    """Return whether the assessor's assignments have open items, or a queue of the task has free ones."""
    held = AssignedItem.objects.filter(assignment__in=given).held()
    queued = Slot.objects.filter(pool__in=Slot.objects.queued_pools(assessor).filter(task=task))
    is_open = held.exclude(pk__in=held.settled().values("pk")).exists()
    return is_open or queued.free_for(assessor).exists()


def _drawn(former: Assignment, until: datetime) -> list[str]:
    """Return the documents to show again, of those that were graded singly before the time."""
    judged = former.own_judgments().of_work().counted().filter(wall=None, grade__isnull=False)
    judged = judged.filter(judged_at__lt=until)
    alone = former.items.filter(is_single=True, purpose=Purpose.WORK)
    docnos = sorted(alone.filter(docno__in=judged.values("docno")).values_list("docno", flat=True))
    dice = random.Random(f"{former.pool.seed} {former.topic} {former.assessor_id} again")  # noqa: S311 - no secret
    return dice.sample(docnos, int(len(docnos) / AGAIN_EVERY + dice.random()))
