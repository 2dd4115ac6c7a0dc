"""Freeze the thresholds that turn a judge's raw scores into grades."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Max

from evaluation.core.errors import InputError
from evaluation.models import User
from judges.core.mapping import fit_paper_2024
from judges.models import Job, Judge, Mapping


class JobNotCompleted(InputError):
    """Scores are still coming in, or the job was cancelled."""


@transaction.atomic
def fit_mapping(*, job: Job, by: User) -> Mapping:
    """Fit `paper-2024` on all raw scores of a completed job, as the next version for its judge and pool.

    Raises JobNotCompleted, or NothingToMap when no pair has a score.
    """
    Judge.objects.select_for_update().get(pk=job.judge_id)  # versions are counted one after the other
    job.refresh_from_db(fields=["state"])
    if not job.is_completed:
        raise JobNotCompleted(
            f"{job}: thresholds are fitted on all scores of a completed job. Wait for its end."
        )
    fitted = fit_paper_2024(job.calls.raw_scores())
    versions = Mapping.objects.filter(judge=job.judge_id, pool=job.pool_id, rule=fitted.name)
    latest = versions.aggregate(latest=Max("version"))["latest"] or 0
    return Mapping.objects.create(
        judge=job.judge,
        pool=job.pool,
        rule=fitted.name,
        version=latest + 1,
        thresholds=list(fitted.thresholds),
        score_count=fitted.n,
        created_by=by,
    )
