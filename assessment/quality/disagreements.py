"""Items on which people, or people and a model, disagree; ungraded and flagged items."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from assessment.models.aggregates import JudgedItem
from assessment.models.judgment import CannotJudge, Judgment
from assessment.models.purposes import Purpose
from assessment.models.remark import Remark, apply_remarks
from evaluation.qrels.models import Qrels, QrelsPair
from evaluation.tracks.models import Task

Event = TypeVar("Event", Judgment, Remark)


Pair = tuple[str, str]  # topic and docno


@dataclass(frozen=True)
class Disagreement:
    """An item with its judgments in order of time, the adjudicated one, and remarks without a judgment.

    ``judge_grade`` is the grade of the model that people are compared with; null without one.
    """

    topic: str
    docno: str
    judgments: tuple[Judgment, ...]
    is_flagged: bool
    adjudicated: Judgment | None
    remarks: tuple[Remark, ...] = ()
    judge_grade: int | None = None

    @property
    def pair(self) -> Pair:
        """Topic and docno."""
        return self.topic, self.docno

    @property
    def is_refused(self) -> bool:
        """Whether nobody could judge it."""
        return bool(self.judgments) and all(each.grade is None for each in self.judgments)

    @property
    def is_unseen(self) -> bool:
        """Whether an assessor reports that its image does not show."""
        return any(each.reason == CannotJudge.IMAGE for each in self.judgments)

    @property
    def grades(self) -> list[int]:
        """People's grades."""
        return [each.grade for each in self.judgments if each.grade is not None]

    @property
    def distance(self) -> int:
        """The difference between the highest and the lowest grade of people; 0 without grades."""
        return max(self.grades, default=0) - min(self.grades, default=0)

    @property
    def judge_distance(self) -> int:
        """The largest difference between the model's grade and one of people; 0 without either."""
        if self.judge_grade is None:
            return 0
        return max((abs(grade - self.judge_grade) for grade in self.grades), default=0)


def find_disagreements(
    *, task: Task, items: Iterable[JudgedItem] | None = None, qrels: Qrels | None = None
) -> list[Disagreement]:
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
    return [
        Disagreement(
            *(pair := (item.topic, item.docno)),
            tuple(given[pair]),
            item.is_flagged,
            adjudicated.get(pair),
            tuple(remarks[pair]),
            machine.get(pair),
        )
        for item in chosen
    ]


def _by_pair(events: Iterable[Event]) -> defaultdict[tuple[str, str], list[Event]]:
    found: defaultdict[tuple[str, str], list[Event]] = defaultdict(list)
    for each in events:
        found[each.topic, each.docno].append(each)
    return found
