"""The search for documents of a collection by their words."""

from dataclasses import dataclass

from django.contrib.postgres.search import SearchQuery, SearchRank
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.collections.models import WORDS, Collection, Document
from evaluation.topic_pages.lookups import beginning_of
from evaluation.tracks.lookups import find_explored_task

MOST_MATCHES = 100  # ranked; a frequent word has more, and PostgreSQL reads the text of each to rank it
MOST_SHOWN = 60
LONGEST = 200  # characters
TEXT = 200  # characters of a document's text


@dataclass(frozen=True)
class Hits:
    """The documents with all the words, best first, and whether there are more than were ranked."""

    documents: list[tuple[Document, str]]
    count: int
    has_more: bool


@require_safe
def document_list(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """Search the collection by the words in the URL."""
    found = find_explored_task(request, track, task)
    words = request.GET.get("q", "").strip()[:LONGEST]
    hits = search(found.collection, words) if words else None
    context = {"task": found, "words": words, "hits": hits, "longest": LONGEST}
    return render(request, "evaluation/topic_pages/document_list.html", context)


def search(collection: Collection, words: str) -> Hits:
    """Return the documents with these words (English word stems), or with the words as their docno.

    ``"two words"`` finds a phrase, ``-word`` leaves documents out, ``or`` joins alternatives. The index has
    no positions, so phrases of frequent words are slower: their documents are read one by one.
    """
    query = SearchQuery(words, config="english", search_type="websearch")
    # Without an order, so that PostgreSQL reads the index of words and stops after the first matches.
    documents = Document.objects.filter(collection=collection).annotate(words=WORDS).order_by()
    matches = list(documents.filter(words=query).values_list("pk", flat=True)[: MOST_MATCHES + 1])
    named = documents.filter(docno=words)
    keys = {*matches[:MOST_MATCHES], *named.values_list("pk", flat=True)}
    ranked = Document.objects.filter(pk__in=keys).annotate(
        is_named=Q(docno=words), rank=SearchRank(WORDS, query)
    )
    shown = ranked.order_by("-is_named", "-rank", "docno").select_related("image")[:MOST_SHOWN]
    return Hits(
        [(document, beginning_of(document.summary, TEXT)) for document in shown],
        len(keys),
        len(matches) > MOST_MATCHES,
    )
