"""Start a job: check judge and pool, find the rates, and plan the work."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict

from django.db import connection, transaction

from evaluation.collections.items import Item
from evaluation.collections.seen import Seen
from evaluation.platform.access.people import User
from evaluation.submissions.pools.models import Pool
from evaluation.tracks.archiving import check_not_archived
from evaluation.tracks.work.queueing import enqueue
from judges.catalogue.models import Judge
from judges.jobs.canaries import plant_canaries
from judges.jobs.embeddings import Embedding
from judges.jobs.models import Job, Side, roles_of
from judges.jobs.money import Budget, Price
from judges.jobs.questions import split_requests
from judges.jobs.rereading import reread_answers
from judges.jobs.shards import JobState, Shard
from trackside.code_version import code_version
from trackside.errors import InputError
from trackside.judging.canaries import highest_answer
from trackside.judging.costs import FREE_OF_CHARGE, Rates
from trackside.judging.endpoints.keys import is_public
from trackside.judging.inputs import Gap, Input, shows_all
from trackside.judging.judge import Unit
from trackside.judging.perturbing import MARKS
from trackside.judging.probes import Probe
from trackside.judging.prompts import task_kinds_of

ADD_CALLS = """
    INSERT INTO judges_call (job_id, topic, docno)
    SELECT %s, topic, docno FROM evaluation_poolitem WHERE pool_id = %s
"""


@transaction.atomic
def start_job(*, judge: Judge, pool: Pool, by: User, cap_micros: int | None = None, priority: int = 0) -> Job:
    """Store a job with a waiting call for each pair of the pool and each canary, and queue its shards.

    ``cap_micros`` is its cost limit; with None only the track's budget applies. The job keeps the current
    price of the price table. Raises track-archived, judge-of-another-track, judge-retired, judge-of-a-file,
    task-kind-not-accepted, prompt-of-another-kind, job-exists, price-missing.
    """
    Judge.objects.select_for_update().get(pk=judge.pk)  # serialises concurrent starts
    check_judge(judge, pool)
    _check_no_job(judge, pool)
    rates = find_rates(judge=judge, pool=pool, cap_micros=cap_micros)
    job = Job.objects.create(judge=judge, pool=pool, created_by=by, priority=priority, **asdict(rates))
    Budget.objects.create(job=job, cap_micros=cap_micros)
    Budget.objects.of_track(pool.task.track)
    with connection.cursor() as cursor:
        cursor.execute(ADD_CALLS, [job.pk, pool.pk])
    if judge.unit == Unit.INPUT or judge.unit.is_asked:
        plant_canaries(job_id=job.pk, highest=highest_answer(judge.answer))
    plan_job(job=job)
    if judge.endpoint:
        enqueue("judges.run_shutdown", judge.pk)
    return job


def check_judge(judge: Judge, pool: Pool) -> None:
    """Raise an InputError unless workers can let the judge score pairs of the pool's task."""
    task = pool.task
    check_not_archived(task.track)
    if judge.track_id not in (None, task.track_id):
        raise InputError(
            f'"{judge}" does not belong to {task.track}. Choose a judge of the track or of the site.',
            code="judge-of-another-track",
        )
    if judge.unit == Unit.FILE:
        raise InputError(
            f'"{judge}" has the scores of a file, for another pool. Import a file for this one.',
            code="judge-of-a-file",
        )
    if judge.retired_at:
        raise InputError(f'The judge "{judge}" is retired. Choose one in use.', code="judge-retired")
    if task.kind not in judge.task_kinds:
        raise InputError(
            f'The judge "{judge}" does not accept tasks of the kind "{task.get_kind_display()}". '
            f"It accepts: {', '.join(judge.task_kinds)}.",
            code="task-kind-not-accepted",
        )
    if judge.unit.is_asked and task.kind not in task_kinds_of(judge.prompt):
        raise InputError(
            f'The prompt of "{judge}" shows one text and one image. For a task of the kind '
            f'"{task.get_kind_display()}" use a judge whose prompt names sides, such as {{topic.fields}}.',
            code="prompt-of-another-kind",
        )


def _check_no_job(judge: Judge, pool: Pool) -> None:
    jobs = Job.objects.of_pools().filter(judge=judge, pool=pool)
    job = jobs.exclude(state=JobState.CANCELLED).first()
    if job:
        raise InputError(
            f'The judge "{judge}" has a job on this pool, {job.get_state_display()}. '
            "Retry what failed there, or cancel it first.",
            code="job-exists",
        )


# Locked until the end of the transaction: set_cap waits for it, workers that reserve money do not.
TRACK_CAP = "SELECT cap_micros, ceiling_micros FROM judges_budget WHERE track_id = %s FOR KEY SHARE"


@transaction.atomic
def find_rates(*, judge: Judge, pool: Pool, cap_micros: int | None = None) -> Rates:
    """Return the rates for a job of the judge on the pool; without a price the job counts as free.

    Raises price-missing if a budget limits an unknown cost: the job has a cap, or the judge calls an endpoint
    and the track has a cap, or a ceiling if the endpoint is on the public internet.
    """
    price = Price.objects.of(judge)
    if price:
        return price.rates_for(judge.unit)
    if cap_micros is not None or (judge.endpoint and _is_limited(pool, is_public=is_public(judge.endpoint))):
        owner = "" if cap_micros is not None else " of the track"
        raise InputError(
            f'There is no price for "{judge.model}", so no budget{owner} can limit it. Add a price.',
            code="price-missing",
        )
    return FREE_OF_CHARGE


