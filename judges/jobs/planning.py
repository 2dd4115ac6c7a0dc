"""Plan a job: reuse stored answers, resolve inputs, split the rest into shards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from io import BytesIO
from itertools import groupby
from operator import itemgetter
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from django.db import connection, transaction
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from evaluation.collections.storing import store_images
from evaluation.core.code_version import code_version
from evaluation.work.queueing import enqueue
from judges.core.canaries import CANARIES
from judges.core.inputs import Gap, Input
from judges.core.judge import Unit
from judges.jobs.calls import Call, CanaryImage
from judges.jobs.embeddings import Embedding
from judges.jobs.models import Job, ShardContent, Side
from judges.jobs.shards import Shard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from judges.core.canaries import Canary

# The request key covers judge, model, prompt, decoding, text and image: equal keys, equal requests. The
# lateral join looks each key up by itself: with stale statistics PostgreSQL may otherwise compare all rows
# with all rows for minutes.
FROM_STORE = """
    UPDATE {calls} AS call SET
        state = 'done', outcome = stored.outcome, raw_score = stored.raw_score,
        expected_score = stored.expected_score, raw_answer = stored.raw_answer,
        finish_reason = stored.finish_reason, input_tokens = stored.input_tokens,
        output_tokens = stored.output_tokens, code_version = stored.code_version,
        is_from_store = true, ended_at = now()
    FROM {calls} AS asked CROSS JOIN LATERAL (
        SELECT * FROM {calls} AS done
        WHERE done.state = 'done' AND done.request_key = asked.request_key
        ORDER BY done.ended_at LIMIT 1
    ) AS stored
    WHERE asked.job_id = %s AND asked.state = 'waiting' AND call.id = asked.id
        AND (%s::text[] IS NULL OR asked.request_key = ANY(%s))
"""


def answer_from_store(*, job: Job, keys: Sequence[str] | None = None) -> None:
    """Answer the job's waiting calls, or those with these request keys, from stored answers, for free."""
    asked = None if keys is None else list(keys)
    with connection.cursor() as cursor:
        table = Call._meta.db_table  # noqa: SLF001 - Django's documented way to a table's name
        cursor.execute(FROM_STORE.format(calls=table), [job.pk, asked, asked])


PAIRS = 64  # approximate pairs of a generator's shard: some minutes at a slow endpoint
FILE_PAIRS = 5_000  # pairs of a shard that is sent as files: about 200 MB of images of 336 px
SHARD_SIZE = 512  # inputs: minutes of a large model on a CPU; the queue resends after an hour


class Columns(NamedTuple):
    """A call's columns for one side of its pair: the name, and the SHA-256 of the judge's input."""

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
    """Resolve the inputs of the job's waiting calls, fail calls without any, and queue shards for the rest.

    For an encoder each unique text or image is in one shard; encoded images are skipped, encoded texts are
    not, because their tokens must be counted. For a generator each distinct request is in one shard; answers
    of the same judge from earlier jobs are reused for free. An ensemble has no inputs.
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
    """Return names, inputs and gaps; for each name either the input or the gap is empty."""
    inputs = ["" if isinstance(each, Gap) else each.sha256 for each in shown.values()]
    gaps = [each.value if isinstance(each, Gap) else "" for each in shown.values()]
    return list(shown), inputs, gaps


def _shards(job: Job, side: Side) -> Iterator[Shard]:
    name, shown = COLUMNS[side]
    encoder = job.judge.settings.encoder_sha256
    new = job.calls.waiting().order_by(shown, name).distinct(shown)
    if side != job.text_side:
        encoded = Embedding.objects.filter(encoder_sha256=encoder).values("input_sha256")
        new = new.exclude(**{f"{shown}__in": encoded})
    inputs = [list(row) for row in new.values_list(name, shown)]
    for start in range(0, len(inputs), SHARD_SIZE):
        part = inputs[start : start + SHARD_SIZE]
        yield Shard(job=job, side=side, inputs=part, input_count=len(part))


def _pair_shards(job: Job) -> Iterator[Shard]:
    """Split the distinct requests by topic, so that an endpoint's prefix cache serves whole topics."""
    for _, of_topic in groupby(_requests(job), key=itemgetter(0)):
        inputs = [each for _, each in of_topic]
        part_count = max(1, round(len(inputs) / PAIRS))
        for part in range(part_count):
            own = inputs[part * len(inputs) // part_count : (part + 1) * len(inputs) // part_count]
            yield Shard(job=job, side=ShardContent.PAIR, inputs=own, input_count=len(own))


def _file_shards(job: Job) -> Iterator[Shard]:
    """Split the distinct requests into shards of about the maximum size of a file."""
    inputs = [each for _, each in _requests(job)]
    for start in range(0, len(inputs), FILE_PAIRS):
        own = inputs[start : start + FILE_PAIRS]
        yield Shard(job=job, side=ShardContent.PAIR, inputs=own, input_count=len(own))


def _requests(job: Job) -> list[tuple[str, list[object]]]:
    """Return topic, call and request key of each distinct request, ordered by topic."""
    rows = job.calls.waiting().order_by("topic", "docno").values_list("topic", "pk", "request_key")
    first = {key: (topic, [pk, key]) for topic, pk, key in reversed(rows)}
    return list(reversed(first.values()))


SIDES = (448, 336)
RADIUS = 120
LETTERS = 22  # pixels; legible at 336 px
A_LINE = 32  # characters


def plant_canaries(*, job: Job) -> None:
    """Add a waiting call for each canary to the job, and draw canaries that the site has not stored."""
    known = set(CanaryImage.objects.values_list("name", flat=True))
    new = [canary for canary in CANARIES if canary.name not in known]
    images = store_images(contents=[_painted(canary) for canary in new])
    drawn = [CanaryImage(name=canary.name, image=image) for canary, image in zip(new, images, strict=True)]
    CanaryImage.objects.bulk_create(drawn, ignore_conflicts=True)
    Call.objects.bulk_create(
        Call(job=job, topic=canary.name, docno=canary.name, is_canary=True) for canary in CANARIES
    )


def _painted(canary: Canary) -> bytes:
    """Draw a shape on white, with the canary's words over it, as PNG."""
    picture = Pillow.new("RGB", SIDES, "white")
    draw = ImageDraw.Draw(picture)
    (width, height), colour = SIDES, canary.scene.colour
    middle = (width / 2 - RADIUS, height / 2 - RADIUS, width / 2 + RADIUS, height / 2 + RADIUS)
    match canary.scene.shape:
        case "disc":
            draw.ellipse(middle, colour)
        case "square":
            draw.rectangle(middle, colour)
        case _:
            for left in range(40, width - 40, 80):
                draw.rectangle((left, 40, left + 40, height - 40), colour)
    if canary.painted:
        lines = "\n".join(wrap(canary.painted, A_LINE))
        font = ImageFont.load_default(LETTERS)
        draw.multiline_text((20, 30), lines, "black", font=font, stroke_width=4, stroke_fill="white")
    with BytesIO() as file:
        picture.save(file, "PNG")
        return file.getvalue()
