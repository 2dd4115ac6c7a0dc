"""Items on which people, or people and a model, disagree; ungraded and flagged items."""

from collections import defaultdict
from collections.abc import Iterable
from typing import TypeVar

from assessment.models.aggregates import JudgedItem
from assessment.models.judgment import Judgment
from assessment.models.purposes import Purpose
from assessment.models.remark import Remark, apply_remarks
from evaluation.qrels.models import Qrels, QrelsPair
from evaluation.tracks.models import Task

Event = TypeVar("Event", Judgment, Remark)
Pair = tuple[str, str]  # topic and docno


def find_disagreements(
    *, task: Task, items: Iterable[JudgedItem] | None = None, qrels: Qrels | None = None
) -> list[JudgedItem]:
    """Return the disputed items with their judgments, in the order of ``JudgedItem.objects.disputed()``.

    ``items`` are those to read, such as one page; None reads all of the task. ``qrels`` are a model's grades
    to show beside people's. A flag on a repeated item counts for the item.
    """
    chosen = list(JudgedItem.objects.filter(task=task).disputed() if items is None else items)
    current = Judgment.objects.filter(task=task, kept__item__in=chosen).select_related("assessor")
    judgments = list(current.order_by("pk"))
    near = {"topic__in": {item.topic for item in chosen}, "docno__in": {item.docno for item in chosen}}
    said = Remark.objects.filter(task=task, **near).current().select_related("assessor")
    unjudged = apply_remarks(judgments, said)
    given = _by_pair(each for each in judgments if each.purpose == Purpose.WORK)
    remarks = _by_pair(each for each in unjudged if each.is_flagged or each.purpose != Purpose.ADJUDICATION)
    settled = [each for each in judgments if each.purpose == Purpose.ADJUDICATION and each.grade is not None]
    adjudicated = {(each.topic, each.docno): each for each in settled}
    graded = QrelsPair.objects.filter(qrels=qrels, **near) if qrels else QrelsPair.objects.none()
    machine = {(topic, docno): grade for topic, docno, grade in graded.values_list("topic", "docno", "grade")}
    for item in chosen:
        pair = (item.topic, item.docno)
        item.judgments, item.remarks = tuple(given[pair]), tuple(remarks[pair])
        item.adjudicated, item.judge_grade = adjudicated.get(pair), machine.get(pair)
    return chosen


def _by_pair(events: Iterable[Event]) -> defaultdict[tuple[str, str], list[Event]]:
    found: defaultdict[tuple[str, str], list[Event]] = defaultdict(list)
    for each in events:
        found[each.topic, each.docno].append(each)
    return found
