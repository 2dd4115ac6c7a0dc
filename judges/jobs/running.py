"""Run a shard: encode its texts or images in batches, or send its pairs."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from threading import Lock

import numpy as np
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from evaluation.collections.blobs import Blob
from evaluation.tracks.work.queueing import enqueue
from judges.catalogue.actions import note_self_test
from judges.jobs.asking import ask_pairs
from judges.jobs.embeddings import Embedding, TextPieces
from judges.jobs.files import write_files
from judges.jobs.models import Job, Side
from judges.jobs.scheduling import claim_shard, give_up_shard, halt_job, halt_refused, next_shard
from judges.jobs.shards import ATTEMPTS, JobState, Shard, ShardContent
from trackside.backends.registry import loaded_encoder
from trackside.errors import InputError, first_line
from trackside.image_errors import ImageUnreadable
from trackside.judging.encoding import Batch, add_images, ahead, build_batch, encode_batch
from trackside.judging.inputs import Gap, ImageInput
from trackside.judging.judge import Encoder, Prepared, Unit, Vector, encode_files
from trackside.judging.pictures import as_changed, stored_key
from trackside.judging.settings import ORIGINAL
from trackside.log_context import bound

TEXT_BATCHES = 4  # times an encoder's batch: texts of one length are encoded together
SAMPLE = 32  # images of a job whose distance is measured
SEAT_SECONDS = 5.0  # that a thread without work waits before it takes another message

# One thread of this worker runs a shard, with all cores or slots of an endpoint. It leaves the seat when it
# only waits for answers, so that a silent endpoint holds its own requests and no other job.
_seat = Lock()
_in_hand = set[int]()  # jobs of threads; a second thread of one would wait for the first one's slots


def run_shard(*, shard_id: int) -> None:
    """Process the rest of the shard, or requeue it and process one of another job whose turn it is.

    Each batch is a transaction; the last shard of a job queues ``finish_job``. Does nothing if the shard is
    done, its job is not active, or another worker holds it. Stored batches survive a crash: the next worker
    continues after them. Pauses a job whose track is archived, whose requester no longer organizes it, or
    whose backend is not installed. While another thread has the seat, any worker may take the message.
    """
    if not _seat.acquire(blocking=False):
        enqueue("judges.run_shard", shard_id)
        if _seat.acquire(timeout=SEAT_SECONDS):
            _seat.release()
        return
    with ExitStack() as seat:
        seat.callback(_seat.release)
        _run_seated(shard_id, leave=seat.close)


def _run_seated(shard_id: int, leave: Callable[[], None]) -> None:
    shard = Shard.objects.open().select_related("job__judge", "job__pool__task").filter(pk=shard_id).first()
    if shard is None:
        return
    turn = next_shard(tuple(_in_hand)) if shard.claimed_at is None else None
    if turn and turn.job_id != shard.job_id and _run_before(turn, shard, leave):
        return
    if shard.job_id in _in_hand:
        enqueue("judges.run_shard", shard.pk)
        leave()
        time.sleep(SEAT_SECONDS)
        return
    _run(shard, leave)


def _run_before(turn: Shard, shard: Shard, leave: Callable[[], None]) -> bool:
    """Run a shard of the job whose turn it is, and requeue the other one; False if it cannot run now."""
    is_run = True
    try:
        _run(turn, leave)
        is_run = not Shard.objects.free().filter(pk=turn.pk).exists()  # a budget may have no room now
    finally:
        if is_run:
            enqueue("judges.run_shard", shard.pk)
    return is_run


def _run(shard: Shard, leave: Callable[[], None]) -> None:
    if halt_refused(job=shard.job):
        return
    try:
        unit = shard.job.judge.unit
    except InputError as error:  # another package's backend, uninstalled or broken
        halt_job(job=shard.job, state=JobState.PAUSED, note=str(error))
        return
    _in_hand.add(shard.job_id)
    try:
        with bound(job=shard.job_id, shard=shard.pk), shard.hold() as is_free:
            if is_free:
                _run_held(shard, unit, leave)
    finally:
        _in_hand.discard(shard.job_id)
    if not shard.job.shards.open().exists():
        enqueue("judges.finish_job", shard.job_id)


def _run_held(shard: Shard, unit: Unit, leave: Callable[[], None]) -> None:
    try:
        if unit == Unit.BATCH:
            write_files(shard=shard)
        elif shard.side == ShardContent.PAIR:
            ask_pairs(shard=shard, leave=leave)
        elif claim_shard(shard=shard):
            _encode(shard)
    except Exception as error:
        _count_failure(shard, error)
        raise


def _count_failure(shard: Shard, error: Exception) -> None:
    """Count an attempt that failed before the shard was claimed; pause the job after ``ATTEMPTS`` of them.

    Claims count their attempts themselves, and sweeping releases a claimed shard.
    """
    row = Shard.objects.open().filter(pk=shard.pk, claimed_at__isnull=True)
    row.update(attempt_count=F("attempt_count") + 1)
    if row.filter(attempt_count__gte=ATTEMPTS).exists():
        note = f"A shard failed {ATTEMPTS} times: {first_line(error)}. Correct that, then resume the job."
        halt_job(job=shard.job, state=JobState.PAUSED, note=note)


def _encode(shard: Shard) -> None:
    try:
        encoder = loaded_encoder(shard.job.judge.settings)
    except InputError as error:
        give_up_shard(shard=shard, error=str(error))
        return
    note_self_test(judge=shard.job.judge, model=encoder)
    is_alone = shard.attempt_count > 1  # an input of the next batch crashed the previous worker
    while shard.encoded_count < shard.input_count:
        for batch in prepare_batches(shard=shard, encoder=encoder, is_alone=is_alone):
            if not _store(shard, batch, encode_batch(batch, encoder)):
                return
        is_alone = False
    if shard.side not in shard.job.text_sides:
        measure_images(shard=shard, encoder=encoder)
    Shard.objects.filter(pk=shard.pk).update(done_at=Now())


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
    encoded_count = shard.encoded_count
    shard.gaps |= batch.gaps
    shard.readings |= batch.readings
    shard.encoded_count += batch.size
    columns = {"gaps": shard.gaps, "readings": shard.readings, "encoded_count": shard.encoded_count}
    row = Shard.objects.open().filter(pk=shard.pk, encoded_count=encoded_count)
    return bool(row.update(attempt_count=0, **columns))


def prepare_batches(*, shard: Shard, encoder: Encoder, is_alone: bool = False) -> Iterator[Batch]:
    """Yield the shard's remaining batches, while threads decode the images of the next two.

    Skip images that another job has encoded, but count the tokens of all texts. Threads run no queries. With
    ``is_alone``, yield the inputs of the next batch one by one, and decode none ahead: so the sweep finds the
    input that crashes the worker.
    """
    is_text = shard.side in shard.job.text_sides
    size = encoder.batch_size * (TEXT_BATCHES if is_text else 1)
    inputs = shard.inputs[shard.encoded_count :][: size if is_alone else None]
    encoder_sha256 = shard.job.judge.settings.encoder_sha256
    hashes = [sha256 for _, sha256 in inputs]
    known = {*Embedding.objects.known(encoder_sha256, hashes), *TextPieces.objects.of(encoder_sha256, hashes)}
    names = [name for name, sha256 in inputs if is_text or sha256 not in known]
    by_name = shard.job.inputs(Side(shard.side), names)
    most = max((len(item.blobs) for item in by_name.values() if isinstance(item, ImageInput)), default=1)
    step = 1 if is_alone else max(1, size // most)
    parts = [inputs[start : start + step] for start in range(0, len(inputs), step)]
    batches = [build_batch(part, by_name, known, encoder) for part in parts]
    pieces = {piece for batch in batches for piece in (*batch.texts, *batch.shown)}
    encoded = Embedding.objects.known(encoder_sha256, pieces)
    for batch in batches:
        batch.texts = {sha256: text for sha256, text in batch.texts.items() if sha256 not in encoded}
        batch.shown = {sha256: image for sha256, image in batch.shown.items() if sha256 not in encoded}
    tasks = (partial(_prepared, image, encoder) for batch in batches for image in batch.shown.values())
    if is_alone:
        return _filled(batches, (task() for task in tasks))
    return _filled(batches, ahead(tasks, threads=encoder.decoder_count, most=2 * size))


def _prepared(image: ImageInput, encoder: Encoder) -> Prepared | Gap:
    """Read and decode an image; a gap if it is missing from storage or unreadable."""
    try:
        content = as_changed(Blob(sha256=stored_key(image.blob)).read(), image.blob)
    except FileNotFoundError:
        return Gap.IMAGE_MISSING
    except ImageUnreadable:
        return Gap.IMAGE_UNREADABLE
    return encoder.prepare_image(content, is_draft=image.is_draft)


def _filled(batches: Sequence[Batch], decoded: Iterator[Prepared | Gap]) -> Iterator[Batch]:
    """Yield the batches with their decoded images; those without one are gaps."""
    for batch in batches:
        add_images(batch, {sha256: next(decoded) for sha256 in batch.shown})
        yield batch
        batch.images = {}


def measure_images(*, shard: Shard, encoder: Encoder) -> None:
    """Store the largest distance between vectors of resized and of uploaded images, over a sample.

    The distance of two unit vectors bounds the difference of their cosines with any text. Only the first
    shard of a job's images is sampled; nothing is measured if the judge reads the uploaded images.
    """
    job = shard.job
    if job.judge.image_size == ORIGINAL or job.shards.filter(side=shard.side, pk__lt=shard.pk).exists():
        return
    sample = {name: sha256 for name, sha256 in shard.inputs[:SAMPLE] if name not in job.exchanges}
    used = Embedding.objects.vectors(job.judge.settings.encoder_sha256, list(sample.values()))
    originals = _originals(job, Side(shard.side), [name for name, sha256 in sample.items() if sha256 in used])
    if not originals:
        return
    vectors = encode_files(encoder, list(originals.values()))
    distances = [
        float(np.linalg.norm(used[sample[name]] - vector))
        for name, vector in zip(originals, vectors, strict=True)
        if isinstance(vector, np.ndarray)
    ]
    Shard.objects.filter(pk=shard.pk).update(image_distance=max(distances, default=None))


def _originals(job: Job, side: Side, names: list[str]) -> dict[str, bytes]:
    """Return the uploaded bytes of items with one image, without those missing from storage."""
    contents: dict[str, bytes] = {}
    for name, item in job.items(side, names).items():
        with suppress(FileNotFoundError):
            if item.image and not item.more_images:
                contents[name] = Blob(sha256=item.image.original_id).read()
    return contents
