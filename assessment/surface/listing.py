"""Pairs in lists: the topic's title, and the document's picture and words."""

from collections.abc import Collection
from typing import Any

from evaluation.collections.chosen_fields import ChosenFields
from evaluation.collections.models import Document, Topic
from evaluation.tracks.models import Task
from trackside.text.roles import make_digest


def pair_contents(task: Task, pairs: Collection[tuple[str, str]]) -> dict[tuple[str, str], dict[str, Any]]:
    """Return ``title`` of the topic, ``image``, ``image_count`` and ``words`` of the document, by pair."""
    topics = Topic.objects.filter(task=task, number__in={topic for topic, _ in pairs})
    roles = ChosenFields.objects.topic_roles(task.pk)
    titles = {topic.number: make_digest(topic.fields, roles).title for topic in topics}
    documents = Document.objects.filter(
        collection=task.collection_id, docno__in={docno for _, docno in pairs}
    )
    roles = ChosenFields.objects.document_roles(task.collection_id)
    shown = {
        document.docno: {
            "image": document.image_id,
            "image_count": document.image_count,
            "words": make_digest(document.fields, roles).title,
        }
        for document in documents
    }
    return {(topic, docno): shown[docno] | {"title": titles[topic]} for topic, docno in pairs}
