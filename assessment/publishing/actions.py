"""Publish judgments as qrels, with pseudonyms for assessors."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from django.db import transaction
from django.db.models import Min
from django.urls import reverse

from assessment.core.consolidation import ConsolidationRule, consolidate, is_nominal
from assessment.models.assignment import Assignment
from assessment.models.exclusion import Exclusion
from assessment.models.judgment import Judgment
from assessment.models.purposes import AssignmentKind, Purpose
from assessment.models.slot import Slot
from evaluation.collections.seen import Seen
from evaluation.platform.access.people import User
from evaluation.results.qrels.actions import GradedPair, publish_qrels
from evaluation.results.qrels.models import Qrels, QrelsKind
from evaluation.submissions.pools.models import PoolItem
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task
from evaluation.tracks.work.operations.actions import (
    OperationKind,
    OperationResult,
    register_operation,
    start_operation,
)
from evaluation.tracks.work.operations.models import Operation
from trackside.criteria import NOMINAL
from trackside.findings.provenance import ExcludedJudgments, Overlap, PeopleProvenance


class Graded(NamedTuple):
    """The fields of a judgment that publishing reads; assessor and criteria are primary keys."""

    pk: int
    topic: str
    docno: str
    assessor: int
    purpose: str
    grade: int | None
    reason: str
    criteria: int
    shown_sha256: str = ""
    seen: str = ""

    @property
    def has_answer(self) -> bool:
        """Whether it is a grade or the nominal answer."""
        return self.grade is not None or self.reason.startswith(NOMINAL)


Pair = tuple[str, str]
Judged = dict[Pair, Graded]
JudgmentsByPair = dict[Pair, list[Graded]]
Turns = dict[tuple[str, str | None, int], int]


def find_pseudonyms(*, task: Task) -> dict[int, str]:
    """Return A1, A2 ... by account, in order of first judgments; stable, because events are never deleted."""
    judgments = Judgment.objects.filter(task=task).order_by()
    firsts = judgments.values("assessor").annotate(first=Min("pk")).order_by("first")
    assessors = firsts.values_list("assessor", flat=True)
    return {assessor: f"A{number}" for number, assessor in enumerate(assessors, start=1)}


SECOND_RULE = "second: the current judgment of the topic's second assessor"


@transaction.atomic
def publish_judgments(
    *, task: Task, by: User, rule: ConsolidationRule = ConsolidationRule.OWNER
) -> list[Qrels]:
    """Publish people's qrels of the task and, if topics were graded twice, those of the second assessors.

    People's qrels cover the union of the task's pools; ``rule`` combines several grades of a pair. A pair
    without a grade is a gap: "nominal" if the rule gives the answer beside the grades, "cannot_judge",
    "needs_adjudication" if the rule gives no answer, or "unjudged" without a judgment. Assessors appear
    by pseudonym: A1 judged first in the task. A third person's grades go into the provenance of people's
    qrels, for the report's sentence on a favour, and into no qrels.
    Raises NothingToPublish if no pair has a grade.
    """
    owners, seconds = _turns(task, AssignmentKind.OWNER), _turns(task, AssignmentKind.SECOND)
    rows = Judgment.objects.filter(task=task).counted().values_list(*Graded._fields)
    events = sorted(Graded(*row) for row in rows.iterator())  # in order of arrival
    current = [judgment for judgment in events if judgment.purpose == Purpose.WORK]
    first, second = _judged(current, owners), _judged(current, seconds)
    # A second assessor may own the topic in a later pool: count each judgment once.
    second = {pair: judgment for pair, judgment in second.items() if judgment != first.get(pair)}
    overlap = _overlap(first, second)
    pools = task.pools.for_qrels()
    pooled = set(PoolItem.objects.filter(pool__in=pools).values_list("topic", "docno"))
    third = _third(events)
    judgments = _single(first) if rule == ConsolidationRule.OWNER else _all(events, owners | seconds)
    published = [_publish(task, QrelsKind.HUMAN, rule, rule.words, pooled, judgments, overlap, by, third)]
    topics = {topic for topic, docno, _ in seconds if docno is None}
    if any(judgment.grade is not None for judgment in second.values()):
        pairs = {pair for pair in pooled if pair in second or pair[0] in topics}
        kind = QrelsKind.SECOND
        published.append(
            _publish(task, kind, ConsolidationRule.OWNER, SECOND_RULE, pairs, _single(second), overlap, by)
        )
    return published


def _turns(task: Task, kind: AssignmentKind) -> Turns:
    """Return the precedence of owners or of second assessors: by assignment, then by turn of leased items."""
    assignments = Assignment.objects.filter(pool__task=task, kind=kind).order_by("pk")
    by_topic = [(topic, None, assessor) for topic, assessor in assignments.values_list("topic", "assessor")]
    slots = Slot.objects.filter(pool__task=task, assignment__isnull=False, expires_at__isnull=True)
    slots = slots.filter(turn=0) if kind == AssignmentKind.OWNER else slots.filter(turn__gt=0)
    by_items = slots.order_by("turn", "pk").values_list("topic", "docno", "assignment__assessor")
    return {key: turn for turn, key in enumerate(dict.fromkeys([*by_topic, *by_items]))}


def _judged(current: Iterable[Graded], turns: Turns) -> Judged:
    """Return the judgment that counts for each pair: the answer of the assessor who was assigned first.

    If nobody gave an answer, it is the reason of the assessor who was assigned first.
    """
    ranked = [
        (turns[key], row)
        for row in current
        for key in ((row.topic, None, row.assessor), (row.topic, row.docno, row.assessor))
        if key in turns
    ]
    judged: Judged = {}
    for _, row in sorted(ranked, key=lambda entry: (not entry[1].has_answer, entry[0])):
        judged.setdefault((row.topic, row.docno), row)
    return judged


def _overlap(first: Judged, second: Judged) -> Overlap:
    shared = [
        pair
        for pair in first.keys() & second.keys()
        if first[pair].grade is not None and second[pair].grade is not None
    ]
    return Overlap(topics=len({topic for topic, _ in shared}), pairs=len(shared))


def _third(events: Iterable[Graded]) -> dict[str, dict[str, int]]:
    """Return a third person's grades by topic and docno; of several persons the first one's."""
    third: dict[str, dict[str, int]] = {}
    for row in events:
        if row.purpose == Purpose.CHECK and row.grade is not None:
            third.setdefault(row.topic, {}).setdefault(row.docno, row.grade)
    return third


def _single(judged: Judged) -> JudgmentsByPair:
    return {pair: [judgment] for pair, judgment in judged.items()}


def _all(events: Iterable[Graded], turns: Turns) -> JudgmentsByPair:
    """Return all assigned assessors' judgments of a pair, or only the adjudicated one if it exists."""
    judgments: dict[Pair, list[Graded]] = defaultdict(list)
    settled: dict[Pair, Graded] = {}
    for judgment in events:
        pair = (judgment.topic, judgment.docno)
        if judgment.purpose == Purpose.ADJUDICATION and judgment.has_answer:
            settled[pair] = judgment
        elif judgment.purpose == Purpose.WORK and (
            (judgment.topic, None, judgment.assessor) in turns or (*pair, judgment.assessor) in turns
        ):
            judgments[pair].append(judgment)
    return judgments | _single(settled)


