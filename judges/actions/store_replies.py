"""Store what came of requests: the answers, and their place in the ledger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import connection, transaction

from evaluation.core.code_version import code_version
from judges.actions.halt_job import halt_job
from judges.core.answers import SCORED
from judges.core.asking import Fault
from judges.core.costs import amount
from judges.models import Call, Job, JobState, LedgerEntry, Price, Shard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judges.core.asking import Reply

TRIES = 3  # then a pair is parked: it fails with its last fault, and the job goes on without it

OVER_BOUND = (
    "An answer cost {cost}, and was to cost {bound} at most, with {tokens} tokens for an image. "
    'Raise the tokens of an image in the price "{price}", cancel this job and start it again: '
    "what it has answers to is free."
)

SETTLE = """
    UPDATE {ledger} AS entry SET
        cost_micros = ended.cost, input_tokens = ended.input_tokens, output_tokens = ended.output_tokens,
        outcome = ended.outcome, detail = ended.detail, ended_at = now()
    FROM unnest(%s::uuid[], %s::bigint[], %s::int[], %s::int[], %s::text[], %s::text[])
        AS ended (id, cost, input_tokens, output_tokens, outcome, detail)
    WHERE entry.id = ended.id AND entry.ended_at IS NULL
"""

# A reply ends every call of the job that asks the same; "" as state leaves a call waiting for its next try.
APPLY = """
    UPDATE {calls} AS call SET
        state = CASE WHEN reply.state = '' THEN 'waiting' ELSE reply.state END,
        outcome = CASE WHEN reply.state = '' THEN '' ELSE reply.outcome END,
        ended_at = CASE WHEN reply.state = '' THEN NULL ELSE now() END,
        raw_score = reply.raw_score, expected_score = reply.expected_score, raw_answer = reply.raw_answer,
        finish_reason = reply.finish_reason, input_tokens = reply.input_tokens,
        output_tokens = reply.output_tokens, latency_ms = reply.latency_ms,
        attempt_count = call.attempt_count + 1, code_version = %s
    FROM unnest(
        %s::text[], %s::text[], %s::text[], %s::float8[], %s::float8[], %s::text[], %s::text[], %s::int[],
        %s::int[], %s::int[]
    ) AS reply (
        key, state, outcome, raw_score, expected_score, raw_answer, finish_reason, input_tokens,
        output_tokens, latency_ms
    )
    WHERE call.job_id = %s AND call.request_key = reply.key AND call.state = 'waiting'
"""


@dataclass(frozen=True)
class Answered:
    """A reply with the request it belongs to; ``tries`` counts the one it ends."""

    reply: Reply
    entry: LedgerEntry
    tries: int
    cost: int

    @property
    def is_over(self) -> bool:
        """Whether the pair has its end: an answer, a fault that would come again, or its last try."""
        fault = self.reply.fault
        if fault is Fault.NOT_ASKED:
            return False
        return fault is None or fault is Fault.REQUEST_REFUSED or self.tries >= TRIES

    @property
    def outcome(self) -> str:
        """The outcome of the answer, or the fault."""
        reading = self.reply.reading
        return reading.outcome if reading else str(self.reply.fault)

    @property
    def state(self) -> str:
        """The state that the call gets; empty where it goes on waiting."""
        if not self.is_over:
            return ""
        reading = self.reply.reading
        return "done" if reading and reading.outcome in SCORED else "failed"


@transaction.atomic
def store_replies(*, shard: Shard, answered: Sequence[Answered], deaths: int = 0) -> None:
    """Store the replies to requests of one shard, and count the pairs that have their end.

    A stored ending shows that the shard gets on: of the workers that it ended, ``deaths`` go on counting. A
    reply that cost more than its bound pauses the job: a cap is kept by bounds alone.
    """
    entries = [each.entry for each in answered]
    tokens = [each.reply.usage for each in answered]
    inputs = [used.input_tokens if used else None for used in tokens]
    outputs = [used.output_tokens if used else None for used in tokens]
    with connection.cursor() as cursor:
        cursor.execute(
            SETTLE.format(ledger=LedgerEntry._meta.db_table),  # noqa: SLF001 - Django's documented name
            [
                [entry.pk for entry in entries],
                [each.cost for each in answered],
                inputs,
                outputs,
                [each.outcome for each in answered],
                [each.reply.detail for each in answered],
            ],
        )
        tried = [each for each in answered if each.reply.fault is not Fault.NOT_ASKED]
        cursor.execute(
            APPLY.format(calls=Call._meta.db_table),  # noqa: SLF001 - as above
            [code_version(), *_columns(tried), shard.job_id],
        )
    ended = sum(each.is_over for each in answered)
    if ended:
        shard.encoded_count += ended
        counted = {"encoded_count": shard.encoded_count, "attempt_count": deaths}
        Shard.objects.filter(pk=shard.pk).update(**counted)
    _check_bounds(shard.job, answered)


def _check_bounds(job: Job, answered: Sequence[Answered]) -> None:
    over = next((each for each in answered if each.cost > each.entry.bound_micros), None)
    if over is None:
        return
    price, bound = Price.objects.of(job.judge), over.entry.bound_micros
    note = OVER_BOUND.format(
        cost=amount(over.cost), bound=amount(bound), tokens=job.image_tokens, price=price or job.judge.model
    )
    halt_job(job=job, state=JobState.PAUSED, note=note)


def _columns(answered: Sequence[Answered]) -> list[list[object]]:
    rows = [
        (
            each.entry.request_key,
            each.state,
            each.outcome,
            each.reply.reading.score if each.reply.reading else None,
            each.reply.expected_score,
            each.reply.text,
            each.reply.finish_reason,
            each.reply.usage.input_tokens if each.reply.usage else None,
            each.reply.usage.output_tokens if each.reply.usage else None,
            each.reply.latency_ms,
        )
        for each in answered
    ]
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(10)]
