"""The page of a document, and the search for documents by words."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from django.contrib.auth.models import AnonymousUser
from django.db.models import BinaryField, Func, IntegerField, Value
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from evaluation.access.people import User
from evaluation.collections.models import Document
from evaluation.imports.models import ChosenFields
from evaluation.panels import likeness_of
from evaluation.qrels.models import Qrels, QrelsPair
from evaluation.runs.models import Run
from evaluation.runs.rankings import HEAD, Ranking
from evaluation.topic_pages.comparison import Mark, mark_of
from evaluation.topic_pages.lookups import shown_runs, visible_topics
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.lookups import find_explored_task
from evaluation.tracks.models import Task
from evaluation.values.board import qrels_to_choose
from trackside.text.digest import make_digest

NUMBER = 8  # bytes of a document's number in a head
MOST_RUNS = 10  # named for each topic


@dataclass(frozen=True)
class TopicLine:
    """A topic for which the document was graded or retrieved; runs as (rank, run), best first."""

    key: int
    number: str
    grades: list[tuple[Qrels, Mark]]
    runs: list[tuple[int, Run]]

    @property
    def named(self) -> list[tuple[int, Run]]:
        """The runs with the best ranks."""
        return self.runs[:MOST_RUNS]

    @property
    def more_count(self) -> int:
        """The number of the others."""
        return len(self.runs[MOST_RUNS:])


@require_safe
def document_detail(request: HttpRequest, track: str, task: str, document: int) -> HttpResponse:
    """Show a document with its picture and texts, and the topics and runs that have it."""
    track_task = find_explored_task(request, track, task)
    documents = Document.objects.filter(collection=track_task.collection).select_related("image")
    record = get_object_or_404(documents, pk=document)
    context = {
        "task": track_task,
        "document": record,
        "is_organizer": Task.objects.organized_by(request.user).contains(track_task),
        "texts": [(name.replace("_", " "), text) for name, text in record.fields if text.strip()],
        "digest": make_digest(record.fields, ChosenFields.objects.document_roles(track_task.collection_id)),
        "lines": _lines(track_task, record.docno, request.user),
        "depth": HEAD,
        "is_compared": likeness_of(track_task, request.user) is not None,
        "has_runs": bool(shown_runs(track_task, request.user)),
    }
    return render(request, "evaluation/topic_pages/document_detail.html", context)


def _lines(task: Task, docno: str, reader: User | AnonymousUser) -> list[TopicLine]:
    """Return the visible topics that have the document in a run's head or in visible qrels."""
    ranks = _ranks(docno, shown_runs(task, reader))
    grades = _grades(task, docno, qrels_to_choose(task, reader))
    topics = visible_topics(task, reader).filter(number__in={*ranks, *grades})
    return [
        TopicLine(key, number, grades[number], sorted(ranks[number], key=lambda ranked: ranked[0]))
        for key, number in topics.values_list("pk", "number")
    ]


def _ranks(docno: str, runs: Sequence[Run]) -> dict[str, list[tuple[int, Run]]]:
    """Return (rank, run) by topic of the runs that have the document among their first HEAD results."""
    number = sha256(docno.encode()).digest()[:NUMBER]
    position = Func(
        Value(number, BinaryField()),
        "head",
        function="position",
        arg_joiner=" IN ",
        output_field=IntegerField(),
    )
    rankings = Ranking.objects.filter(run__in=runs).annotate(place=position).filter(place__gt=0)
    by_key = {run.pk: run for run in runs}
    ranks = defaultdict(list)
    for run, topic, byte in rankings.values_list("run", "topic", "place"):
        if byte % NUMBER == 1:
            ranks[topic].append((byte // NUMBER + 1, by_key[run]))
    return ranks


def _grades(task: Task, docno: str, choices: Sequence[Qrels]) -> dict[str, list[tuple[Qrels, Mark]]]:
    """Return the document's grades by topic, people's first."""
    grades = defaultdict(list)
    if choices:
        scale = Criteria.objects.current(task).scale
        topics = {topic for qrels in choices for topic in qrels.topics}
        pairs = QrelsPair.objects.graded().filter(qrels__in=choices, topic__in=topics, docno=docno)
        graded = {(key, topic): grade for key, topic, grade in pairs.values_list("qrels", "topic", "grade")}
        for qrels in choices:
            for topic in qrels.topics:
                if (grade := graded.get((qrels.pk, topic))) is not None:
                    grades[topic].append((qrels, mark_of(grade, scale)))
    return grades
