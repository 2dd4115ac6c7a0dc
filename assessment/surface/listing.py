"""Pairs in lists: the topic's title, and the document's picture and words."""

from collections.abc import Collection
from typing import Any

from evaluation.collections.chosen_fields import ChosenFields
from evaluation.collections.models import Document, Topic
from evaluation.tracks.models import Task
from trackside.text.roles import Digest


def pair_contents(task: Task, pairs: Collection[tuple[str, str]]) -> dict[tuple[str, str], dict[str, Any]]:
    """Return what a list shows of each pair.

    ``title`` and ``topic_image`` are the topic's; ``image``, ``image_count`` and ``words`` the document's.
    """
    topics = Topic.objects.filter(task=task, number__in={topic for topic, _ in pairs})
    roles = ChosenFields.objects.topic_roles(task.pk)
    titles = {
        topic.number: {"title": _title(topic.shown(roles).digest), "topic_image": topic.image_id}
        for topic in topics
    }
    documents = Document.objects.filter(
        collection=task.collection_id, docno__in={docno for _, docno in pairs}
    )
    roles = ChosenFields.objects.document_roles(task.collection_id)
    shown = {
        document.docno: {
            "image": document.image_id,
            "image_count": document.image_count,
            "words": _title(document.shown(roles).digest),
        }
        for document in documents
    }
    return {(topic, docno): shown[docno] | titles[topic] for topic, docno in pairs}


def _title(digest: Digest) -> str:
    return ": ".join(filter(None, (digest.over, digest.title)))
