"""Run a shard: encode its texts or images in batches, or send its pairs."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models.functions import Now

from evaluation.collections.blobs import Blob
from evaluation.core.errors import InputError
from evaluation.core.log_context import bound
from evaluation.tracks.models import TaskKind
from evaluation.work.queueing import enqueue
from judges.core.ahead import ahead
from judges.core.inputs import FieldsInput, Gap, ImageInput, TextInput, piece_sha256, prompted
from judges.core.judge import Unit
from judges.core.texts import FieldReading, read_fields
from judges.jobs.asking import ask_pairs
from judges.jobs.claims import claim_shard, give_up_shard, halt_refused, next_shard
from judges.jobs.embeddings import Embedding, TextPieces
from judges.jobs.files import write_files
from judges.jobs.measuring import measure_images
from judges.jobs.models import IMAGE_SIDE, JobState, ShardContent, Side
from judges.jobs.shards import Shard
from judges.jobs.stopping import count_failure, halt_job
from judges.registry import loaded_encoder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from judges.core.inputs import Input
    from judges.core.judge import Encoder, Prepared, Vector

TEXT_BATCHES = 4  # times an encoder's batch: texts of one length are encoded together


def run_shard(*, shard_id: int) -> None:
    """Process the rest of a shard: of the named one, or of another one whose turn it is.

    Each batch is a transaction; the last shard of a job queues ``finish_job``. Does nothing if the shard is
    done, its job is not active, or another worker holds it. Stored batches survive a crash: the next worker
    continues after them. Pauses a job whose track is archived, whose requester no longer organizes it, or
    whose backend is not installed.
    """
    shard = Shard.objects.open().select_related("job__judge", "job__pool__task").filter(pk=shard_id).first()
    if shard is None:
        return
    turn = next_shard() if shard.claimed_at is None else None
    if turn is None or turn.job_id == shard.job_id or not _run_before(turn, shard):
        _run(shard)


def _run_before(turn: Shard, shard: Shard) -> bool:
    """Run a shard of the job whose turn it is, and requeue the other one; False if it cannot be run now."""
    is_run = True
    try:
        _run(turn)
        is_run = not Shard.objects.free().filter(pk=turn.pk).exists()  # a budget may have no room now
    finally:
        if is_run:
            enqueue("judges.run_shard", shard.pk)
    return is_run


def _run(shard: Shard) -> None:
    if halt_refused(job=shard.job):
        return
    try:
        unit = shard.job.judge.unit
    except InputError as error:  # another package's backend, uninstalled or broken
        halt_job(job=shard.job, state=JobState.PAUSED, note=str(error))
        return
    with bound(job=shard.job_id, shard=shard.pk), shard.hold() as is_free:
        if is_free:
            _run_held(shard, unit)
    if not shard.job.shards.open().exists():
        enqueue("judges.finish_job", shard.job_id)


def _run_held(shard: Shard, unit: Unit) -> None:
    try:
        if unit == Unit.BATCH:
            write_files(shard=shard)
        elif shard.side == ShardContent.PAIR:
            ask_pairs(shard=shard)
        elif claim_shard(shard=shard):
            _encode(shard)
    except Exception as error:
        count_failure(shard=shard, error=error)
        raise


def _encode(shard: Shard) -> None:
    try:
        encoder = loaded_encoder(shard.job.judge.settings)
    except InputError as error:
        give_up_shard(shard=shard, error=str(error))
        return
    is_alone = shard.attempt_count > 1  # an input of the next batch crashed the previous worker
    while shard.encoded_count < shard.input_count:
        for batch in prepare_batches(shard=shard, encoder=encoder, is_alone=is_alone):
            if not _store(shard, batch, _encoded(batch, encoder)):
                return
        is_alone = False
    if shard.side == IMAGE_SIDE[TaskKind(shard.job.pool.task.kind)]:
        measure_images(shard=shard, encoder=encoder)
    Shard.objects.filter(pk=shard.pk).update(done_at=Now())


def _encoded(batch: Batch, encoder: Encoder) -> dict[str, Vector]:
    """Encode the batch's texts, pieces and images. No transaction is open."""
    found: dict[str, Vector] = {}
    if batch.texts:
        found |= zip(batch.texts, encoder.encode_texts(list(batch.texts.values())), strict=True)
    if batch.images:
        found |= zip(batch.images, encoder.encode_images(list(batch.images.values())), strict=True)
    return found


@transaction.atomic
def _store(shard: Shard, batch: Batch, vectors: Mapping[str, Vector]) -> bool:
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
    shard.gaps |= batch.gaps
    shard.readings |= batch.readings
    shard.encoded_count += batch.size
    moved = {
        "gaps": shard.gaps,
        "readings": shard.readings,
        "encoded_count": shard.encoded_count,
        "attempt_count": 0,
    }
    return bool(Shard.objects.open().filter(pk=shard.pk, encoded_count=place).update(**moved))


