"""Topics of a list: judged pairs, best and median run, and a picture, as far as the reader may see them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.db.models import Count, Exists, OuterRef

from evaluation.collections.chosen_fields import ChosenFields
from evaluation.collections.models import Document, Topic, TopicQuerySet
from evaluation.platform.access.people import User, organizes
from evaluation.results.qrels.models import Qrels
from evaluation.results.topic_pages.lookups import beginning_of, people_and_judges
from evaluation.results.values.actions import shown_measures
from evaluation.results.values.leaderboard import qrels_to_choose, scored_runs, values_of
from evaluation.results.values.run_values import TopicRow, topic_rows
from evaluation.tracks.models import Task


@dataclass(frozen=True)
class TopicCard:
    """A topic of the list. ``values`` have the best and the median run; ``document`` is one of the best.

    Without visible grades of people ``judged_count`` and values are None, and the document is one that has
    words of the title, of a section those of its page's.
    """

    topic: Topic
    title: str
    over: str
    judged_count: int | None
    values: TopicRow | None
    document: Document | None


def strata_of(task: Task, reader: User | AnonymousUser, topics: TopicQuerySet) -> list[str]:
    """Return the strata of the topics; for organizers only before the release."""
    if not task.has_open_results and not organizes(reader, task.track_id):
        return []
    return list(topics.exclude(stratum="").order_by("stratum").values_list("stratum", flat=True).distinct())


def find_topics(topics: TopicQuerySet, words: str) -> TopicQuerySet:
    """Return the topics whose number or text has these words, in any case."""
    wanted = words.casefold()
    rows = topics.values_list("pk", "number", "fields")
    matches = [
        key
        for key, number, fields in rows
        if wanted in number.casefold() or any(wanted in text.casefold() for _, text in fields)
    ]
    return topics.filter(pk__in=matches)


def topic_cards(task: Task, reader: User | AnonymousUser, topics: Sequence[Topic]) -> list[TopicCard]:
    """Return what the reader may see of these topics."""
    roles = ChosenFields.objects.topic_roles(task.pk)
    people, _ = people_and_judges(qrels_to_choose(task, reader))
    numbers = [topic.number for topic in topics]
    counts = _judged_counts(people, numbers) if people else {}
    values = _values(people, reader, shown_measures(task)[0]) if people else {}
    digests = [topic.shown(roles).digest for topic in topics]
    titles = {
        topic.number: digest.title or beginning_of(digest.lead)
        for topic, digest in zip(topics, digests, strict=True)
    }
    subjects = {
        topic.number: digest.over or titles[topic.number]
        for topic, digest in zip(topics, digests, strict=True)
        if not topic.image_id
    }
    best = _best_docnos(task, people, list(subjects)) if people else _docnos_with_words(task, subjects)
    documents = _documents(task, best)
    cards = []
    for topic, digest in zip(topics, digests, strict=True):
        judged_count = counts.get(topic.number, 0) if people else None
        found = values.get(topic.number), documents.get(topic.number)
        cards.append(TopicCard(topic, titles[topic.number], digest.over, judged_count, *found))
    return cards


def _judged_counts(people: Qrels, numbers: Sequence[str]) -> dict[str, int]:
    pairs = people.pairs.graded().filter(topic__in=numbers).order_by()
    return dict(pairs.values("topic").annotate(count=Count("pk")).values_list("topic", "count"))


def _values(people: Qrels, reader: User | AnonymousUser, measure: str) -> dict[str, TopicRow]:
    runs = scored_runs(people, reader)
    if not runs:
        return {}
    return {row.topic: row for row in topic_rows(people.topics, values_of(people, runs, measure), 0)}


def _best_docnos(task: Task, people: Qrels, numbers: Sequence[str]) -> list[tuple[str, str]]:
    """Return (topic, docno) of the document with a picture that has the topic's highest grade above 0."""
    documents = Document.objects.filter(collection=task.collection_id, image__isnull=False)
    pairs = people.pairs.filter(topic__in=numbers, grade__gt=0).filter(
        Exists(documents.filter(docno=OuterRef("docno")))
    )
    best = pairs.order_by("topic", "-grade", "docno").distinct("topic")
    return list(best.values_list("topic", "docno"))


MOST_RANKED = 100  # documents with all words of a subject, and as many with some; a frequent word has more
# Ranked by content alone: what is judged or retrieved says nothing here.
WITH_WORDS = """
    SELECT topic.number, best.docno
    FROM unnest(%(numbers)s::text[], %(subjects)s::text[]) AS topic (number, subject),
        plainto_tsquery('pg_catalog.english', topic.subject) AS all_of,
        LATERAL (SELECT replace(all_of::text, ' & ', ' | ')::tsquery AS words) AS any_of,
        LATERAL (
            SELECT found.docno FROM (
                (SELECT docno, fields FROM evaluation_document WHERE collection_id = %(collection)s
                    AND image_id IS NOT NULL AND document_words(fields) @@ all_of LIMIT %(most)s)
                UNION ALL
                (SELECT docno, fields FROM evaluation_document WHERE collection_id = %(collection)s
                    AND image_id IS NOT NULL AND document_words(fields) @@ any_of.words LIMIT %(most)s)
            ) AS found
            ORDER BY ts_rank(document_words(found.fields), any_of.words) DESC, found.docno LIMIT 1
        ) AS best
"""


def _docnos_with_words(task: Task, subjects: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return (topic, docno) of the document with a picture that has most words of the topic's subject."""
    values: dict[str, Any] = {
        "numbers": list(subjects),
        "subjects": list(subjects.values()),
        "collection": task.collection_id,
        "most": MOST_RANKED,
    }
    with connection.cursor() as cursor:
        cursor.execute(WITH_WORDS, values)
        return list(cursor.fetchall())


def _documents(task: Task, best: Sequence[tuple[str, str]]) -> Mapping[str, Document]:
    """Return the documents by topic."""
    topics = defaultdict(list)
    for topic, docno in best:
        topics[docno].append(topic)
    rows = Document.objects.filter(collection=task.collection_id, docno__in=topics).select_related("image")
    return {topic: document for document in rows for topic in topics[document.docno]}