def _is_limited(pool: Pool, *, is_public: bool) -> bool:
    """Return whether the track's budget has a cap or, for a public endpoint, a ceiling; lock both."""
    track = pool.task.track
    Budget.objects.of_track(track)
    with connection.cursor() as cursor:
        cursor.execute(TRACK_CAP, [track.pk])
        cap, ceiling = cursor.fetchone()
    return cap is not None or (is_public and ceiling is not None)


SHARD_SIZE = 512  # inputs: minutes of a large model on a CPU; the queue resends after an hour


# A call's columns for one side of its pair: the name, and the SHA-256 of the judge's input.
COLUMNS = {Side.TOPIC: ("topic", "topic_input"), Side.DOCUMENT: ("docno", "document_input")}

SET_INPUTS = """
    UPDATE judges_call SET
        topic_input = topics.input,
        document_input = documents.input,
        shown_sha256 = documents.shown_sha256,
        seen = documents.seen,
        request_key = encode(sha256(convert_to(
            %s || topics.input || documents.input || coalesce(%s::jsonb ->> docno, ''),
            'UTF8'
        )), 'hex'),
        state = CASE WHEN topics.gap || documents.gap = '' THEN 'waiting' ELSE 'failed' END,
        outcome = coalesce(nullif(topics.gap, ''), documents.gap),
        ended_at = CASE WHEN topics.gap || documents.gap = '' THEN NULL ELSE now() END,
        code_version = %s
    FROM unnest(%s::text[], %s::text[], %s::text[]) AS topics (name, input, gap),
         unnest(%s::text[], %s::text[], %s::text[], %s::text[], %s::text[])
             AS documents (name, input, gap, shown_sha256, seen)
    WHERE job_id = %s AND state = 'waiting' AND topic = topics.name AND docno = documents.name
"""


@transaction.atomic
def plan_job(*, job: Job) -> None:
    """Resolve the inputs of the job's waiting calls, fail calls without any, and queue shards for the rest.

    For an encoder each unique text or image is in one shard; encoded images are skipped, encoded texts are
    not, because their tokens must be counted. For a generator each distinct request is in one shard; answers
    of the same judge from earlier jobs are reused for free, and those of its earlier revisions read anew.
    """
    (topics, _), (documents, items) = (_inputs(job, side) for side in Side)
    columns = [*_arrays(topics), *_arrays(documents), *_seen_arrays(job, documents, items)]
    marks = {name: MARKS[Probe(probe)] for name, (probe, *_) in job.exchanges.items() if probe in MARKS}
    with connection.cursor() as cursor:
        cursor.execute(
            SET_INPUTS, [job.judge.identity_sha256, json.dumps(marks), code_version(), *columns, job.pk]
        )
    if job.judge.unit.is_asked:
        reread_answers(job=job)
        shards = split_requests(job=job)
    else:
        shards = [shard for side in Side for shard in _shards(job, side)]
    for shard in Shard.objects.bulk_create(shards):
        enqueue("judges.run_shard", shard.pk)
    if not shards:
        enqueue("judges.finish_job", job.pk)


def _inputs(job: Job, side: Side) -> tuple[dict[str, Input | Gap], dict[str, Item]]:
    column, _ = COLUMNS[side]
    names = list(job.calls.waiting().order_by(column).values_list(column, flat=True).distinct())
    items = job.items(side, names)
    return job.inputs(side, names, items), items


def _seen_arrays(
    job: Job, inputs: Mapping[str, Input | Gap], items: Mapping[str, Item]
) -> tuple[list[str], list[str]]:
    """Return the hash of each document as people are shown it, and how much of it the judge sees."""
    roles = roles_of(job.pool.task, Side.DOCUMENT)
    rows = []
    for name, part in inputs.items():
        if isinstance(part, Gap):
            rows.append(("", ""))
            continue
        item = items[name].shown(roles)
        rows.append((item.sha256, Seen.WHOLE if shows_all(part, item) else Seen.PART))
    return [sha256 for sha256, _ in rows], [seen for _, seen in rows]


def _arrays(inputs: Mapping[str, Input | Gap]) -> tuple[list[str], list[str], list[str]]:
    """Return names, inputs and gaps; for each name either the input or the gap is empty."""
    hashes = ["" if isinstance(item, Gap) else item.sha256 for item in inputs.values()]
    gaps = [item.value if isinstance(item, Gap) else "" for item in inputs.values()]
    return list(inputs), hashes, gaps


def _shards(job: Job, side: Side) -> Iterator[Shard]:
    name, column = COLUMNS[side]
    encoder = job.judge.settings.encoder_sha256
    calls = job.calls.waiting().order_by(column, name).distinct(column)
    if side not in job.text_sides:
        encoded = Embedding.objects.filter(encoder_sha256=encoder).values("input_sha256")
        calls = calls.exclude(**{f"{column}__in": encoded})
    inputs = [list(row) for row in calls.values_list(name, column)]
    for start in range(0, len(inputs), SHARD_SIZE):
        part = inputs[start : start + SHARD_SIZE]
        yield Shard(job=job, side=side, inputs=part, input_count=len(part))
