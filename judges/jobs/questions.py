"""Requests of generators: split those of a job into shards, prepare them, keep to the endpoint's rates."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from django.db import connection, transaction
from django.db.models.functions import Now

from evaluation.collections.blobs import Blob
from judges.catalogue.models import Judge, Rate
from judges.jobs.calls import Call, CallState
from judges.jobs.exchanges import probed_prompt
from judges.jobs.models import Job
from judges.jobs.money import LedgerEntry
from judges.jobs.shards import Shard, ShardContent
from trackside.code_version import code_version
from trackside.image_errors import ImageUnreadable
from trackside.images import MAX_SIDE, for_model
from trackside.judging.costs import Meter, taken, tokens_of, wait
from trackside.judging.endpoints.clients import spellings
from trackside.judging.inputs import Gap, PairInputs, shown_pair
from trackside.judging.judge import Unit
from trackside.judging.pictures import as_changed, stored_key
from trackside.judging.settings import ORIGINAL, SMALL

# The request key covers judge, model, prompt, decoding, text and image: equal keys, equal requests. The
# lateral join looks each key up by itself: with stale statistics PostgreSQL may otherwise compare all rows
# with all rows for minutes.
FROM_STORE = """
    UPDATE judges_call AS call SET
        state = 'done', outcome = stored.outcome, raw_score = stored.raw_score,
        expected_score = stored.expected_score, raw_answer = stored.raw_answer,
        finish_reason = stored.finish_reason, input_tokens = stored.input_tokens,
        output_tokens = stored.output_tokens, code_version = stored.code_version,
        is_from_store = true, ended_at = now()
    FROM judges_call AS asked CROSS JOIN LATERAL (
        SELECT * FROM judges_call AS done
        WHERE done.state = 'done' AND done.request_key = asked.request_key
        ORDER BY done.ended_at LIMIT 1
    ) AS stored
    WHERE asked.job_id = %s AND asked.state = 'waiting' AND call.id = asked.id
        AND (%s::text[] IS NULL OR asked.request_key = ANY(%s))
"""


def answer_from_store(*, job: Job, keys: Sequence[str] | None = None) -> None:
    """End the job's waiting calls, or those with these request keys, by stored answers, at no cost."""
    request_keys = None if keys is None else list(keys)
    with connection.cursor() as cursor:
        cursor.execute(FROM_STORE, [job.pk, request_keys, request_keys])


PAIRS = 64  # approximate pairs of a generator's shard: some minutes at a slow endpoint
FILE_PAIRS = 5_000  # pairs of a shard that is sent as files: about 200 MB of images of 336 px


