"""Measure how much of each text a judge reads, the error of small images and a job's work; mail its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from django.conf import settings
from django.core.mail import send_mail
from django.db.models import Sum
from django.urls import reverse

from evaluation.access.people import Role, User
from evaluation.collections.blobs import Blob
from evaluation.tracks.models import Track
from judges.core.asking import EndpointError
from judges.core.costs import FREE_OF_CHARGE, amount
from judges.core.inputs import FieldsInput
from judges.core.judge import Unit, encode_files
from judges.core.settings import ORIGINAL
from judges.core.texts import FieldReading, TextsSeen, sum_readings, sum_whole_texts
from judges.jobs.embeddings import Embedding
from judges.jobs.models import Job, Side
from judges.jobs.shards import Shard
from judges.registry import backend_class

if TYPE_CHECKING:
    from judges.core.judge import Encoder

SAMPLE = 32  # images of a job whose distance is measured


def measure_texts(*, job: Job) -> TextsSeen | None:
    """Count the texts of the job's pool without canaries, and how much of each field was read.

    An encoder counts the tokens of each text with its shard. A generator that refuses prompts beyond its
    limit reads every text whole; its tokens by field are not counted. None for all other judges: an endpoint
    may cut a prompt silently, and imported scores and ensembles read no text here.
    """
    if job.judge.unit == Unit.INPUT:
        return _of_encoder(job)
    if job.judge.unit.is_asked and backend_class(job.judge.backend).refuses_long_texts:
        return _of_generator(job)
    return None


def _of_encoder(job: Job) -> TextsSeen:
    shards = job.shards.filter(side=job.text_side).values_list("readings", flat=True)
    by_input = {sha256: reading for readings in shards for sha256, reading in readings.items()}
    found = [by_input[sha256] for sha256 in _inputs(job).values() if sha256 in by_input]
    return sum_readings([FieldReading(*each) for each in reading] for reading in found)


def _of_generator(job: Job) -> TextsSeen:
    shown = job.inputs(job.text_side, list(_inputs(job)))
    texts = [each.fields for each in shown.values() if isinstance(each, FieldsInput)]
    return sum_whole_texts([name for name, text in fields if text.strip()] for fields in texts)


def _inputs(job: Job) -> dict[str, str]:
    """Return the input's SHA-256 of each readable text of the pool, by topic or docno."""
    columns = ("topic", "topic_input") if job.text_side == Side.TOPIC else ("docno", "document_input")
    calls = job.calls.of_pool().exclude(**{columns[1]: ""}).order_by(columns[0])
    return dict(calls.values_list(*columns).distinct())


def measure_images(*, shard: Shard, encoder: Encoder) -> None:
    """Store the largest distance between vectors of resized and of uploaded images, over a sample.

    The distance of two unit vectors bounds the difference of their cosines with any text. Only the first
    shard of a job's images is sampled; nothing is measured if the judge reads the uploaded images.
    """
    job = shard.job
    if job.judge.image_size == ORIGINAL or job.shards.filter(side=shard.side, pk__lt=shard.pk).exists():
        return
    sample = dict(shard.inputs[:SAMPLE])
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
    """Return the uploaded bytes of the named items' images, without those missing from storage."""
    found: dict[str, bytes] = {}
    for name, item in job.items(side, names).items():
        try:
            found |= {name: Blob(sha256=item.image.original_id).read()} if item.image else {}
        except FileNotFoundError:
            continue
    return found


@dataclass(frozen=True, slots=True)
class Work:
    """The work of a job. None is unknown, and never 0.

    ``pair_count`` counts the pairs of the pool. The next seven are None for judges without requests:
    ``asked_count`` counts the pairs, with canaries, that this job sent to the model; ``stored_count`` the
    pairs of the pool that an earlier job of the judge had answered, at no cost here; ``request_count`` the
    requests sent, with retries.

    Tokens and cost are sums over all requests: 1,000 pairs cost 1,000 times the cost over ``asked_count``.
    Tokens are None if no response reported any, the cost is None if the job had no price; a request with an
    unknown bill is charged at its upper bound. ``cost_micros`` are millionths of ``currency``, an ISO 4217
    code, None if the site sets none. ``latency_seconds`` sums the time from each pair's last request to its
    response, ``duration_seconds`` is from the first shard to the end of the job, with pauses and retries.
    """

    pair_count: int
    asked_count: int | None
    stored_count: int | None
    request_count: int | None
    input_tokens: int | None
    output_tokens: int | None
    cost_micros: int | None
    currency: str | None
    latency_seconds: float | None
    duration_seconds: float | None


def measure_work(*, job: Job) -> Work:
    """Sum up the work of a completed job."""
    pairs = job.calls.of_pool()
    is_asked = job.judge.unit.is_asked
    requests = job.ledger.exclude(outcome=EndpointError.NOT_ASKED)
    tokens = requests.aggregate(inputs=Sum("input_tokens"), outputs=Sum("output_tokens"))
    own = job.calls.filter(is_from_store=False)
    latency_ms: int | None = own.aggregate(total=Sum("latency_ms"))["total"]
    has_price = is_asked and job.rates != FREE_OF_CHARGE
    return Work(
        pair_count=pairs.count(),
        asked_count=own.filter(attempt_count__gt=0).count() if is_asked else None,
        stored_count=pairs.filter(is_from_store=True).count() if is_asked else None,
        request_count=requests.count() if is_asked else None,
        input_tokens=tokens["inputs"],
        output_tokens=tokens["outputs"],
        cost_micros=job.ledger.all().total() if has_price else None,
        currency=settings.CURRENCY or None if has_price else None,
        latency_seconds=None if latency_ms is None else latency_ms / 1000,
        duration_seconds=_duration(job),
    )


def _duration(job: Job) -> float | None:
    """Return None for a job without shards: its scores are from a file, stored answers or members."""
    if job.started_at is None or job.finished_at is None or job.shards.count() == 0:
        return None
    return (job.finished_at - job.started_at).total_seconds()


def mail_end(*, job_id: int) -> None:
    """Queue a mail with the state, the outcomes and the cost of a job that is over or halted.

    It goes to the person who started or last resumed the job. If they no longer organize the track, it goes
    to the track's organizers.
    Call it in the transaction that ends the job: the mail is a row then, which no lost message can lose.
    """
    job = Job.objects.select_related("judge", "created_by", "resumed_by", "pool__task__track").get(pk=job_id)
    task = job.pool.task
    path = reverse("job_detail", args=[task.track.slug, task.slug, job.pk])
    lines = [
        f"The job of {job.judge} on {job.pool} is {job.get_state_display()}.",
        *([job.note] if job.note else []),
        *(f"{outcome}: {count:,}" for outcome, count in job.outcome_counts().items()),
        f"Cost: {amount(job.ledger.all().total())}",
        f"{settings.SITE_URL}{path}",
    ]
    subject = f"{job.judge} on {job.pool.name}: {job.get_state_display()}"
    for address in _addresses(job):
        send_mail(subject, "\n".join(lines), None, [address])


def _addresses(job: Job) -> list[str]:
    track = job.pool.task.track
    people = User.objects.filter(is_active=True)
    person = people.filter(pk=job.requester.pk).first()  # a new object, which caches no roles
    if person and Track.objects.organized_by(person).contains(track):
        return [person.email]
    organizers = people.filter(memberships__track=track, memberships__role=Role.ORGANIZER)
    return list(organizers.order_by("pk").values_list("email", flat=True))
