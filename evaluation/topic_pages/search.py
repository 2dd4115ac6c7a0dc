"""The search for documents of a collection by their words, and by likeness."""

import re
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.contrib.postgres.search import SearchQuery, SearchRank
from django.db import connection
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from evaluation.access.people import User
from evaluation.collections.models import WORDS, Collection, Document
from evaluation.panels import likeness_of
from evaluation.topic_pages.lookups import beginning_of
from evaluation.tracks.lookups import find_explored_task
from evaluation.tracks.models import Task

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
