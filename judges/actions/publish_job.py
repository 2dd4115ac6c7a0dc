"""Hand a job's grades over to evaluation as qrels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.db import transaction

from evaluation.actions.publish_qrels import publish_qrels
from evaluation.core.code_version import code_version
from evaluation.core.errors import InputError
from evaluation.models import Qrels, QrelsKind, User
from judges.actions.fit_mapping import JobNotCompleted
from judges.actions.grade_pairs import grade_pairs
from judges.models import Job, Mapping


class MappingOfAnotherJudge(InputError):
    """Thresholds are in the units of one judge's raw scores."""


@transaction.atomic
def publish_job(*, job: Job, mapping: Mapping, by: User) -> Qrels:
    """Publish the grades that a frozen mapping gives, under the judge's name; unscored pairs are gaps.

    The mapping may have been fitted on another pool. Raises JobNotCompleted, MappingOfAnotherJudge,
    NothingToPublish.
    """
    job.refresh_from_db(fields=["state"])
    if not job.is_completed:
        raise JobNotCompleted(f"{job}: only a completed job has grades to publish. Wait for its end.")
    if mapping.judge_id != job.judge_id:
        raise MappingOfAnotherJudge(
            f'The mapping "{mapping}" was fitted for the judge "{mapping.judge}". Fit one for "{job.judge}".'
        )
    return publish_qrels(
        task=job.pool.task,
        name=job.judge.name,
        kind=QrelsKind.MODEL,
        pairs=grade_pairs(job=job, mapping=mapping),
        provenance=_provenance(job, mapping),
        by=by,
        pool=job.pool,
    )


def _provenance(job: Job, mapping: Mapping) -> dict[str, Any]:
    """What the report and the released collection say about these grades; of a folder its name only."""
    settings = job.judge.settings
    return {
        "judge": job.judge.name,
        "identity_sha256": settings.identity_sha256,
        "backend": settings.backend,
        "backend_revision": settings.revision,
        "backbone": Path(settings.model).name if Path(settings.model).is_absolute() else settings.model,
        "backbone_revision": settings.model_revision,
        "dtype": settings.dtype,
        "prompt": settings.prompt,
        "text_fields": list(settings.text_fields),
        "image_size": settings.image_size,
        "image_distance": job.image_distance(),
        "long_text": settings.long_text,
        "mapping": {
            "rule": mapping.rule,
            "version": mapping.version,
            "thresholds": mapping.thresholds,
            "n": mapping.score_count,
            "pool": mapping.pool.name,
        },
        "code_version": code_version(),
    }