def split_requests(*, job: Job) -> list[Shard]:
    """Return unsaved shards with the job's distinct requests, without those that have a stored answer.

    Pairs are split by topic, so that an endpoint's prefix cache works for whole topics; files by their size.
    """
    answer_from_store(job=job)
    parts: list[list[tuple[str, list[object]]]] = []
    requests = _requests(job)
    if job.judge.unit == Unit.PAIR:
        for _, topic_rows in groupby(requests, key=itemgetter(0)):
            rows = list(topic_rows)
            count = max(1, round(len(rows) / PAIRS))
            parts += [rows[nth * len(rows) // count : (nth + 1) * len(rows) // count] for nth in range(count)]
    else:
        parts = [requests[start : start + FILE_PAIRS] for start in range(0, len(requests), FILE_PAIRS)]
    return [
        Shard(job=job, side=ShardContent.PAIR, inputs=[row for _, row in part], input_count=len(part))
        for part in parts
    ]


def _requests(job: Job) -> list[tuple[str, list[object]]]:
    """Return topic, call and request key of each distinct request, ordered by topic."""
    rows = job.calls.waiting().order_by("topic", "docno").values_list("topic", "pk", "request_key")
    requests = {key: (topic, [pk, key]) for topic, pk, key in reversed(rows)}
    return list(reversed(requests.values()))


def fail_calls(*, job: Job, gaps: Iterable[tuple[Call, Gap]]) -> None:
    """End the waiting calls with their gaps, and all calls of the job with the same request."""
    for call, gap in gaps:
        ending = {
            "state": CallState.FAILED,
            "outcome": gap,
            "ended_at": Now(),
            "code_version": code_version(),
        }
        job.calls.waiting().filter(request_key=call.request_key).update(**ending)


@dataclass(frozen=True)
class Question:
    """A call with its prompt; images are not loaded yet, only their blobs' keys, in order.

    ``bound`` is the maximum cost in micros, ``tokens`` the estimate that counts against a rate per minute,
    ``image_size`` the judge's.
    """

    call: Call
    texts: tuple[str | None, ...]  # None at the place of an image
    blobs: tuple[str, ...]
    bound: int
    tokens: int
    image_size: str

    def parts(self) -> tuple[str | bytes, ...] | Gap:
        """Return the prompt with the images' bytes, or why an image cannot be shown."""
        return prompt_parts(self.texts, self.blobs, self.image_size)


def prompt_parts(
    texts: Sequence[str | None], blobs: Sequence[str], image_size: str
) -> tuple[str | bytes, ...] | Gap:
    """Return a prompt with its images in the judge's size at the places of None, or a gap."""
    try:
        images = [Blob(sha256=stored_key(blob)).read() for blob in blobs]
        if image_size != SMALL:
            side = MAX_SIDE if image_size == ORIGINAL else int(image_size)
            images = [for_model(image, longest_side=side) for image in images]
        images = [as_changed(image, blob) for image, blob in zip(images, blobs, strict=True)]
    except FileNotFoundError:
        return Gap.IMAGE_MISSING
    except ImageUnreadable:
        return Gap.IMAGE_UNREADABLE
    pictures = iter(images)
    return tuple(next(pictures) if text is None else text for text in texts)


def prepare_asks(*, job: Job, calls: Sequence[Call]) -> list[Question | tuple[Call, Gap]]:
    """Return a question for each call, or its gap, in the calls' order; reads no image."""
    pairs = job.pair_inputs([(call.topic, call.docno) for call in calls])
    return [_question(job, call, pair) for call, pair in zip(calls, pairs, strict=True)]


def _question(job: Job, call: Call, pair: PairInputs) -> Question | tuple[Call, Gap]:
    for part, planned in zip(pair, (call.topic_input, call.document_input), strict=True):
        if isinstance(part, Gap):
            return call, part
        if part.sha256 != planned:
            return call, Gap.ITEM_CHANGED
    template = probed_prompt(job.judge, job.exchanges.get(call.docno))
    prompt = shown_pair(template, *pair, number=call.topic)
    if prompt is None:  # a task kind that the prompt does not show
        return call, Gap.ITEM_CHANGED
    texts, blobs = prompt
    judge = job.judge
    bound = job.rates.bound(texts, judge.max_tokens)
    tokens = tokens_of(texts, job.image_tokens, judge.max_tokens)
    return Question(call, texts, blobs, bound, tokens, judge.image_size)


def find_questions(*, shard: Shard) -> list[Question]:
    """Return a question for each waiting call of the shard, by topic; end calls without an input.

    Also end calls that another job has answered since this one was planned.
    """
    answer_from_store(job=shard.job, keys=[key for _, key in shard.inputs])
    calls = shard.job.calls.waiting().filter(pk__in=[pk for pk, _ in shard.inputs])
    prepared = prepare_asks(job=shard.job, calls=list(calls.order_by("topic", "docno")))
    fail_calls(job=shard.job, gaps=(item for item in prepared if not isinstance(item, Question)))
    return [item for item in prepared if isinstance(item, Question)]


FULL_WAIT = 0.2  # seconds until the next check whether a request in flight has ended


@dataclass(frozen=True)
class Admission:
    """The number of requests that may be sent now, and the seconds until the next one may."""

    count: int
    wait: float


def admit_requests(*, judge: Judge, tokens: Sequence[int]) -> Admission:
    """Admit as many requests with these tokens, in order, as the endpoint's rates allow now.

    Call it in the transaction that writes the requests to the ledger: its lock makes other workers wait, so
    that all workers together keep to the rates. Without rates all requests may be sent.
    """
    with transaction.atomic():
        rates = list(Rate.objects.of(judge).select_for_update())
        if not rates:
            return Admission(len(tokens), 0.0)
        now = _now()
        meters = [meter for rate in rates for meter in _meters(rate)]
        room = min(_room(rate, len(tokens)) for rate in rates)
        costs = [[cost for rate in rates for cost in _costs(rate, token)] for token in tokens[:room]]
        count, new_meters = taken(meters, costs, now)
        states = iter(new_meters)
        for rate in rates:
            rate.requests_free_at = next(states).free_at if rate.requests_per_minute else 0
            rate.tokens_free_at = next(states).free_at if rate.tokens_per_minute else 0
            rate.save(update_fields=["requests_free_at", "tokens_free_at"])
        return Admission(count, max(wait(new_meters, now), 0.0 if room else FULL_WAIT))


def _now() -> float:
    """Return the database's current time: now() would be the time before the wait for the lock."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
        return float(cursor.fetchone()[0])


def _meters(rate: Rate) -> list[Meter]:
    limits = (
        (rate.requests_per_minute, rate.requests_free_at),
        (rate.tokens_per_minute, rate.tokens_free_at),
    )
    return [Meter(per_minute, free_at) for per_minute, free_at in limits if per_minute]


def _costs(rate: Rate, tokens: int) -> list[int]:
    """Return the cost of a request on each meter of the rate."""
    return [1] * bool(rate.requests_per_minute) + [tokens] * bool(rate.tokens_per_minute)


def _room(rate: Rate, count: int) -> int:
    """Return how many more requests may be in flight."""
    if rate.in_flight is None:
        return count
    entries = LedgerEntry.objects.open().filter(file=None, job__judge__endpoint__in=spellings(rate.endpoint))
    if rate.model:
        entries = entries.filter(job__judge__model=rate.model)
    return max(0, min(count, rate.in_flight - entries.count()))
