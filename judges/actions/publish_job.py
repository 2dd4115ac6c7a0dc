"""Hand a job's grades over to evaluation as qrels."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.db import transaction

from evaluation.actions.publish_qrels import publish_qrels
from evaluation.core.code_version import code_version
from evaluation.core.errors import InputError
from evaluation.models import Qrels, QrelsKind, User
from judges.actions.fit_mapping import JobNotCompleted
from judges.actions.grade_pairs import grade_pairs
from judges.core.composition import composition_of
from judges.core.susceptibility import susceptibility
from judges.models import Job, Judge, Mapping, Prompt


class MappingOfAnotherJudge(InputError):
    """Thresholds are in the units of one judge's raw scores."""


@transaction.atomic
def publish_job(*, job: Job, mapping: Mapping, by: User) -> Qrels:
    """Publish the grades that a frozen mapping gives, under the judge's name; unscored pairs are gaps.

    The mapping may have been fitted on another pool. Where it was fitted on people's grades of some topics,
    these topics are left out, and the provenance names them. Raises JobNotCompleted, MappingOfAnotherJudge,
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
    prompt = Prompt.objects.of(job.judge)
    return {
        "judge": job.judge.name,
        "identity_sha256": settings.identity_sha256,
        "backend": settings.backend,
        "backend_revision": settings.revision,
        "backbone": _backbone(job.judge),
        "backbone_revision": settings.model_revision,
        "dtype": settings.dtype,
        "prompt": settings.prompt,
        "prompt_name": prompt and prompt.name,
        "prompt_version": prompt and prompt.version,
        "text_fields": list(settings.text_fields),
        "image_size": settings.image_size,
        "image_distance": job.image_distance(),
        "long_text": settings.long_text,
        "mapping": {
            "rule": mapping.rule,
            "version": mapping.version,
            "thresholds": mapping.finite_thresholds,
            "by_topic": mapping.by_topic,
            "n": mapping.score_count,
            "pool": mapping.pool.name,
            "people": str(mapping.people) if mapping.people else None,
            "fitting_topics": mapping.fitting_topics,
        },
        "left_out_topics": mapping.left_out_of(job.pool.task),
        "susceptibility": [asdict(each) for each in susceptibility(job.canary_scores(), mapping.frozen)],
        "code_version": code_version(),
    } | _ensemble(job)


def _backbone(judge: Judge) -> str:
    model = Path(judge.settings.model)
    return model.name if model.is_absolute() else judge.settings.model


def _ensemble(job: Job) -> dict[str, Any]:
    """Of an ensemble its members by identity, what each gave and rests on, and how far they agree."""
    facts = job.ensemble_facts()
    if facts is None:
        return {}
    composition = composition_of(job.judge.decoding)
    members = [
        asdict(share.member) | {"graded_count": share.graded_count, "grades_sha256": share.sha256}
        for share in facts.shares
    ]
    judges = Judge.objects.filter(identity_sha256__in=[each.identity_sha256 for each in composition.members])
    backbones = sorted({_backbone(each) for each in judges} - {""})
    made = composition.decoding | {"members": members, "backbones": backbones, "strata": facts.strata}
    stability = [
        {
            "size": each.size,
            "subset_count": each.subset_count,
            "mean_kappa": each.mean.value,
            "least_kappa": each.least.value,
        }
        for each in facts.stability
    ]
    return {"ensemble": made | {"stability": stability}}
