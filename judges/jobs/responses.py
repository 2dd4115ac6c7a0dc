"""Store the responses of endpoints: the ledger, the calls, and the shard's progress."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection, transaction

from judges.jobs.models import Job
from judges.jobs.money import LedgerEntry, Price
from judges.jobs.scheduling import halt_job
from judges.jobs.shards import JobState, RequestFile, Shard
from trackside.code_version import code_version
from trackside.judging.answers import SCORED
from trackside.judging.asking import EndpointError, Response
from trackside.judging.costs import amount

TRIES = 3  # then a pair is parked: it fails with its last fault, and the job continues without it

OVER_BOUND = (
    "An answer cost {cost}, above its bound of {bound}, with {tokens} tokens for an image. "
    'Raise the tokens of an image in the price "{price}", cancel this job and start it again: '
    "stored answers are free."
)

OVER_OUTPUT = (
    "An answer cost {cost}, above its bound of {bound}: {output:,} output tokens were billed, {thoughts:,} "
    "of them thoughts, but the judge asks for {most:,} at most. Cancel this job and make a judge whose model "
    "does not think, or one that asks for as many."
)

# A response ends its entry and, if something was asked, every call of the job with the same request. The
# state "" leaves a call waiting for a retry.
STORE_RESPONSES = """
    WITH response AS (SELECT * FROM unnest(
        %s::uuid[], %s::text[], %s::bigint[], %s::text[], %s::text[], %s::bool[], %s::text[], %s::float8[],
        %s::float8[], %s::text[], %s::text[], %s::int[], %s::int[], %s::int[], %s::int[]
    ) AS response (
        id, key, cost, outcome, detail, is_asked, state, raw_score,
        expected_score, raw_answer, finish_reason, input_tokens, output_tokens, thought_tokens,
        latency_ms
    )), settled AS (
        UPDATE judges_ledgerentry AS entry SET
            cost_micros = response.cost, input_tokens = response.input_tokens,
            output_tokens = response.output_tokens, thought_tokens = response.thought_tokens,
            outcome = response.outcome, detail = response.detail,
            ended_at = now()
        FROM response WHERE entry.id = response.id AND entry.ended_at IS NULL
    )
    UPDATE judges_call AS call SET
        state = CASE WHEN response.state = '' THEN 'waiting' ELSE response.state END,
        outcome = CASE WHEN response.state = '' THEN '' ELSE response.outcome END,
        ended_at = CASE WHEN response.state = '' THEN NULL ELSE now() END,
        raw_score = response.raw_score, expected_score = response.expected_score,
        raw_answer = response.raw_answer, finish_reason = response.finish_reason,
        input_tokens = response.input_tokens, output_tokens = response.output_tokens,
        latency_ms = response.latency_ms, attempt_count = call.attempt_count + 1, code_version = %s
    FROM response
    WHERE response.is_asked
        AND call.job_id = %s AND call.request_key = response.key AND call.state = 'waiting'
"""


@dataclass(frozen=True)
class LoggedResponse:
    """A response with its request; ``tries`` includes this one."""

    response: Response
    entry: LedgerEntry
    tries: int
    cost: int

    @property
    def is_over(self) -> bool:
        """Whether the pair has ended: by an answer, a permanent fault, or its last try."""
        fault = self.response.fault
        if fault is EndpointError.NOT_ASKED:
            return False
        return fault is None or fault is EndpointError.REQUEST_REFUSED or self.tries >= TRIES

    @property
    def outcome(self) -> str:
        """The outcome of the answer, or the fault."""
        reading = self.response.reading
        return reading.outcome if reading else str(self.response.fault)

    @property
    def state(self) -> str:
        """The new state of the call; empty if it keeps waiting."""
        if not self.is_over:
            return ""
        reading = self.response.reading
        return "done" if reading and reading.outcome in SCORED else "failed"


@transaction.atomic
def store_responses(*, shard: Shard, logged: Sequence[LoggedResponse], deaths: int = 0) -> None:
    """Store the responses to requests of one shard, and count the finished pairs.

    A finished pair is progress and resets the shard's ``attempt_count`` to ``deaths``. A response that cost
    more than its bound pauses the job, because caps rely on the bounds.
    """
    columns = [list(column) for column in zip(*map(_row, logged), strict=True)]
    with connection.cursor() as cursor:
        cursor.execute(STORE_RESPONSES, [*columns, code_version(), shard.job_id])
    ended_count = sum(log.is_over for log in logged)
    if ended_count:
        shard.encoded_count += ended_count
        progress = {"encoded_count": shard.encoded_count, "attempt_count": deaths}
        Shard.objects.filter(pk=shard.pk).update(**progress)
    _check_bounds(shard.job, logged)


def _check_bounds(job: Job, logged: Sequence[LoggedResponse]) -> None:
    over = next((log for log in logged if log.cost > log.entry.bound_micros), None)
    if over is None:
        return
    usage, most, bound = over.response.usage, job.judge.max_tokens, over.entry.bound_micros
    costs = {"cost": amount(over.cost), "bound": amount(bound)}
    if usage and usage.output_tokens > most:
        counts = {"output": usage.output_tokens, "thoughts": usage.thought_tokens, "most": most}
        note = OVER_OUTPUT.format(**costs, **counts)
    else:
        price = Price.objects.of(job.judge) or job.judge.model
        note = OVER_BOUND.format(**costs, tokens=job.image_tokens, price=price)
    halt_job(job=job, state=JobState.PAUSED, note=note)


def _row(log: LoggedResponse) -> tuple[object, ...]:
    """Return the columns of STORE_RESPONSES."""
    response, usage = log.response, log.response.usage
    return (
        log.entry.pk,
        log.entry.request_key,
        log.cost,
        log.outcome,
        response.detail,
        response.fault is not EndpointError.NOT_ASKED,
        log.state,
        response.reading.score if response.reading else None,
        response.expected_score,
        response.text,
        response.finish_reason,
        usage.input_tokens if usage else None,
        usage.output_tokens if usage else None,
        usage.thought_tokens if usage else None,
        response.latency_ms,
    )


AT_ONCE = 500  # responses in one transaction


def store_answers(*, file: RequestFile, responses: Sequence[Response]) -> None:
    """Store the responses to the file's open requests, AT_ONCE per transaction.

    Safe to call again after a crash: stored requests are not open.
    """
    entries = {str(entry): entry for entry in file.ledger.open()}
    job = file.shard.job
    keys = [entry.request_key for entry in entries.values()]
    counts = job.calls.filter(request_key__in=keys).values_list("request_key", "attempt_count")
    tries = dict(counts)
    logged = [
        LoggedResponse(
            response,
            entry,
            tries[entry.request_key] + 1,
            job.rates.charged(response, entry.bound_micros),
        )
        for response in responses
        if (entry := entries.get(response.id))
    ]
    for start in range(0, len(logged), AT_ONCE):
        store_responses(shard=file.shard, logged=logged[start : start + AT_ONCE])
