"""Measure what showing a model copies or drafts of images, not the images as they came, changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from evaluation.models import Blob
from judges.core.settings import ORIGINAL
from judges.models import Embedding, Shard, Side

if TYPE_CHECKING:
    from judges.core.judge import Encoder
    from judges.models import Job

SAMPLE = 32  # images of a job


def measure_images(*, shard: Shard, encoder: Encoder) -> None:
    """Keep how far the vectors of a sample of the shard's images are from those of the images as they came.

    The distance of two vectors of length 1 bounds how far their cosines with any text differ. Only the first
    shard of a job's images is sampled; nothing is measured where the judge sees them as they came.
    """
    job = shard.job
    if job.judge.image_size == ORIGINAL or job.shards.filter(side=shard.side, pk__lt=shard.pk).exists():
        return
    sample = dict(shard.inputs[:SAMPLE])
    used = Embedding.objects.vectors(job.judge.settings.encoder_sha256, list(sample.values()))
    originals = _originals(job, Side(shard.side), [name for name, sha256 in sample.items() if sha256 in used])
    if not originals:
        return
    vectors = encoder.encode_images(encoder.prepare_images(list(originals.values())))
    distances = [
        float(np.linalg.norm(used[sample[name]] - vector))
        for name, vector in zip(originals, vectors, strict=True)
        if isinstance(vector, np.ndarray)
    ]
    Shard.objects.filter(pk=shard.pk).update(image_distance=max(distances, default=None))


def _originals(job: Job, side: Side, names: list[str]) -> dict[str, bytes]:
    """The bytes of the named items' images as they came; those that the storage lost are left out."""
    found: dict[str, bytes] = {}
    for name, item in job.items(side, names).items():
        try:
            found |= {name: Blob(sha256=item.image.original_id).read()} if item.image else {}
        except FileNotFoundError:
            continue
    return found
