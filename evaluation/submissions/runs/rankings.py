"""Rankings: the results of an accepted run for each topic."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pgtrigger
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Exists, F, Func, OuterRef, Value
from django.db.models.functions import Left, Length, Replace
from django.db.models.lookups import Exact
from numpy.typing import NDArray

from evaluation.collections.models import Topic
from evaluation.platform.access.people import User
from evaluation.submissions.runs.models import Run


def _bytes_of(field: str) -> Func:
    return Func(F(field), function="octet_length", output_field=models.IntegerField())


LINE_FEEDS = Length("docnos") - Length(Replace("docnos", Value("\n"), Value("")))
DOUBLE = 8  # bytes of a score
SLACK = 8  # characters added to a docno's mean length, so that few rankings need a second read
LONGEST_LINE = 256  # characters of a docno of the collection and its line feed
HEAD = 100  # docnos at most
DOCUMENT_NUMBER = "substring(sha256(convert_to({docno}, 'UTF8')) FOR 8)"
# If a topic's heads have 20,000 documents, two of them have the same number with a probability of 1e-11.
SET_HEAD = f"""
    NEW.head := (
        SELECT string_agg({DOCUMENT_NUMBER.format(docno="docno")}, ''::bytea ORDER BY place)
        FROM unnest(string_to_array(NEW.docnos, E'\\n')) WITH ORDINALITY AS listed (docno, place)
        WHERE place <= {HEAD}
    );
    RETURN NEW;
"""  # noqa: S608 - the constants above


class RankingQuerySet(models.QuerySet["Ranking"]):
    """Reads of rankings."""

    def visible_to(self, user: User | AnonymousUser) -> RankingQuerySet:
        """Rankings of the runs that the person may see."""
        return self.filter(run__in=Run.objects.visible_to(user))

    def top_docnos(self, depth: int) -> Iterator[tuple[int, str, list[str]]]:
        """Yield run, topic and the first ``depth`` docnos of each ranking, without reading whole rankings."""
        most = depth * (_bytes_of("docnos") * DOUBLE / _bytes_of("scores") + SLACK)
        rows = self.annotate(size=_bytes_of("docnos"), beginning=Left("docnos", most))
        longer: list[int] = []
        for pk, run, topic, size, text in rows.values_list(
            "pk", "run", "topic", "size", "beginning"
        ).iterator():
            if text.count("\n") >= depth or len(text.encode()) == size:
                yield run, topic, text.split("\n", depth)[:depth]
            else:
                longer.append(pk)
        rest = self.model.objects.filter(pk__in=longer).annotate(
            beginning=Left("docnos", depth * LONGEST_LINE)
        )
        for run, topic, text in rest.values_list("run", "topic", "beginning").iterator():
            yield run, topic, text.split("\n", depth)[:depth]

    def without_drafts(self) -> RankingQuerySet:
        """Rankings for topics that did not go back to draft."""
        drafts = Topic.objects.drafts().filter(task=OuterRef("run__task"), number=OuterRef("topic"))
        return self.exclude(Exists(drafts))


class Ranking(models.Model):
    """One run's results for one topic, best first in trec_eval's order.

    Two packed columns decode into numpy about as fast as they are read: docnos joined by line feeds (a docno
    holds no white space), scores as little-endian doubles. The database sets ``head``, from which pools are
    counted: the first eight bytes of the SHA-256 of each of the first ``HEAD`` docnos.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="rankings")
    topic = models.CharField(max_length=255, db_collation="C")
    docnos = models.TextField(db_collation="C")
    scores = models.BinaryField()
    head = models.BinaryField(db_default=b"", editable=False)

    objects = RankingQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "topic"], name="ranking_once_a_topic"),
            models.CheckConstraint(
                condition=Exact(_bytes_of("scores"), 8 * (LINE_FEEDS + 1)),
                name="ranking_one_score_a_docno",
            ),
        ]
        triggers = [
            pgtrigger.Protect(name="rankings_are_immutable", operation=pgtrigger.Update | pgtrigger.Delete),
            pgtrigger.Trigger(
                name="rankings_have_a_head",
                operation=pgtrigger.Insert,
                when=pgtrigger.Before,
                func=SET_HEAD,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.run}, topic {self.topic}"

    @staticmethod
    def pack(docnos: list[str], scores: NDArray[np.float64]) -> dict[str, str | bytes]:
        """Return the two columns of a ranking of n results."""
        return {"docnos": "\n".join(docnos), "scores": scores.astype("<f8").tobytes()}

    def unpack(self) -> tuple[list[str], NDArray[np.float64]]:
        """Return docnos and scores, both of length n, best first."""
        return self.docnos.split("\n"), np.frombuffer(self.scores, "<f8").astype(np.float64)
