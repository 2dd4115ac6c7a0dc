"""What became of grades: those that an adjudicator settled otherwise."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery

from assessment.models.aggregates import CurrentJudgment, JudgedItem
from assessment.models.feedback import FeedbackNote
from assessment.models.purposes import Purpose
from evaluation.platform.access.people import User
from evaluation.tracks.models import Task


@dataclass(frozen=True)
class Outcomes:
    """How many items a person judged, an adjudicator settled, and settled otherwise than the person."""

    judged: int
    settled: int
    changed: int


def _settled(item: str) -> Subquery:
    """The grade of the item's latest adjudication."""
    rows = CurrentJudgment.objects.filter(item=OuterRef(item), purpose=Purpose.ADJUDICATION)
    return Subquery(rows.filter(grade__isnull=False).order_by("-judgment_id").values("grade")[:1])


def _note(topic: str, docno: str) -> Subquery:
    notes = FeedbackNote.objects.filter(task=OuterRef("task"), topic=OuterRef(topic), docno=OuterRef(docno))
    return Subquery(notes.values("words"))


def own_judgments(task: Task, assessor: User) -> QuerySet[Any]:
    """Return the person's current judgments with ``settled``, the settled grade or None, and ``note``."""
    annotations: dict[str, Any] = {"settled": _settled("item"), "note": _note("item__topic", "item__docno")}
    rows = CurrentJudgment.objects.filter(task=task, assessor=assessor, purpose=Purpose.WORK)
    return (
        rows.annotate(**annotations).order_by("item__topic", "item__docno").select_related("item", "judgment")
    )


HAS_GRADE = Q(settled__isnull=False)
IS_CHANGED = HAS_GRADE & ~Q(grade=F("settled"), grade__isnull=False)


def count_outcomes(judgments: QuerySet[Any]) -> Outcomes:
    """Count what `own_judgments` returns."""
    counts = {"judged": Count("pk"), "settled": Count("pk", filter=Q(settled__isnull=False))}
    rows = judgments.order_by().aggregate(**{f"{name}_count": of for name, of in counts.items()})
    return Outcomes(rows["judged_count"], rows["settled_count"], judgments.filter(IS_CHANGED).count())


def changed_items(task: Task) -> QuerySet[Any]:
    """Return the settled items that an assessor judged otherwise, with ``settled`` and ``note``."""
    annotations: dict[str, Any] = {"settled": _settled("pk"), "note": _note("topic", "docno")}
    others = CurrentJudgment.objects.filter(item=OuterRef("pk"), purpose=Purpose.WORK)
    others = others.filter(Q(grade__isnull=True) | ~Q(grade=OuterRef("settled")))
    rows = JudgedItem.objects.filter(task=task, is_settled=True).annotate(**annotations)
    return rows.filter(Exists(others), HAS_GRADE).order_by("topic", "docno")
