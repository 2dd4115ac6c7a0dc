"""Score the pairs of a job after its shards, and close it."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models.functions import Now

from evaluation.core.log_context import bound
from judges.core.cosines import pair_cosines
from judges.core.inputs import Gap
from judges.core.judge import Unit
from judges.grades.ensembles import combine_judges
from judges.jobs.embeddings import Embedding
from judges.jobs.measuring import mail_end, measure_texts
from judges.jobs.models import Job, JobState
from judges.jobs.responses import Ending, store_endings
from judges.registry import encoder_class

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from judges.core.judge import Vector
    from judges.core.settings import Settings

CallInputs = tuple[int, str, str]  # the call's primary key, and the SHA-256 of the input on either side


def finish_job(*, job_id: int) -> None:
    """Score every waiting pair of the job and close it; do nothing if shards are open or the job is over.

    Also store how much of the texts was read. Scores are computed before the transaction that stores them
    by one COPY. The pairs of a generator have ended before; a pair that still waits belongs
    to an abandoned shard.
    """
    job = Job.objects.active().select_related("judge", "pool__task").filter(pk=job_id).first()
    if job is None or job.shards.open().exists():
        return
    with bound(job=job.pk):
        if job.judge.unit == Unit.JUDGES:
            _close(job, combine_judges(job=job))
            return
        if job.judge.unit != Unit.INPUT:
            left = job.calls.waiting().values_list("pk", flat=True)
            _close(job, [Ending(pk, Gap.BACKEND_FAILED) for pk in left])
            return
        calls = list(job.calls.waiting().values_list("pk", "topic_input", "document_input"))
        settings = job.judge.settings
        vectors = Embedding.objects.vectors(
            settings.encoder_sha256, {each for _, *pair in calls for each in pair}
        )
        gaps = dict(gap for shard in job.shards.all() for gap in shard.gaps.items())
        _close(job, [*_scored(settings, calls, vectors), *_unscored(calls, vectors, gaps)])


def _scored(
    settings: Settings, calls: Iterable[CallInputs], vectors: Mapping[str, Vector]
) -> Iterator[Ending]:
    whole = [
        (pk, (topic, document)) for pk, topic, document in calls if topic in vectors and document in vectors
    ]
    cosines = pair_cosines(vectors, [pair for _, pair in whole], settings.long_text)
    raw_scores = encoder_class(settings.backend).raw_scores(cosines)
    for (pk, _), cosine, raw_score in zip(whole, cosines.tolist(), raw_scores.tolist(), strict=True):
        if math.isfinite(raw_score):
            yield Ending(pk, "ok", raw_score, cosine)
        else:
            yield Ending(pk, Gap.NOT_FINITE)


def _unscored(
    calls: Iterable[CallInputs], vectors: Collection[str], gaps: Mapping[str, str]
) -> Iterator[Ending]:
    for pk, *pair in calls:
        missing = [each for each in pair if each not in vectors]
        if missing:
            yield Ending(pk, gaps.get(missing[0], Gap.BACKEND_FAILED))


@transaction.atomic
def _close(job: Job, endings: Iterable[Ending]) -> None:
    is_active = Job.objects.active().select_for_update().filter(pk=job.pk).exists()
    if not is_active or job.shards.open().exists():  # a retry planned more while the scores were computed
        return
    store_endings(endings=endings)
    has_gaps = job.calls.failed().of_pool().exists()
    state = JobState.COMPLETED_WITH_GAPS if has_gaps else JobState.COMPLETED
    texts = measure_texts(job=job)
    Job.objects.filter(pk=job.pk).update(
        state=state, finished_at=Now(), texts=asdict(texts) if texts else None
    )
    mail_end(job_id=job.pk)
