"""Take in the scores that another lab's judge gave to a pool."""

from __future__ import annotations

import hashlib

from django.db import connection, transaction
from django.db.models.functions import Now

from evaluation.core.code_version import code_version
from evaluation.core.errors import InputError
from evaluation.models import Pool, PoolItem, User
from judges.actions.create_judge import create_judge
from judges.backends.imported import read_scores
from judges.core.inputs import Gap
from judges.core.settings import Settings
from judges.models import Call, Job, JobState, Judge


class NoPairInPool(InputError):
    """A file of scores of other pairs than the pool's."""


@transaction.atomic
def import_scores(*, name: str, content: bytes, file_name: str, pool: Pool, by: User) -> Job:
    """Make a judge of the file and a completed job with its scores on the pool.

    Pairs of the pool that the file does not name are gaps; pairs that are not in the pool are left out.
    Raises ScoresRefused for a file with bad lines, NoPairInPool, JudgeExists.
    """
    scores = read_scores(content, file_name)
    items = [(item.topic, item.docno) for item in PoolItem.objects.filter(pool=pool)]
    found = sum(pair in scores for pair in items)
    if not found:
        raise NoPairInPool(
            f'None of the {len(scores):,} pairs in {file_name} is in the pool "{pool.name}". '
            "Check its topics and docnos."
        )
    job = Job.objects.create(judge=_judge(name, content, file_name, pool, by), pool=pool, created_by=by)
    columns = "job_id, topic, docno, state, outcome, raw_score, code_version, ended_at"
    table = Call._meta.db_table  # noqa: SLF001 - Django's documented way to a table's name
    with connection.cursor() as cursor:
        cursor.execute("SELECT now()")
        (now,) = cursor.fetchone()
        with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
            for topic, docno in items:
                score = scores.get((topic, docno))
                ending = ("failed", Gap.NOT_IN_FILE.value) if score is None else ("done", "ok")
                copy.write_row((job.pk, topic, docno, *ending, score, code_version(), now))
    state = JobState.COMPLETED if found == len(items) else JobState.COMPLETED_WITH_GAPS
    Job.objects.filter(pk=job.pk).update(state=state, started_at=Now(), finished_at=Now())
    job.refresh_from_db()
    return job


def _judge(name: str, content: bytes, file_name: str, pool: Pool, by: User) -> Judge:
    settings = Settings(
        backend="imported", revision=0, model=file_name, model_revision=hashlib.sha256(content).hexdigest()
    )
    return create_judge(name=name, settings=settings, by=by, task_kinds=[pool.task.kind])
