"""Measure how much of each text a judge reads, and the requests, tokens, money and time of a job."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.db.models import Sum

from judges.core.asking import Fault
from judges.core.costs import FREE_OF_CHARGE
from judges.core.inputs import FieldsInput
from judges.core.judge import Unit
from judges.core.texts import FieldReading, TextsSeen, sum_readings, sum_whole_texts
from judges.jobs.models import Side
from judges.registry import backend_class

if TYPE_CHECKING:
    from judges.jobs.models import Job


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


@dataclass(frozen=True, slots=True)
class Work:
    """The work of a job. None is unknown, and never 0.

    ``pair_count`` counts the pairs of the pool. The next seven are None for judges without requests:
    ``asked_count`` counts the pairs, with canaries, that this job sent to the model; ``stored_count`` the
    pairs of the pool that an earlier job of the judge had answered, at no cost here; ``request_count`` the
    requests sent, with retries.

    Tokens and cost are sums over all requests: 1,000 pairs cost 1,000 times the cost over ``asked_count``.
    Tokens are None if no reply reported any, the cost is None if the job had no price; a request with an
    unknown bill is charged at its upper bound. ``cost_micros`` are millionths of ``currency``, an ISO 4217
    code, None if the site sets none. ``latency_seconds`` sums the time from each pair's last request to its
    reply, ``duration_seconds`` is from the first shard to the end of the job, with pauses and retries.
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
    requests = job.ledger.exclude(outcome=Fault.NOT_ASKED)
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
    """None for a job without shards: its scores came from a file, from the store or from members."""
    if job.started_at is None or job.finished_at is None or job.shards.count() == 0:
        return None
    return (job.finished_at - job.started_at).total_seconds()
