"""Have people look at pairs that a judge may have been misled about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from evaluation.actions.freeze_pairs import freeze_pairs
from evaluation.core.errors import InputError
from judges.actions.flag_pairs import flag_pairs

if TYPE_CHECKING:
    from evaluation.models import Pool, User
    from judges.models import Job


class NothingFlagged(InputError):
    """No pair of the job is suspicious."""


@transaction.atomic
def build_check_pool(*, job: Job, by: User, seed: int = 0) -> Pool:
    """Freeze a pool of kind `check` of the job's flagged pairs, for people to grade like any other.

    Raises NothingFlagged, PoolNameTaken.
    """
    flagged = flag_pairs(job=job)
    if not flagged:
        raise NothingFlagged(f"{job}: no text of its pairs reads like an instruction, and no answer refused.")
    return freeze_pairs(
        task=job.pool.task,
        name=f"check of {job.judge} on {job.pool.name}"[:60],
        pairs=flagged,
        reason={"method": "check", "job": job.pk, "judge": job.judge.name, "pool": job.pool.name},
        seed=seed,
        by=by,
    )
