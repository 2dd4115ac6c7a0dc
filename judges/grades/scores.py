"""Import the raw scores of an external judge."""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from typing import IO

from django.core.files.base import File
from django.db import connection, transaction
from django.db.models.functions import Now
from django.urls import reverse

from evaluation.collections.blobs import Blob
from evaluation.collections.storing import store_blob
from evaluation.platform.access.people import User
from evaluation.submissions.pools.models import Pool, PoolItem
from evaluation.tracks.work.operations.actions import (
    OperationKind,
    OperationResult,
    register_operation,
    start_operation,
)
from evaluation.tracks.work.operations.models import Operation
from evaluation.tracks.work.sandbox import sandbox
from judges.catalogue.actions import create_judge
from judges.catalogue.models import Judge
from judges.jobs.models import Job
from judges.jobs.shards import JobState
from trackside.code_version import code_version
from trackside.errors import InputError
from trackside.judging.inputs import Gap
from trackside.judging.settings import Settings
from trackside.sandbox.limits import Limits

Pair = tuple[str, str]


CHUNK = 1 << 20  # bytes
CPU_SECONDS = 60  # four million lines, 64 MiB, take 20
SILENCE_SECONDS = 60.0


IMPORT = "scores_import"


def request_scores_import(*, name: str, file: File[bytes], file_name: str, pool: Pool, by: User) -> Operation:
    """Store the file and queue its import as the scores of a new judge. Raises OperationUnderWay."""
    options = {
        "name": name,
        "pool": pool.pk,
        "file": store_blob(file=file).pk,
        "file_name": file_name,
    }
    return start_operation(task=pool.task, kind=IMPORT, about=name, options=options, by=by)


def _import(operation: Operation) -> OperationResult:
    options = operation.options
    pool = Pool.objects.select_related("task__track").get(pk=options["pool"])
    with Blob.objects.get(pk=options["file"]).open() as file:
        job = import_scores(
            name=options["name"],
            file=file,
            file_name=options["file_name"],
            pool=pool,
            by=operation.requested_by,
        )
    return OperationResult(
        f"{job.calls.scored().count():,} of {job.calls.count():,} items have a score.", {"job": job.pk}
    )


def _page_of_import(operation: Operation) -> str:
    names = [operation.task.track.slug, operation.task.slug]
    return reverse("job_detail", args=[*names, (operation.findings or {})["job"]])


def register_operations() -> None:
    """Register the kind of operation."""
    register_operation(OperationKind(IMPORT, "Import scores", _import, _page_of_import, "Their job"))


def import_scores(*, name: str, file: IO[bytes], file_name: str, pool: Pool, by: User) -> Job:
    """Create a judge from the file, and a completed job with its scores on the pool.

    A sandbox reads the file. Pairs of the pool that are missing in the file are gaps; pairs that are not in
    the pool are ignored.
    Raises FileRefused for a file with bad lines, LimitReached, SandboxCrashed, no-pair-in-pool, judge-exists.
    """
    items = list(PoolItem.objects.filter(pool=pool).values_list("topic", "docno"))
    scores, pair_count = _scores(file, file_name, set(items))
    if not scores:
        raise InputError(
            f'None of the {pair_count:,} pairs in {file_name} is in the pool "{pool.name}". '
            "Check its topics and docnos.",
            code="no-pair-in-pool",
        )
    with transaction.atomic():
        judge = _judge(name, file, file_name, pool, by)
        job = Job.objects.create(judge=judge, pool=pool, created_by=by)
        _store(job, items, scores)
    job.refresh_from_db()
    return job


def _scores(file: IO[bytes], file_name: str, pairs: set[Pair]) -> tuple[dict[Pair, float], int]:
    """Return the scores of the requested pairs, and the number of pairs in the file."""
    limits = Limits.for_file(
        file.seek(0, os.SEEK_END), cpu_seconds=CPU_SECONDS, silence_seconds=SILENCE_SECONDS
    )
    scores: dict[Pair, float] = {}
    pair_count = 0
    with sandbox(
        "trackside.judging.score_files_job", file, limits=limits, values={"name": file_name}
    ) as running:
        for message in running.messages():
            rows = json.loads(message.content)
            pair_count += len(rows)
            scores.update(((topic, docno), score) for topic, docno, score in rows if (topic, docno) in pairs)
    return scores, pair_count


def _judge(name: str, file: IO[bytes], file_name: str, pool: Pool, by: User) -> Judge:
    digest = hashlib.sha256()
    file.seek(0)
    while chunk := file.read(CHUNK):
        digest.update(chunk)
    settings = Settings(backend="imported", revision=0, model=file_name, model_revision=digest.hexdigest())
    return create_judge(
        name=name, settings=settings, by=by, task_kinds=[pool.task.kind], track=pool.task.track
    )


def _store(job: Job, items: Sequence[Pair], scores: Mapping[Pair, float]) -> None:
    """Store an ended call for each item, and end the job."""
    columns = "job_id, topic, docno, state, outcome, raw_score, code_version, ended_at"
    with connection.cursor() as cursor:
        cursor.execute("SELECT now()")
        (now,) = cursor.fetchone()
        with cursor.copy(f"COPY judges_call ({columns}) FROM STDIN") as copy:
            for topic, docno in items:
                score = scores.get((topic, docno))
                ending = ("failed", Gap.NOT_IN_FILE.value) if score is None else ("done", "ok")
                copy.write_row((job.pk, topic, docno, *ending, score, code_version(), now))
    state = JobState.COMPLETED if len(scores) == len(items) else JobState.COMPLETED_WITH_GAPS
    Job.objects.filter(pk=job.pk).update(state=state, started_at=Now(), finished_at=Now())