@dataclass
class Batch:
    """A part of a shard's inputs: the texts or images to encode, by their SHA-256.

    ``size`` is the number of inputs that it completes, ``shown`` are the images to decode, ``images`` the
    decoded ones. ``pieces`` are the pieces of split texts, ``readings`` say how much of each text is read,
    even if it is encoded already.
    """

    size: int
    texts: dict[str, str] = field(default_factory=dict)
    shown: dict[str, ImageInput] = field(default_factory=dict)
    images: dict[str, Prepared] = field(default_factory=dict)
    pieces: dict[str, list[str]] = field(default_factory=dict)
    readings: dict[str, list[FieldReading]] = field(default_factory=dict)
    gaps: dict[str, Gap] = field(default_factory=dict)


def prepare_batches(*, shard: Shard, encoder: Encoder, is_alone: bool = False) -> Iterator[Batch]:
    """Yield the shard's remaining batches, while threads decode the images of the next two.

    Images that another job has encoded are skipped; tokens of texts are counted in any case. Threads run no
    queries. With ``is_alone``, yield the inputs of the next batch one by one, and decode none ahead: an input
    that crashes the worker is then identified.
    """
    is_text = shard.side == shard.job.text_side
    size = encoder.batch_size * (TEXT_BATCHES if is_text else 1)
    left = shard.inputs[shard.encoded_count :][: size if is_alone else None]
    encoder_sha256 = shard.job.judge.settings.encoder_sha256
    hashes = [sha256 for _, sha256 in left]
    known = Embedding.objects.known(encoder_sha256, hashes) | set(
        TextPieces.objects.of(encoder_sha256, hashes)
    )
    names = [name for name, sha256 in left if is_text or sha256 not in known]
    shown = shard.job.inputs(Side(shard.side), names)
    step = 1 if is_alone else size
    parts = [left[start : start + step] for start in range(0, len(left), step)]
    batches = [_batch(part, shown, known, encoder) for part in parts]
    encoded = Embedding.objects.known(encoder_sha256, {piece for each in batches for piece in each.texts})
    for batch in batches:
        batch.texts = {sha256: text for sha256, text in batch.texts.items() if sha256 not in encoded}
    tasks = (partial(_prepared, image, encoder) for batch in batches for image in batch.shown.values())
    if is_alone:
        return _filled(batches, (task() for task in tasks))
    return _filled(batches, ahead(tasks, threads=encoder.decoder_count, most=2 * size))


def _batch(
    part: Sequence[tuple[str, str]], shown: dict[str, Input | Gap], known: set[str], encoder: Encoder
) -> Batch:
    batch = Batch(len(part))
    for name, sha256 in part:
        is_known = sha256 in known
        match _checked(shown[name], sha256) if name in shown else None:
            case None:
                continue
            case Gap() as gap:
                batch.gaps |= {} if is_known else {sha256: gap}
            case TextInput() as text:
                batch.readings[sha256] = _reading(text, encoder)
                if not is_known:
                    _add_text(batch, sha256, text, encoder)
            case image:
                batch.shown[sha256] = image
    return batch


def _checked(shown: Input | Gap, planned: str) -> TextInput | ImageInput | Gap:
    """Return the input; a gap if the item has changed since the job was planned."""
    if isinstance(shown, Gap):
        return shown
    if isinstance(shown, FieldsInput) or shown.sha256 != planned:  # only generators take fields
        return Gap.ITEM_CHANGED
    return shown


def _reading(text: TextInput, encoder: Encoder) -> list[FieldReading]:
    counts = encoder.token_counts([words for _, words in text.fields])
    return read_fields(text, counts, encoder.room(text.prompt))


def _add_text(batch: Batch, sha256: str, shown: TextInput, encoder: Encoder) -> None:
    if shown.is_cut:
        pieces = [piece for text in shown.texts for piece in encoder.pieces(text, shown.prompt)]
    else:
        pieces = [prompted(shown.prompt, text) for text in shown.texts]
    named = {piece_sha256(piece): piece for piece in pieces}
    batch.texts |= named
    if list(named) != [sha256]:
        batch.pieces[sha256] = [piece_sha256(piece) for piece in pieces]


def _prepared(image: ImageInput, encoder: Encoder) -> Prepared | Gap:
    """Read and decode an image; a gap if it is missing from storage or unreadable."""
    try:
        content = Blob(sha256=image.blob).read()
    except FileNotFoundError:
        return Gap.IMAGE_MISSING
    return encoder.prepare_image(content, is_draft=image.is_draft)


def _filled(batches: Sequence[Batch], decoded: Iterator[Prepared | Gap]) -> Iterator[Batch]:
    """Yield the batches with their decoded images; those without one are gaps."""
    for batch in batches:
        found = {sha256: next(decoded) for sha256 in batch.shown}
        batch.gaps |= {sha256: each for sha256, each in found.items() if isinstance(each, Gap)}
        batch.images = {sha256: each for sha256, each in found.items() if not isinstance(each, Gap)}
        yield batch
        batch.images = {}
