"""Freeze the thresholds that turn a judge's raw scores into grades."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Max

from evaluation.core.errors import InputError
from evaluation.models import User
from judges.core.cuts import Cuts
from judges.core.mapping import fit_paper_2024
from judges.models import Job, Judge, Mapping
from judges.models.mapping import FIXED_CUTS, GRADES


class JobNotCompleted(InputError):
    """Scores are still coming in, or the job was cancelled."""


@transaction.atomic
def fit_mapping(*, job: Job, by: User, cuts: tuple[float, float] | None = None) -> Mapping:
    """Fit `paper-2024` on all raw scores of a completed job, as the next version for its judge and pool.

    With ``cuts`` nothing is fitted: a score of at least the first gets grade 1, of at least the second 2. For
    a judge that answers with the grade itself these are 0.5 and 1.5. Raises JobNotCompleted, CutsDoNotRise,
    or NothingToMap when no pair has a score.
    """
    Judge.objects.select_for_update().get(pk=job.judge_id)  # versions are counted one after the other
    job.refresh_from_db(fields=["state"])
    if not job.is_completed:
        raise JobNotCompleted(
            f"{job}: thresholds are fitted on all scores of a completed job. Wait for its end."
        )
    fitted = fit_paper_2024(job.calls.raw_scores())
    rule, thresholds = fitted.name, fitted.thresholds
    if cuts is not None:
        rule, thresholds = FIXED_CUTS, cuts
        Cuts(GRADES, cuts)  # raises CutsDoNotRise
    versions = Mapping.objects.filter(judge=job.judge_id, pool=job.pool_id, rule=rule)
    latest = versions.aggregate(latest=Max("version"))["latest"] or 0
    return Mapping.objects.create(
        judge=job.judge,
        pool=job.pool,
        rule=rule,
        version=latest + 1,
        thresholds=list(thresholds),
        score_count=fitted.n,
        created_by=by,
    )
