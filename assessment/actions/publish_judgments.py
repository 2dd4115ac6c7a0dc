"""Publish what people judged as qrels."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from django.db import transaction

from assessment.models import Assignment, Judgment, Kind, Slot
from evaluation.actions.publish_qrels import GradedPair, publish_qrels
from evaluation.models import PoolItem, QrelsKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from evaluation.models import Qrels, Task, User

    Pair = tuple[str, str]
    Judged = dict[Pair, Judgment]
    Turns = dict[tuple[str, str | None, int], int]  # (topic, docno or all of it, assessor) -> how early

FIRST_RULE = "owner: the current judgment of the topic's first assessor"
SECOND_RULE = "second: the current judgment of the topic's second assessor"


@transaction.atomic
def publish_judgments(*, task: Task, by: User) -> list[Qrels]:
    """Publish the task's people's qrels and, where a topic was graded twice, those of the second assessors.

    The people's qrels cover the union of the task's pools. A pair without a grade is a gap: "cannot_judge",
    or "unjudged" where its assessor has not come to it. Assessors appear by pseudonym: A1 is whoever judged
    first in the task. NothingToPublish when the first assessors gave no grade.
    """
    owners, seconds = _turns(task, Kind.OWNER), _turns(task, Kind.SECOND)
    current = list(Judgment.objects.filter(task=task).of_work().current().select_related("criteria"))
    first, second = _judged(current, owners), _judged(current, seconds)
    # Who judged a pair as its second assessor may own the topic in a later pool: one judgment counts once.
    second = {pair: judgment for pair, judgment in second.items() if judgment != first.get(pair)}
    overlap = _overlap(first, second)
    pooled = set(PoolItem.objects.filter(pool__task=task).values_list("topic", "docno"))
    made = [_publish(task, QrelsKind.HUMAN, FIRST_RULE, pooled, first, overlap, by)]
    topics = {topic for topic, docno, _ in seconds if docno is None}
    if any(judgment.grade is not None for judgment in second.values()):
        twice = {pair for pair in pooled if pair in second or pair[0] in topics}
        made.append(_publish(task, QrelsKind.SECOND, SECOND_RULE, twice, second, overlap, by))
    return made


def _turns(task: Task, kind: Kind) -> Turns:
    """Who counts how early for what: the owners, or the second assessors; item by item as the turns say."""
    assignments = Assignment.objects.filter(pool__task=task, kind=kind).order_by("pk")
    whole = [(topic, None, assessor) for topic, assessor in assignments.values_list("topic", "assessor")]
    slots = Slot.objects.filter(pool__task=task, assignment__isnull=False, expires_at__isnull=True)
    slots = slots.filter(turn=0) if kind == Kind.OWNER else slots.filter(turn__gt=0)
    by_items = slots.order_by("turn", "pk").values_list("topic", "docno", "assignment__assessor")
    return {given: turn for turn, given in enumerate(dict.fromkeys([*whole, *by_items]))}


def _judged(current: Iterable[Judgment], turns: Turns) -> Judged:
    """The judgment that counts for each pair: that of the earliest assigned assessor who has one."""
    mine = [
        (turns[given], each)
        for each in current
        for given in ((each.topic, None, each.assessor_id), (each.topic, each.docno, each.assessor_id))
        if given in turns
    ]
    judged: Judged = {}
    for _, each in sorted(mine, key=lambda found: found[0]):
        judged.setdefault((each.topic, each.docno), each)
    return judged


def _overlap(first: Judged, second: Judged) -> dict[str, int]:
    shared = [
        pair
        for pair in first.keys() & second.keys()
        if first[pair].grade is not None and second[pair].grade is not None
    ]
    return {"topics": len({topic for topic, _ in shared}), "pairs": len(shared)}


def _publish(
    task: Task,
    kind: QrelsKind,
    rule: str,
    pairs: set[Pair],
    judged: Judged,
    overlap: dict[str, int],
    by: User,
) -> Qrels:
    counted = [judged[pair] for pair in pairs & judged.keys()]
    names = _pseudonyms(task)
    provenance: dict[str, Any] = {
        "rule": rule,
        "pools": list(task.pools.values_list("name", flat=True)),
        "criteria": sorted({each.criteria.version for each in counted}),
        "assessors": dict(sorted(Counter(names[each.assessor_id] for each in counted).items())),
        "overlap": overlap,
    }
    return publish_qrels(
        task=task, name=kind.label, kind=kind, pairs=_graded(pairs, judged), provenance=provenance, by=by
    )


def _pseudonyms(task: Task) -> dict[int, str]:
    """A1, A2 ... in the order of first judgments: events are never deleted, so a pseudonym stays."""
    assessors = Judgment.objects.filter(task=task).order_by("pk").values_list("assessor", flat=True)
    return {assessor: f"A{number}" for number, assessor in enumerate(dict.fromkeys(assessors), start=1)}


def _graded(pairs: set[Pair], judged: Judged) -> Iterator[GradedPair]:
    for topic, docno in pairs:
        judgment = judged.get((topic, docno))
        grade = judgment.grade if judgment else None
        gap = "cannot_judge" if judgment else "unjudged"
        yield GradedPair(topic, docno, grade, raw_score=None, outcome=gap if grade is None else "ok")
