"""Run a shard: encode its texts or images, or send its pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models.functions import Now

from evaluation.core.errors import InputError
from evaluation.core.log_context import bound
from evaluation.tracks.models import TaskKind
from evaluation.work.queueing import enqueue
from judges.core.inputs import Gap
from judges.core.judge import Unit
from judges.jobs.asking import ask_pairs
from judges.jobs.claims import claim_shard, give_up_shard
from judges.jobs.embeddings import Embedding, TextPieces
from judges.jobs.encoding import measure_images, prepare_batches
from judges.jobs.files import write_files
from judges.jobs.models import IMAGE_SIDE, JobState, Part
from judges.jobs.shards import Shard
from judges.jobs.stopping import halt_job
from judges.registry import loaded_encoder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judges.core.judge import Encoder, Vector
    from judges.jobs.encoding import Batch


def run_shard(*, shard_id: int) -> None:
    """Process the rest of the shard, one transaction per batch; the last shard queues ``finish_job``.

    Does nothing if the shard is done, its job is not active, or another worker holds it. Stored batches
    survive a crash: the next worker continues after them. Pauses a job whose backend is not installed.
    """
    shard = Shard.objects.open().select_related("job__judge", "job__pool__task").filter(pk=shard_id).first()
    if shard is None:
        return
    shard = _more_urgent(shard) or shard
    try:
        unit = shard.job.judge.unit
    except InputError as error:  # another package's backend, uninstalled or broken
        halt_job(job=shard.job, state=JobState.PAUSED, note=str(error))
        return
    with bound(job=shard.job_id, shard=shard.pk), shard.hold() as is_free:
        if is_free and unit == Unit.BATCH:
            write_files(shard=shard)
        elif is_free and shard.side == Part.PAIR:
            ask_pairs(shard=shard)
        elif is_free and claim_shard(shard=shard):
            _encode(shard)
    if not shard.job.shards.open().exists():
        enqueue("judges.finish_job", shard.job_id)


def _more_urgent(shard: Shard) -> Shard | None:
    """Return a free shard of a job with a higher priority, and requeue the given shard; else None."""
    free = Shard.objects.open().filter(claimed_at__isnull=True, job__priority__gt=shard.job.priority)
    urgent = free.select_related("job__judge", "job__pool__task").order_by("-job__priority", "pk").first()
    if urgent:
        enqueue("judges.run_shard", shard.pk)
    return urgent


def _encode(shard: Shard) -> None:
    try:
        encoder = loaded_encoder(shard.job.judge.settings)
    except InputError as error:
        give_up_shard(shard=shard, error=str(error))
        return
    is_alone = shard.attempt_count > 1  # an input of the next batch crashed the previous worker
    while shard.encoded_count < shard.input_count:
        for batch in prepare_batches(shard=shard, encoder=encoder, is_alone=is_alone):
            vectors, gaps = _encoded(batch, encoder)
            if not _store(shard, batch, vectors, gaps):
                return
        is_alone = False
    if shard.side == IMAGE_SIDE[TaskKind(shard.job.pool.task.kind)]:
        measure_images(shard=shard, encoder=encoder)
    Shard.objects.filter(pk=shard.pk).update(done_at=Now())


def _encoded(batch: Batch, encoder: Encoder) -> tuple[dict[str, Vector], dict[str, Gap]]:
    """Encode the batch's texts, pieces and images; return vectors and gaps. No transaction is open."""
    found: dict[str, Vector | Gap] = {}
    if batch.texts:
        found |= zip(batch.texts, encoder.encode_texts(list(batch.texts.values())), strict=True)
    if batch.images:
        found |= zip(batch.images, encoder.encode_images(batch.prepared), strict=True)
    vectors = {sha256: each for sha256, each in found.items() if not isinstance(each, Gap)}
    gaps = {sha256: each for sha256, each in found.items() if isinstance(each, Gap)}
    return vectors, batch.gaps | gaps


@transaction.atomic
def _store(shard: Shard, batch: Batch, vectors: Mapping[str, Vector], gaps: Mapping[str, Gap]) -> bool:
    """Store a batch; False if the job was cancelled meanwhile, or another worker is ahead."""
    encoder_sha256 = shard.job.judge.settings.encoder_sha256
    rows = [
        Embedding(encoder_sha256=encoder_sha256, input_sha256=sha256, vector=vector.astype("<f4").tobytes())
        for sha256, vector in vectors.items()
    ]
    # Another job may have encoded the same input meanwhile.
    Embedding.objects.bulk_create(rows, ignore_conflicts=True)
    TextPieces.objects.bulk_create(
        [
            TextPieces(encoder_sha256=encoder_sha256, input_sha256=sha256, pieces=pieces)
            for sha256, pieces in batch.pieces.items()
        ],
        ignore_conflicts=True,
    )
    place = shard.encoded_count
    shard.gaps |= gaps
    shard.readings |= batch.readings
    shard.encoded_count += batch.size
    moved = {
        "gaps": shard.gaps,
        "readings": shard.readings,
        "encoded_count": shard.encoded_count,
        "attempt_count": 0,
    }
    return bool(Shard.objects.open().filter(pk=shard.pk, encoded_count=place).update(**moved))
