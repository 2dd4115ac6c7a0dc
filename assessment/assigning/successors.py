"""Give topics to other assessors when the judgments of their former one do not count."""

from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Count, Q

from assessment.assigning.layout import append_items, lay_out_items
from assessment.assigning.lookups import find_assessors
from assessment.core.arranging import share_topics
from assessment.models.assignment import Assignment
from assessment.models.judgment import Judgment
from assessment.models.purposes import AssignmentKind
from evaluation.platform.access.people import User
from evaluation.submissions.pools.models import Pool


@dataclass(frozen=True)
class Succession:
    """Assignments that got items, new or not, and topics that nobody else can judge."""

    assignments: tuple[Assignment, ...] = ()
    left_topics: tuple[str, ...] = ()

    def __add__(self, other: "Succession") -> "Succession":
        return Succession(self.assignments + other.assignments, self.left_topics + other.left_topics)


def deal_topics(*, pool: Pool, former: User, topics: Collection[str], by: User) -> Succession:
    """Give the topics that ``former`` owned or graded second to others, who have not judged them.

    An owner who took over before gets the items that no counted judgment settles. Others are chosen as
    `assign_topics` does: whoever has the fewest items.
    """
    rows = Assignment.objects.filter(pool=pool, assessor=former, topic__in=topics, ended_at__isnull=False)
    succession = Succession()
    for kind in (AssignmentKind.OWNER, AssignmentKind.SECOND):
        ends: dict[str, Assignment] = {row.topic: row for row in rows.filter(kind=kind).order_by("ended_at")}
        others = Assignment.objects.filter(pool=pool, kind=kind).exclude(assessor=former)
        if kind == AssignmentKind.OWNER:
            heirs = list(others.going_on().filter(topic__in=ends))
            succession += Succession(tuple(heir for heir in heirs if append_items(assignment=heir)))
        else:  # whoever took a second grading over judges all of its items
            heirs = [heir for heir in others.filter(topic__in=ends) if _follows(heir, ends[heir.topic])]
        succession += _share(pool, set(ends) - {heir.topic for heir in heirs}, kind, former, by)
    return succession


def _follows(heir: Assignment, former: Assignment) -> bool:
    return former.ended_at is not None and heir.assigned_at >= former.ended_at


def _share(pool: Pool, topics: Collection[str], kind: AssignmentKind, former: User, by: User) -> Succession:
    going_on = Assignment.objects.going_on().filter(pool=pool)
    sizes = dict(pool.items.order_by().values_list("topic").annotate(Count("pk")))
    loads = Counter(dict.fromkeys(find_assessors(pool=pool).values_list("pk", flat=True), 0))
    barred: dict[str, set[int]] = defaultdict(lambda: {former.pk})
    for topic, assessor in going_on.values_list("topic", "assessor"):
        barred[topic].add(assessor)
        if assessor in loads:
            loads[assessor] += sizes[topic]
    judged = Judgment.objects.of_work().filter(Q(undoes__isnull=True), task=pool.task_id, topic__in=topics)
    for topic, assessor in judged.order_by().values_list("topic", "assessor").distinct():
        barred[topic].add(assessor)
    able = [topic for topic in sorted(topics) if loads.keys() - barred[topic]]
    shares = share_topics({topic: sizes[topic] for topic in able}, loads, seed=pool.seed, barred=barred)
    created = Assignment.objects.bulk_create(
        Assignment(pool=pool, topic=topic, assessor_id=assessor, kind=kind, assigned_by=by)
        for topic, assessor in sorted(shares.items())
    )
    lay_out_items(assignments=created)
    return Succession(tuple(created), tuple(topic for topic in sorted(topics) if topic not in able))
