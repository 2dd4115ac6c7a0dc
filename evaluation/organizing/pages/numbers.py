"""The page of a test collection's numbers: texts, pictures, and relevant documents of its topics."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.collections.models import Document
from evaluation.organizing.pages.track import find_collection
from evaluation.results.qrels.models import Qrels, QrelsKind
from evaluation.tracks.models import Task
from evaluation.tracks.work.table_rows import RowCount, count_rows
from trackside.auditing.numbers import RecordNumbers, describe, in_bars
from trackside.figures.svg.bars import counts_svg

MEASURED = 2_000  # documents; of more, so many from blocks of the table with about twice the number
LENGTHS = (0, 1, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000)  # words: the least of each bar
RELEVANT = (0, 1, 2, 5, 10, 20, 50, 100, 200)  # documents: the least of each bar
SAMPLE = """
    SELECT id, fields, image_id, more_images FROM evaluation_document TABLESAMPLE SYSTEM (%s) REPEATABLE (1)
    WHERE collection_id = %s ORDER BY md5(docno) LIMIT %s
"""


@dataclass(frozen=True)
class Figure:
    """A chart of counts; ``note`` has them in words."""

    title: str
    note: str
    svg: str


@dataclass(frozen=True)
class Side:
    """The topics or the documents: their number, and the numbers of those that were measured."""

    noun: str
    count: RowCount
    of: RecordNumbers

    @property
    def is_sampled(self) -> bool:
        """Whether not all records were measured."""
        return self.of.count < self.count.number

    @property
    def heading(self) -> str:
        """The heading of the fields."""
        return f"Words of the {self.noun}s, by field"

    @property
    def worded(self) -> float:
        """The per cent of measured records with a word."""
        return self._percent(sum(map(bool, self.of.lengths)))

    @property
    def pictured(self) -> float:
        """The per cent of measured records with a picture."""
        return self._percent(self.of.pictured_count)

    @property
    def pictures(self) -> float:
        """The mean number of pictures of those with one."""
        return self.of.picture_count / max(self.of.pictured_count, 1)

    def _percent(self, number: int) -> float:
        return 100 * number / max(self.of.count, 1)

    @property
    def figures(self) -> list[Figure]:
        """The figures that tell something."""
        figures = []
        if any(self.of.lengths):
            figures.append(_figure(f"Words of a {self.noun}", in_bars(self.of.lengths, LENGTHS)))
        if any(number > 1 for number in self.of.pictures):
            bars = [(str(number), count) for number, count in self.of.pictures.items()]
            figures.append(_figure(f"Pictures of a {self.noun}", bars))
        return figures


@dataclass(frozen=True)
class Grades:
    """A set of people's grades, and the number of relevant documents of each topic."""

    qrels: Qrels
    relevant: Sequence[int]

    @property
    def mean(self) -> float:
        """The mean number of relevant documents of a topic."""
        return sum(self.relevant) / max(len(self.relevant), 1)

    @property
    def without_count(self) -> int:
        """The number of topics without a relevant document."""
        return sum(number == 0 for number in self.relevant)

    @property
    def figure(self) -> Figure:
        """The topics by their number of relevant documents."""
        return _figure(f"Relevant documents of a topic, {self.qrels}", in_bars(self.relevant, RELEVANT))


@require_safe
def collection_numbers(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """Show tables and figures of topics, documents and people's grades, to those who see the collection."""
    track_task = find_collection(request, track, task)
    documents = Document.objects.filter(collection=track_task.collection_id)
    sides = [_side("topic", track_task.topics.active()), _side("document", documents)]
    context = {"task": track_task, "sides": sides, "grades": _grades(track_task)}
    return render(request, "evaluation/pages/collection_numbers.html", context)


def _side(noun: str, items: QuerySet[Any]) -> Side:
    count = count_rows(items)
    rows: Any = items.order_by().only("fields", "image_id", "more_images")
    if count.number > MEASURED and items.model is Document:
        share = min(100.0, 200 * MEASURED / count.number)
        rows = Document.objects.raw(SAMPLE, [share, items[0].collection_id, MEASURED])
    return Side(noun, count, describe((item.fields, item.image_count) for item in rows))


def _grades(task: Task) -> list[Grades]:
    is_relevant = Q(grade__gte=task.relevance_level)
    found = []
    for qrels in Qrels.objects.filter(task=task, kind=QrelsKind.HUMAN).current():
        pairs = qrels.pairs.graded().filter(topic__in=task.topics.active().values("number"))
        topics = pairs.order_by().values("topic").annotate(relevant=Count("pk", filter=is_relevant))
        found.append(Grades(qrels, list(topics.values_list("relevant", flat=True))))
    return found


def _figure(title: str, bars: Sequence[tuple[str, int]]) -> Figure:
    note = "; ".join(f"{name}: {count:,}" for name, count in bars)
    slug = "".join(letter if letter.isalnum() else "-" for letter in title.casefold())
    return Figure(title, note, counts_svg(bars, name=slug, title=title, desc=note))
