"""Vectors of unique texts and images, shared by all judges of one encoder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pgtrigger
from django.db import models
from django.db.models import Exists
from django.db.models.functions import Now

from evaluation.models import Track

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.contrib.auth.models import AnonymousUser

    from evaluation.models import User
    from judges.core.judge import Vector


class EmbeddingQuerySet(models.QuerySet["Embedding"]):
    """Reads of embeddings."""

    def visible_to(self, user: User | AnonymousUser) -> EmbeddingQuerySet:
        """All of them for whoever organizes some track: a vector says nothing about a pool."""
        return self if user.is_superuser else self.filter(Exists(Track.objects.organized_by(user)))

    def vectors(self, encoder_sha256: str, inputs: Collection[str]) -> dict[str, Vector]:
        """The stored vectors, shape (d,), of the inputs that the encoder has met, by the input's SHA-256."""
        rows = self.filter(encoder_sha256=encoder_sha256, input_sha256__in=inputs)
        return {
            name: np.frombuffer(vector, "<f4") for name, vector in rows.values_list("input_sha256", "vector")
        }


class Embedding(models.Model):
    """The vector of one input under one encoder: unit length, little-endian 32-bit floats."""

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
