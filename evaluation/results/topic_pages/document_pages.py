"""The page of a document, and the search for documents by words."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.contrib.postgres.search import SearchQuery, SearchRank
from django.db import connection
from django.db.models import BinaryField, Func, IntegerField, Q, QuerySet, Value
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from evaluation.collections.chosen_fields import ChosenFields
from evaluation.collections.models import WORDS, Collection, Document
from evaluation.platform.access.people import User, organizes
from evaluation.results.qrels.models import Qrels, QrelsPair
from evaluation.results.topic_pages.lookups import beginning_of, shown_runs, visible_topics
from evaluation.results.values.leaderboard import qrels_to_choose
from evaluation.submissions.runs.models import Run
from evaluation.submissions.runs.rankings import HEAD, Ranking
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.lookups import find_explored_task
from evaluation.tracks.models import Task
from evaluation.tracks.panels import likeness_of
from trackside.figures.shades import Shade, shade_of

NUMBER = 8  # bytes of a document's number in a head
MOST_RUNS = 10  # named for each topic


@dataclass(frozen=True)
class TopicLine:
    """A topic for which the document was graded or retrieved; runs as (rank, run), best first."""

    key: int
    number: str
    grades: list[tuple[Qrels, Shade]]
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
    shown = record.shown(ChosenFields.objects.document_roles(track_task.collection_id))
    context = {
        "task": track_task,
        "document": record,
        "is_organizer": organizes(request.user, track_task.track_id),
        "texts": [(name.replace("_", " "), text) for name, text in shown.texts],
        "digest": shown.digest,
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


def _grades(task: Task, docno: str, choices: Sequence[Qrels]) -> dict[str, list[tuple[Qrels, Shade]]]:
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
                    grades[topic].append((qrels, shade_of(grade, scale)))
    return grades


MOST_MATCHES = 100  # ranked; a frequent word has more, and PostgreSQL reads the text of each to rank it
MOST_READ = 1_000  # documents whose text is read for a phrase; each takes 0.1 ms
MOST_SHOWN = 60
PHRASE = re.compile(r"<(?:-|\d+)>")  # between two words of a phrase
LONGEST = 200  # characters
LONGEST_KEY = 18  # digits of a primary key
TEXT = 200  # characters of a document's text


@dataclass(frozen=True)
class Hits:
    """The documents with all the words, best first, and whether there are more than were ranked.

    ``read_count`` documents were read for a phrase, if others with its words were not.
    """

    documents: list[tuple[Document, str]]
    count: int
    has_more: bool
    read_count: int | None


@require_safe
def document_list(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """Search the collection by the words in the URL, or list the documents most like the one in it."""
    track_task = find_explored_task(request, track, task)
    words = request.GET.get("q", "").strip()[:LONGEST]
    context = {
        "task": track_task,
        "words": words,
        "hits": search(track_task.collection, words) if words else None,
        "longest": LONGEST,
        **_alike(track_task, request.user, request.GET.get("like", "")),
    }
    return render(request, "evaluation/topic_pages/document_list.html", context)


def _alike(task: Task, reader: User | AnonymousUser, key: str) -> dict[str, Any]:
    """Return the document of this key and those that are most like it; nothing for an empty key."""
    if not key:
        return {}
    documents = Document.objects.filter(collection=task.collection)
    likeness = likeness_of(task, reader)
    if likeness is None or not key.isdecimal() or len(key) > LONGEST_KEY:
        raise Http404
    document = get_object_or_404(documents, pk=key)
    docnos = likeness(document.docno)
    alike = {row.docno: row for row in documents.filter(docno__in=docnos).select_related("image")}
    return {"document": document, "alike": [_hit(alike[docno]) for docno in docnos if docno in alike]}


def _hit(document: Document) -> tuple[Document, str]:
    return document, beginning_of(document.summary, TEXT)


def search(collection: Collection, words: str) -> Hits:
    """Return the documents with these words (English word stems), or with the words as their docno.

    ``"two words"`` finds a phrase, ``-word`` leaves documents out, ``or`` joins alternatives.
    """
    query = SearchQuery(words, config="english", search_type="websearch")
    # Without an order, so that PostgreSQL reads the index of words and stops after the first matches.
    documents = Document.objects.filter(collection=collection).annotate(words=WORDS).order_by()
    matches, read_count = _matches(documents, query, _positive_part(words))
    named = documents.filter(docno=words)
    keys = {*matches[:MOST_MATCHES], *named.values_list("pk", flat=True)}
    ranked = Document.objects.filter(pk__in=keys).annotate(
        is_named=Q(docno=words), rank=SearchRank(WORDS, query)
    )
    page = ranked.order_by("-is_named", "-rank", "docno").select_related("image")[:MOST_SHOWN]
    return Hits([_hit(row) for row in page], len(keys), len(matches) > MOST_MATCHES, read_count)


def _matches(documents: QuerySet[Any], query: SearchQuery, tree: str) -> tuple[list[int], int | None]:
    """Return up to MOST_MATCHES + 1 primary keys, and the number of texts read if others were not read.

    The index has no positions, so a phrase is looked for in the texts of documents with its words.
    """
    if not PHRASE.search(tree):
        return list(documents.filter(words=query).values_list("pk", flat=True)[: MOST_MATCHES + 1]), None
    loose = SearchQuery(PHRASE.sub("&", tree), config="simple", search_type="raw")  # they are stems already
    read = list(documents.filter(words=loose).values_list("pk", flat=True)[:MOST_READ])
    # A column, not a filter: for that PostgreSQL would read the index again, and all texts that it names.
    texts = Document.objects.filter(pk__in=read).annotate(words=WORDS, is_match=Q(words=query)).order_by()
    keys = [key for key, is_match in texts.values_list("pk", "is_match") if is_match]
    return keys[: MOST_MATCHES + 1], len(read) if len(read) == MOST_READ else None


def _positive_part(words: str) -> str:
    """Return the query without what documents must not have, as PostgreSQL writes it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT querytree(websearch_to_tsquery('english', %s))", [words])
        return str(cursor.fetchone()[0])
