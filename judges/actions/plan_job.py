"""Settle what the judge is shown of each waiting pair, and cut what it must encode into shards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from django.db import connection, transaction

from evaluation.actions.enqueue import enqueue
from evaluation.core.code_version import code_version
from judges.actions.answer_from_store import answer_from_store
from judges.core.inputs import Gap, Input
from judges.core.judge import Unit
from judges.models import Call, Embedding, Job, Part, Shard, Side, TextPieces

PAIRS = 64  # pairs of a generator's shard, about: some minutes at a slow endpoint
FILE_PAIRS = 5_000  # pairs of a shard that goes out as files: about 200 MB of images of 336 px
SHARD_SIZE = 512  # inputs: minutes of a large model on a CPU, far from the hour after which the queue resends


class Columns(NamedTuple):
    """Where a call keeps one side of its pair: its name, and the SHA-256 of what is shown of it."""

    name: str
    shown: str


COLUMNS = {Side.TOPIC: Columns("topic", "topic_input"), Side.DOCUMENT: Columns("docno", "document_input")}

SET_INPUTS = """
    UPDATE {calls} SET
        topic_input = topics.input,
        document_input = documents.input,
        request_key = encode(sha256(convert_to(%s || topics.input || documents.input, 'UTF8')), 'hex'),
        state = CASE WHEN topics.gap || documents.gap = '' THEN 'waiting' ELSE 'failed' END,
        outcome = coalesce(nullif(topics.gap, ''), documents.gap),
        ended_at = CASE WHEN topics.gap || documents.gap = '' THEN NULL ELSE now() END,
        code_version = %s
    FROM unnest(%s::text[], %s::text[], %s::text[]) AS topics (name, input, gap),
         unnest(%s::text[], %s::text[], %s::text[]) AS documents (name, input, gap)
    WHERE job_id = %s AND state = 'waiting' AND topic = topics.name AND docno = documents.name
"""


@transaction.atomic
def plan_job(*, job: Job) -> None:
    """Name the inputs of the job's waiting calls, fail those that have none, and queue shards for the rest.

    For an encoder each unique text or image stands in one shard; those that some judge had encoded before
    stand in none. Of requests each that differs from all others stands in one shard; what the same judge
    answered in an earlier job is taken over, for free. An ensemble is shown nothing.
    """
    if job.judge.unit == Unit.JUDGES:
        enqueue("judges.finish_job", job.pk)
        return
    _set_inputs(job, {side: _shown(job, side) for side in Side})
    if job.judge.unit.is_asked:
        answer_from_store(job=job)
        shards = list(_pair_shards(job) if job.judge.unit == Unit.PAIR else _file_shards(job))
    else:
        shards = [shard for side in Side for shard in _shards(job, side)]
    for shard in Shard.objects.bulk_create(shards):
        enqueue("judges.run_shard", shard.pk)
    if not shards:
        enqueue("judges.finish_job", job.pk)


def _shown(job: Job, side: Side) -> dict[str, Input | Gap]:
    column = COLUMNS[side].name
    names = job.calls.waiting().order_by(column).values_list(column, flat=True).distinct()
    return job.inputs(side, list(names))


def _set_inputs(job: Job, shown: Mapping[Side, Mapping[str, Input | Gap]]) -> None:
    sides = [column for side in Side for column in _arrays(shown[side])]
    with connection.cursor() as cursor:
        cursor.execute(
            SET_INPUTS.format(calls=Call._meta.db_table),  # noqa: SLF001 - Django's documented way to a table's name
            [job.judge.identity_sha256, code_version(), *sides, job.pk],
        )


def _arrays(shown: Mapping[str, Input | Gap]) -> tuple[list[str], list[str], list[str]]:
    """Names, inputs and gaps; of the latter two one is empty."""
    inputs = ["" if isinstance(each, Gap) else each.sha256 for each in shown.values()]
    gaps = [each.value if isinstance(each, Gap) else "" for each in shown.values()]
    return list(shown), inputs, gaps


def _shards(job: Job, side: Side) -> Iterator[Shard]:
    name, shown = COLUMNS[side]
    encoder = job.judge.settings.encoder_sha256
    new = job.calls.waiting().order_by(shown, name).distinct(shown)
    for known in (Embedding, TextPieces):
        met = known.objects.filter(encoder_sha256=encoder).values("input_sha256")
        new = new.exclude(**{f"{shown}__in": met})
    inputs = [list(row) for row in new.values_list(name, shown)]
    for start in range(0, len(inputs), SHARD_SIZE):
        part = inputs[start : start + SHARD_SIZE]
        yield Shard(job=job, side=side, inputs=part, input_count=len(part))


def _pair_shards(job: Job) -> Iterator[Shard]:
    """The distinct requests topic by topic, so that an endpoint's prefix cache serves whole topics."""
    for _, of_topic in groupby(_requests(job), key=itemgetter(0)):
        inputs = [each for _, each in of_topic]
        part_count = max(1, round(len(inputs) / PAIRS))
        for part in range(part_count):
            own = inputs[part * len(inputs) // part_count : (part + 1) * len(inputs) // part_count]
            yield Shard(job=job, side=Part.PAIR, inputs=own, input_count=len(own))


def _file_shards(job: Job) -> Iterator[Shard]:
    """The distinct requests in shards about as large as a file of them may be."""
    inputs = [each for _, each in _requests(job)]
    for start in range(0, len(inputs), FILE_PAIRS):
        own = inputs[start : start + FILE_PAIRS]
        yield Shard(job=job, side=Part.PAIR, inputs=own, input_count=len(own))


def _requests(job: Job) -> list[tuple[str, list[object]]]:
    """The topic, and the call and the request key, of each distinct request, topic by topic."""
    rows = job.calls.waiting().order_by("topic", "docno").values_list("topic", "pk", "request_key")
    first = {key: (topic, [pk, key]) for topic, pk, key in reversed(rows)}
    return list(reversed(first.values()))
