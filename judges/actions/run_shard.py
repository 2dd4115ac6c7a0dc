"""Do the work of a shard: encode its texts or images, or ask about its pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models.functions import Now

from evaluation.actions.enqueue import enqueue
from evaluation.core.errors import InputError
from evaluation.core.log_context import bound
from evaluation.models import TaskKind
from judges.actions.ask_pairs import ask_pairs
from judges.actions.claim_shard import claim_shard
from judges.actions.give_up_shard import give_up_shard
from judges.actions.measure_images import measure_images
from judges.actions.prepare_batches import prepare_batches
from judges.actions.write_files import write_files
from judges.core.inputs import Gap
from judges.core.judge import Unit
from judges.models import Embedding, Part, Shard, TextPieces
from judges.models.job import IMAGE_SIDE
from judges.registry import loaded_encoder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judges.actions.prepare_batches import Batch
    from judges.core.judge import Encoder, Vector


def run_shard(*, shard_id: int) -> None:
    """Do what the shard still misses, a batch a transaction; the last shard of a job queues the job's end.

    Does nothing when the shard is done, its job is over, or another worker holds it. A worker that dies
    leaves all batches it stored, and whoever takes the shard up again goes on behind them.
    """
    shard = Shard.objects.open().select_related("job__judge", "job__pool__task").filter(pk=shard_id).first()
    if shard is None:
        return
    shard = _more_urgent(shard) or shard
    with bound(job=shard.job_id, shard=shard.pk), shard.hold() as is_free:
        if is_free and shard.job.judge.unit == Unit.BATCH:
            write_files(shard=shard)
        elif is_free and shard.side == Part.PAIR:
            ask_pairs(shard=shard)
        elif is_free and claim_shard(shard=shard):
            _encode(shard)
    if not shard.job.shards.open().exists():
        enqueue("judges.finish_job", shard.job_id)


def _more_urgent(shard: Shard) -> Shard | None:
    """A free shard of a job with a higher priority; the shard it displaces goes back to the queue."""
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
    is_alone = shard.attempt_count > 1  # something in the next batches ended the worker before
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
    """The vectors of the batch's texts, pieces and images, and its gaps; no transaction is open."""
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
    """Keep a batch; False when the job was cancelled meanwhile, or another worker is ahead."""
    encoder_sha256 = shard.job.judge.settings.encoder_sha256
    rows = [
        Embedding(encoder_sha256=encoder_sha256, input_sha256=sha256, vector=vector.astype("<f4").tobytes())
        for sha256, vector in vectors.items()
    ]
    # Another job may have met the same input in these seconds.
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
    shard.encoded_count += batch.size
    moved = {"gaps": shard.gaps, "encoded_count": shard.encoded_count, "attempt_count": 0}
    return bool(Shard.objects.open().filter(pk=shard.pk, encoded_count=place).update(**moved))