def _publish(
    task: Task,
    kind: QrelsKind,
    rule: ConsolidationRule,
    words: str,
    pairs: set[Pair],
    judgments: JudgmentsByPair,
    overlap: Overlap,
    by: User,
    third: dict[str, dict[str, int]] | None = None,
) -> Qrels:
    rows = [row for pair in pairs & judgments.keys() for row in judgments[pair]]
    names, criteria = find_pseudonyms(task=task), task.criteria.in_bulk()
    graded = [_graded(pair, judgments.get(pair, []), rule, criteria) for pair in pairs]
    nominal = Counter(row.topic for row in graded if row.outcome == NOMINAL)
    provenance = PeopleProvenance(
        rule=words,
        pools=tuple(task.pools.for_qrels().values_list("name", flat=True)),
        criteria=tuple(sorted({criteria[row.criteria].version for row in rows})),
        assessors=dict(sorted(Counter(names[row.assessor] for row in rows).items())),
        overlap=overlap,
        excluded=tuple(_excluded(task, names)),
        nominal_name=Criteria.objects.current(task).nominal_name if nominal else "",
        nominal=dict(sorted(nominal.items())),
        third=third or {},
    )
    return publish_qrels(task=task, name=kind.label, kind=kind, pairs=graded, provenance=provenance, by=by)


def _excluded(task: Task, names: dict[int, str]) -> Iterable[ExcludedJudgments]:
    for row in Exclusion.objects.in_force().filter(task=task).order_by("pk"):
        yield ExcludedJudgments(
            assessor=names[row.assessor_id],
            count=row.judgments.count(),
            reason=row.reason,
            topic=row.topic,
            since=row.since.isoformat() if row.since else None,
            until=row.until.isoformat() if row.until else None,
        )


def _graded(
    pair: Pair, judgments: list[Graded], rule: ConsolidationRule, criteria: dict[int, Criteria]
) -> GradedPair:
    answers = [judgment.grade for judgment in judgments if judgment.has_answer]
    if is_nominal(answers, rule):
        return GradedPair(*pair, None, raw_score=None, outcome=NOMINAL)
    scale = frozenset[int]().union(*(criteria[judgment.criteria].scale for judgment in judgments))
    grade = consolidate(answers, rule, scale)
    if grade is not None:
        return GradedPair(*pair, grade, None, "ok", *_seen(judgments))
    gap = "needs_adjudication" if answers else "cannot_judge" if judgments else "unjudged"
    return GradedPair(*pair, None, raw_score=None, outcome=gap)


def _seen(judgments: list[Graded]) -> tuple[str, str]:
    """Return the hash of what all graders of a pair saw and the least of it; empty if hashes differ."""
    of_grades = [judgment for judgment in judgments if judgment.grade is not None]
    hashes = {judgment.shown_sha256 for judgment in of_grades}
    if len(hashes) > 1 or "" in hashes:
        return "", ""
    is_part = any(judgment.seen == Seen.PART for judgment in of_grades)
    return hashes.pop(), Seen.PART if is_part else Seen.WHOLE


PUBLISH = "judgments_publish"


def request_publication(*, task: Task, rule: ConsolidationRule, by: User) -> Operation:
    """Queue a publication of the judgments stored when a worker runs it. Raises OperationUnderWay."""
    return start_operation(task=task, kind=PUBLISH, options={"rule": rule}, by=by)


def _run_publication(operation: Operation) -> OperationResult:
    rule = ConsolidationRule(operation.options["rule"])
    published = publish_judgments(task=operation.task, by=operation.requested_by, rule=rule)
    names = ", ".join(f"{qrels} with {qrels.graded_count:,} graded" for qrels in published)
    return OperationResult(f"Published {names}.")


def _published(operation: Operation) -> str:
    page = reverse("judging_progress", args=[operation.task.track.slug, operation.task.slug])
    return f"{page}#published"


def register_operations() -> None:
    """Register the kind of operation."""
    register_operation(
        OperationKind(PUBLISH, "Publish people's qrels", _run_publication, _published, "Published qrels")
    )
