"""Corpora: named parts of a collection, such as its small one, to which a task may restrict its runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import numpy as np
import pgtrigger
from django.contrib.auth.models import AnonymousUser
from django.db import models
from numpy.typing import NDArray

from evaluation.collections.models import Collection
from evaluation.platform.access.people import User
from evaluation.tracks.models import Task


class CorpusQuerySet(models.QuerySet["Corpus"]):
    """Queryset of corpora."""

    def visible_to(self, user: User | AnonymousUser) -> CorpusQuerySet:
        """Corpora of the collections that the person may see."""
        return self.filter(collection__in=Collection.objects.visible_to(user))


class Corpus(models.Model):
    """A part of a collection, from a list of docnos.

    Bit n of ``members``, from the lowest of each byte, is set if the document with the key ``first`` + n is
    in it: eleven million documents take 1.4 MB. A document that is removed and added again has a new key.
    """

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="corpora")
    name = models.SlugField(max_length=60)
    size = models.PositiveIntegerField(help_text="Number of documents.")
    first = models.BigIntegerField()
    members = models.BinaryField()

    objects = CorpusQuerySet.as_manager()

    class Meta:
        ordering = ["collection", "size", "name"]
        verbose_name_plural = "corpora"
        constraints = [
            models.UniqueConstraint(fields=["collection", "name"], name="corpus_name_once_a_collection")
        ]
        triggers: ClassVar = [pgtrigger.Protect(name="a_corpus_stays", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        return f"{self.name}: {self.size:,} documents"

    @classmethod
    def of_keys(cls, collection: Collection, name: str, keys: NDArray[np.int64]) -> Corpus:
        """Make a corpus of the documents with these keys, at least one, without saving it."""
        first = int(keys.min())
        bits = np.zeros(int(keys.max()) - first + 1, np.uint8)
        bits[keys - first] = 1
        members = np.packbits(bits, bitorder="little").tobytes()
        return cls(collection=collection, name=name, size=int(bits.sum()), first=first, members=members)

    def holds(self, keys: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether the documents with these keys are in the corpus."""
        members = np.frombuffer(self.members, np.uint8)
        places = keys - self.first
        is_near = (places >= 0) & (places < 8 * len(members))
        places = np.where(is_near, places, 0)
        is_set: NDArray[np.bool_] = (members[places >> 3] >> (places & 7)) & 1 == 1
        return is_near & is_set


def outside(task: Task, documents: Iterable[tuple[str, int]]) -> list[str]:
    """Return the docnos, of documents with their keys, that are not in the task's corpus, if it has one."""
    rows = list(documents)
    if task.corpus is None or not rows:
        return []
    is_in = task.corpus.holds(np.array([key for _, key in rows], np.int64))
    return [docno for (docno, _), is_member in zip(rows, is_in.tolist(), strict=True) if not is_member]
