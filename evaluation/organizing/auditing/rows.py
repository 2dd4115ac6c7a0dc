"""Topics, documents, grades and results of a task as the library's audit reads them, a few at a time."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from django.db.models import QuerySet

from evaluation.collections.blobs import Blob, Image
from evaluation.results.qrels.models import Qrels, QrelsKind
from evaluation.submissions.runs.models import Run
from evaluation.submissions.runs.rankings import Ranking
from evaluation.tracks.models import Task
from trackside.files import Qrels as CoreQrels
from trackside.files import Rankings
from trackside.image_errors import ImageUnreadable
from trackside.imports.records import Record

CHUNK = 1_000  # rows of a query

OnRead = Callable[[int], None]  # is called with the number of records of each chunk


def records(items: QuerySet[Any], name: str, on_read: OnRead) -> Iterator[Record]:
    """Yield topics or documents in the order of the column of their names.

    Each chunk is a query of its own: no transaction is open while pictures are decoded. Pictures are the
    copies that models get, which this site has written.
    """
    last = ""
    rows = items.order_by(name).values_list(name, "fields", "image_id", "more_images")
    while chunk := list(rows.filter(**{f"{name}__gt": last})[:CHUNK]):
        images = {key for _, _, first, more in chunk for key in (first, *more) if key}
        copies = dict(Image.objects.filter(pk__in=images).values_list("pk", "small"))
        for item, fields, first, more in chunk:
            keys = [copies.get(key, key) for key in (first, *more) if key]
            pictures = tuple(partial(_picture, key) for key in keys)
            yield Record(item, item, tuple((key, text) for key, text in fields), pictures=pictures)
        on_read(len(chunk))
        last = chunk[-1][0]


def _picture(key: str) -> bytes:
    try:
        return Blob(sha256=key).read()
    except FileNotFoundError as error:
        raise ImageUnreadable("Its bytes are missing in the storage.") from error


def peoples_qrels(task: Task) -> list[CoreQrels]:
    """Return the latest grades of people, without topics that went back to draft."""
    drafts = task.topics.drafts().values("number")
    found = []
    for qrels in Qrels.objects.filter(task=task, kind=QrelsKind.HUMAN).current():
        grades: dict[str, dict[str, int]] = defaultdict(dict)
        pairs = qrels.pairs.graded().exclude(topic__in=drafts).values_list("topic", "docno", "grade")
        for topic, docno, grade in pairs.iterator(CHUNK):
            if grade is not None:
                grades[topic][docno] = grade
        found.append(CoreQrels.from_dict(grades, name=qrels.name))
    return found


def rankings(task: Task) -> Iterator[Rankings]:
    """Yield the results of each accepted run, without topics that went back to draft."""
    for pk, tag in Run.objects.accepted().filter(task=task).order_by("pk").values_list("pk", "tag"):
        of_run = Ranking.objects.filter(run=pk).without_drafts()
        rows = [
            (topic, docnos, bytes(scores))
            for topic, docnos, scores in of_run.values_list("topic", "docnos", "scores")
        ]
        yield Rankings.from_packed(rows, tag=tag)
