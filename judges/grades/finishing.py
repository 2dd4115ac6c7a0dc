"""Score the pairs of a job after its shards, and close it."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db import connection, transaction
from django.db.models.functions import Now

from judges.grades.probing import measure_probe
from judges.jobs.calls import Ending
from judges.jobs.controls import control_job
from judges.jobs.embeddings import Embedding
from judges.jobs.models import Job, Side
from judges.jobs.scheduling import mail_end
from judges.jobs.shards import JobState
from judges.jobs.starting import COLUMNS
from trackside.backends.registry import backend_class, encoder_class
from trackside.code_version import code_version
from trackside.findings.plain import to_plain
from trackside.findings.provenance import TextsSeen
from trackside.judging.encoding import FieldReading, pair_cosines, sum_readings, sum_whole_texts
from trackside.judging.inputs import FieldsInput, Gap
from trackside.judging.judge import Unit, Vector
from trackside.judging.settings import Settings
from trackside.log_context import bound

CallInputs = tuple[int, str, str]  # the call's primary key, and the SHA-256 of the input on either side


def finish_job(*, job_id: int) -> None:
    """Score every waiting pair of the job and close it; do nothing if shards are open or the job is over.

    Also store how much of the texts was read. Scores are computed before the transaction that stores them by
    one COPY. The pairs of a generator have ended before; a waiting pair belongs to an abandoned shard. Its
    controls come first.
    """
    job = Job.objects.active().select_related("judge", "pool__task").filter(pk=job_id).first()
    if job is None or job.shards.open().exists():
        return
    with bound(job=job.pk):
        if job.judge.unit != Unit.INPUT:
            if control_job(job=job):
                return
            keys = job.calls.waiting().values_list("pk", flat=True)
            _close(job, [Ending(pk, Gap.BACKEND_FAILED) for pk in keys])
            return
        calls = list(job.calls.waiting().values_list("pk", "topic_input", "document_input"))
        settings = job.judge.settings
        vectors = Embedding.objects.vectors(
            settings.encoder_sha256, {sha256 for _, *pair in calls for sha256 in pair}
        )
        gaps = dict(gap for shard in job.shards.all() for gap in shard.gaps.items())
        _close(job, list(_scored(settings, calls, vectors, gaps)))


def _scored(
    settings: Settings, calls: Iterable[CallInputs], vectors: Mapping[str, Vector], gaps: Mapping[str, str]
) -> Iterator[Ending]:
    """Yield an ending for each call; ``gaps`` has the reasons for inputs without a vector."""
    rows = []
    for pk, *pair in calls:
        if missing := [sha256 for sha256 in pair if sha256 not in vectors]:
            yield Ending(pk, gaps.get(missing[0], Gap.BACKEND_FAILED))
        else:
            rows.append((pk, (pair[0], pair[1])))
    cosines = pair_cosines(vectors, [pair for _, pair in rows], settings.long_text)
    raw_scores = encoder_class(settings.backend).raw_scores(cosines)
    for (pk, _), cosine, raw_score in zip(rows, cosines.tolist(), raw_scores.tolist(), strict=True):
        if math.isfinite(raw_score):
            yield Ending(pk, "ok", raw_score, cosine)
        else:
            yield Ending(pk, Gap.NOT_FINITE)


@transaction.atomic
def _close(job: Job, endings: Iterable[Ending]) -> None:
    is_active = Job.objects.active().select_for_update().filter(pk=job.pk).exists()
    if not is_active or job.shards.open().exists():  # a retry planned more while the scores were computed
        return
    store_endings(endings=endings)
    has_gaps = job.calls.failed().of_pool().exists()
    state = JobState.COMPLETED_WITH_GAPS if has_gaps else JobState.COMPLETED
    texts = measure_texts(job=job)
    columns: dict[str, Any] = {"texts": to_plain(texts) if texts else None}
    if job.probe:
        columns["probe"] = job.probe | measure_probe(job=job)
    Job.objects.filter(pk=job.pk).update(state=state, finished_at=Now(), **columns)
    mail_end(job_id=job.pk)


NEW_TABLE = """
    CREATE TEMPORARY TABLE ending (
        call_id bigint, outcome text, raw_score double precision, cosine real,
        expected_score double precision, raw_answer text
    )
"""
APPLY_ENDINGS = """
    UPDATE judges_call AS call SET
        cosine = ending.cosine,
        raw_score = ending.raw_score,
        expected_score = ending.expected_score,
        raw_answer = ending.raw_answer,
        outcome = ending.outcome,
        state = CASE WHEN ending.outcome = 'ok' THEN 'done' ELSE 'failed' END,
        attempt_count = attempt_count + 1,
        code_version = %s,
        ended_at = now()
    FROM ending WHERE call.id = ending.call_id AND call.state = 'waiting'
"""


@transaction.atomic
def store_endings(*, endings: Iterable[Ending]) -> None:
    """End the waiting calls; finished calls do not change."""
    with connection.cursor() as cursor:
        cursor.execute(NEW_TABLE)
        with cursor.copy("COPY ending FROM STDIN") as copy:
            for ending in endings:
                copy.write_row(ending)
        cursor.execute(APPLY_ENDINGS, [code_version()])
        cursor.execute("DROP TABLE ending")


def measure_texts(*, job: Job) -> TextsSeen | None:
    """Count the texts of the job's pool without canaries, and how much of each field was read.

    An encoder counts the tokens of each text with its shard. A generator that refuses prompts beyond its
    limit reads every text whole; its tokens by field are not counted. None for all other judges: an endpoint
    may cut a prompt silently, and imported scores and ensembles read no text here.
    """
    if job.judge.unit == Unit.INPUT:
        shards = job.shards.filter(side__in=job.text_sides).values_list("readings", flat=True)
        by_input = {sha256: reading for readings in shards for sha256, reading in readings.items()}
        inputs = (sha256 for side in job.text_sides for sha256 in _text_inputs(job, side).values())
        readings = [by_input[sha256] for sha256 in inputs if sha256 in by_input]
        return sum_readings([FieldReading(*field) for field in reading] for reading in readings)
    if job.judge.unit.is_asked and backend_class(job.judge.backend).refuses_long_texts:
        by_side = (job.inputs(side, _text_inputs(job, side)) for side in job.text_sides)
        texts = [row.fields for inputs in by_side for row in inputs.values() if isinstance(row, FieldsInput)]
        return sum_whole_texts([name for name, text in fields if text.strip()] for fields in texts)
    return None


def _text_inputs(job: Job, side: Side) -> dict[str, str]:
    """Return the input's SHA-256 of each readable text of the pool, by topic or docno."""
    name, column = COLUMNS[side]
    calls = job.calls.of_pool().exclude(**{column: ""}).order_by(name)
    return dict(calls.values_list(name, column).distinct())
