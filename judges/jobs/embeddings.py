"""Vectors of unique texts and images, shared by all judges of one encoder; the documents nearest to one."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

import numpy as np
import pgtrigger
from django.contrib.auth.models import AnonymousUser
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Max, Q
from django.db.models.functions import Now

from evaluation.platform.access.people import User
from evaluation.tracks.models import Phase, Task
from evaluation.tracks.panels import Likeness
from evaluation.tracks.visibility import SiteQuerySet
from judges.jobs.models import Job
from judges.jobs.shards import Shard
from trackside.judging.judge import Unit, Vector


class EmbeddingQuerySet(SiteQuerySet["Embedding"]):
    """Reads of embeddings. A vector reveals nothing about a pool."""

    def known(self, encoder_sha256: str, inputs: Collection[str]) -> set[str]:
        """Return the inputs, or pieces of texts, that have their own vector."""
        rows = self.filter(encoder_sha256=encoder_sha256, input_sha256__in=inputs)
        return set(rows.values_list("input_sha256", flat=True))

    def vectors(self, encoder_sha256: str, inputs: Collection[str]) -> dict[str, Vector]:
        """Return the vectors of encoded inputs by the input's SHA-256: (d,), or (k, d) for pieces."""
        pieces = TextPieces.objects.of(encoder_sha256, inputs)
        keys = {*inputs, *(piece for hashes in pieces.values() for piece in hashes)}
        rows = self.filter(encoder_sha256=encoder_sha256, input_sha256__in=keys)
        vectors = {
            name: np.frombuffer(vector, "<f4") for name, vector in rows.values_list("input_sha256", "vector")
        }
        whole = {name: np.stack([vectors[piece] for piece in hashes]) for name, hashes in pieces.items()}
        return {name: vectors[name] for name in inputs if name in vectors} | whole


class Embedding(models.Model):
    """The vector of an image, a text or a piece of a text, by one encoder.

    It has unit length, in little-endian 32-bit floats.
    """

    encoder_sha256 = models.CharField(max_length=64)
    input_sha256 = models.CharField(max_length=64)
    vector = models.BinaryField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = EmbeddingQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["encoder_sha256", "input_sha256"], name="embedding_once"),
        ]
        triggers = [pgtrigger.Protect(name="embeddings_are_immutable", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        return self.input_sha256[:12]


class TextPiecesQuerySet(SiteQuerySet["TextPieces"]):
    """Reads of pieces."""

    def of(self, encoder_sha256: str, inputs: Collection[str]) -> dict[str, list[str]]:
        """Return the pieces of the inputs that were split, by the input's SHA-256."""
        rows = self.filter(encoder_sha256=encoder_sha256, input_sha256__in=inputs)
        return dict(rows.values_list("input_sha256", "pieces"))


class TextPieces(models.Model):
    """The pieces of a text that an encoder split, or the images of an item: each has its own embedding."""

    encoder_sha256 = models.CharField(max_length=64)
    input_sha256 = models.CharField(max_length=64)
    pieces = ArrayField(models.CharField(max_length=64), help_text="SHA-256 of each piece.")
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = TextPiecesQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "text pieces"
        constraints = [
            models.UniqueConstraint(fields=["encoder_sha256", "input_sha256"], name="text_pieces_once"),
            models.CheckConstraint(condition=~Q(pieces=[]), name="text_has_pieces"),
        ]
        triggers = [pgtrigger.Protect(name="text_pieces_are_immutable", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        return f"{self.input_sha256[:12]} in {len(self.pieces)} pieces"


MOST = 12


def pool_likeness(task: Task, reader: User | AnonymousUser) -> Likeness | None:
    """Return ``nearest`` by the newest completed job with vectors, if the reader may see what was pooled.

    Only pooled documents have vectors: before the release, organizers alone see neighbours.
    """
    if task.phase != Phase.RELEASED and not Task.objects.organized_by(reader).filter(pk=task.pk).exists():
        return None
    jobs = Job.objects.of_pools().completed().filter(pool__task=task).select_related("judge").order_by("-pk")
    job = next((job for job in jobs if job.judge.unit == Unit.INPUT), None)
    return partial(nearest, job) if job else None


def nearest(job: Job, docno: str) -> list[str]:
    """Return up to MOST docnos of the job's pool by falling cosine, ties by docno; none without a vector.

    A text in pieces has the mean of their vectors.
    """
    calls = job.calls.of_pool().order_by("docno").distinct("docno")
    inputs = dict(calls.values_list("docno", "document_input"))
    vectors = Embedding.objects.vectors(job.judge.settings.encoder_sha256, set(inputs.values()))
    docnos = [name for name, sha256 in inputs.items() if sha256 in vectors]
    if docno not in docnos:
        return []
    matrix = np.stack([np.atleast_2d(vectors[inputs[name]]).mean(axis=0) for name in docnos])
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    cosines = matrix @ matrix[docnos.index(docno)]
    order = np.argsort(-cosines, kind="stable")
    return [docnos[index] for index in order if docnos[index] != docno][:MOST]


def image_distance(job: Job) -> float | None:
    """Return the largest distance between the vectors of a sampled image and of its upload.

    It bounds the change of the cosine with any text. It is the maximum over all jobs of the same encoder
    and image size, because known images are not measured again. None for judges that read uploads.
    """
    names = ("model", "model_revision", "image_size")
    shards = Shard.objects.filter(**{f"job__judge__{name}": getattr(job.judge, name) for name in names})
    distance: float | None = shards.aggregate(furthest=Max("image_distance"))["furthest"]
    return distance
