"""Vectors of unique texts and images, shared by all judges of one encoder."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.tracks.visibility import SiteQuerySet
from trackside.judging.judge import Vector


class EmbeddingQuerySet(SiteQuerySet["Embedding"]):
    """Reads of embeddings. A vector reveals nothing about a pool."""

    def known(self, encoder_sha256: str, inputs: Collection[str]) -> set[str]:
        """Return the inputs, or pieces of texts, that have their own vector."""
        rows = self.filter(encoder_sha256=encoder_sha256, input_sha256__in=inputs)
        return set(rows.values_list("input_sha256", flat=True))

    def vectors(self, encoder_sha256: str, inputs: Collection[str]) -> dict[str, Vector]:
        """Return the vectors of encoded inputs by the input's SHA-256: (d,), or (k, d) for pieces."""
        pieces = TextPieces.objects.of(encoder_sha256, inputs)
        wanted = {*inputs, *(piece for each in pieces.values() for piece in each)}
        rows = self.filter(encoder_sha256=encoder_sha256, input_sha256__in=wanted)
        own = {
            name: np.frombuffer(vector, "<f4") for name, vector in rows.values_list("input_sha256", "vector")
        }
        whole = {name: np.stack([own[piece] for piece in each]) for name, each in pieces.items()}
        return {name: own[name] for name in inputs if name in own} | whole


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
