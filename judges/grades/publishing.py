"""Publish a job's grades with their provenance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.urls import reverse

from evaluation.access.people import User
from evaluation.core.code_version import code_version
from evaluation.core.errors import InputError
from evaluation.operations.actions import OperationKind, OperationResult, register_operation, start_operation
from evaluation.qrels.actions import GradedPair, publish_qrels
from evaluation.qrels.models import Qrels, QrelsKind
from judges.catalogue.models import Judge
from judges.core.ensembles.composition import composition_of
from judges.core.mappings.rules import GRADES, empty_grade_warning
from judges.core.prompts import text_sha256
from judges.core.repeats import order_of, repeat_sha256
from judges.core.susceptibility import susceptibility
from judges.core.texts import texts_of, unseen_warnings
from judges.grades.ensembles import facts_of_job, people_of_job
from judges.grades.mapping import JobNotCompleted, fit_mapping, grade_pairs
from judges.grades.models import Mapping
from judges.jobs.measuring import measure_work
from judges.jobs.models import Job
from judges.prompts.models import Prompt

if TYPE_CHECKING:
    from evaluation.operations.models import Operation


class MappingOfAnotherJudge(InputError):
    """The mapping belongs to another judge: thresholds are in the units of one judge's raw scores."""


PUBLISH = "job_publish"


def request_publication(*, job: Job, mapping: Mapping | None, by: User) -> Operation:
    """Queue the publication of the job's grades; null fits a mapping by the rule paper-2024 first.

    Raises JobNotCompleted, MappingOfAnotherJudge, OperationUnderWay.
    """
    check_publishable(job, mapping)
    options = {"job": job.pk, "mapping": mapping and mapping.pk}
    return start_operation(task=job.pool.task, kind=PUBLISH, about=describe_job(job), options=options, by=by)


def _publish(operation: Operation) -> OperationResult:
    job, by, key = find_job_of(operation), operation.requested_by, operation.options["mapping"]
    mappings = Mapping.objects.select_related("judge", "pool__task")
    mapping = mappings.get(pk=key) if key else fit_mapping(job=job, by=by)
    qrels = publish_job(job=job, mapping=mapping, by=by)
    return OperationResult(f"Published {qrels}: {qrels.graded_count:,} pairs with a grade.")


def register_operations() -> None:
    """Register the kind of operation."""
    register_operation(OperationKind(PUBLISH, "Publish a judge's grades", _publish, page_of_job, "The job"))


@transaction.atomic
def publish_job(*, job: Job, mapping: Mapping, by: User) -> Qrels:
    """Publish the grades by a frozen mapping under the judge's name; unscored pairs are gaps.

    The mapping may be fitted on another pool. If it was fitted on people's grades of some topics, these
    topics are excluded, and the provenance lists them. Raises JobNotCompleted, MappingOfAnotherJudge,
    NothingToPublish.
    """
    check_publishable(job, mapping)
    pairs = grade_pairs(job=job, mapping=mapping)
    return publish_qrels(
        task=job.pool.task,
        name=job.judge.name,
        kind=QrelsKind.MODEL,
        pairs=pairs,
        provenance=build_provenance(job=job, mapping=mapping, pairs=pairs),
        by=by,
        pool=job.pool,
    )


def check_publishable(job: Job, mapping: Mapping | None) -> None:
    """Raise JobNotCompleted or MappingOfAnotherJudge; null is a mapping that is not fitted yet."""
    job.refresh_from_db(fields=["state"])
    if not job.is_completed:
        raise JobNotCompleted(f"{job}: only a completed job has grades to publish. Wait for its end.")
    if mapping and mapping.judge_id != job.judge_id:
        raise MappingOfAnotherJudge(
            f'The mapping "{mapping}" was fitted for the judge "{mapping.judge}". Fit one for "{job.judge}".'
        )


def build_provenance(*, job: Job, mapping: Mapping, pairs: Sequence[GradedPair]) -> dict[str, Any]:
    """Return the provenance of a judge's grades for the report and the released collection, as plain JSON.

    Beside settings, mapping and susceptibility:

    - ``identity``: the SHA-256 of the settings without order and seed, ``order``: ``core.repeats.Order``, and
      ``seed``. Equal identity and order with different seeds are test and retest; equal identity with
      different orders shows the effect of the order.
    - ``texts``: ``core.texts.TextsSeen``, null if the amount of text read is unknown.
    - ``work``: ``measuring.Work``: requests, tokens, money and time, each null if unknown.
    - ``prompt_sha256`` of the prompt's text, null without one, and ``prompt_source``, null if unknown.
    - ``warnings``: sentences about fields that were hardly read, and about grades that no pair got.
    - ``ensemble``, only for ensembles: members with the hash of their ballots, agreement, difficulty by
      people's qrels (null if these graded no pair), and stability.
    """
    return (
        _judge(job.judge)
        | {
            "image_distance": job.image_distance(),
            "texts": job.texts,
            "work": asdict(measure_work(job=job)),
            "mapping": _mapping(mapping),
            "left_out_topics": mapping.left_out_of(job.pool.task),
            "susceptibility": [asdict(each) for each in susceptibility(job.canary_scores(), mapping.frozen)],
            "warnings": _warnings(job, mapping, pairs),
            "code_version": code_version(),
        }
        | _prompt(job.judge)
        | _ensemble(job)
    )


def _judge(judge: Judge) -> dict[str, Any]:
    settings = judge.settings
    order = order_of(settings)
    return {
        "judge": judge.name,
        "identity_sha256": settings.identity_sha256,
        "identity": repeat_sha256(settings),
        "order": {"image": order.image, "fields": list(order.fields)},
        "seed": settings.seed,
        "backend": settings.backend,
        "backend_revision": settings.revision,
        "backbone": _backbone(judge),
        "backbone_revision": settings.model_revision,
        "dtype": settings.dtype,
        "text_fields": list(settings.text_fields),
        "image_size": settings.image_size,
        "long_text": settings.long_text,
    }


def _backbone(judge: Judge) -> str:
    """Return the model's name; for a folder only its last part."""
    model = Path(judge.settings.model)
    return model.name if model.is_absolute() else judge.settings.model


def _prompt(judge: Judge) -> dict[str, Any]:
    named = Prompt.objects.of(judge)
    return {
        "prompt": judge.prompt,
        "prompt_name": named and named.name,
        "prompt_version": named and named.version,
        "prompt_sha256": text_sha256(judge.prompt) if judge.prompt else None,
        "prompt_source": (named and named.source) or None,
    }


def _mapping(mapping: Mapping) -> dict[str, Any]:
    return {
        "rule": mapping.rule,
        "version": mapping.version,
        "thresholds": mapping.finite_thresholds,
        "by_topic": mapping.by_topic,
        "n": mapping.score_count,
        "pool": mapping.pool.name,
        "people": str(mapping.people) if mapping.people else None,
        "fitting_topics": mapping.fitting_topics,
    }


def _warnings(job: Job, mapping: Mapping, pairs: Sequence[GradedPair]) -> list[str]:
    counts = Counter(pair.grade for pair in pairs)
    empty = empty_grade_warning(mapping.rule, [counts[grade] for grade in GRADES])
    texts = texts_of(job.texts)
    return [*(unseen_warnings(texts) if texts else ()), *([empty] if empty else ())]


def _ensemble(job: Job) -> dict[str, Any]:
    """Return an ensemble's members with ballots and backbones, and their agreement; empty for others."""
    facts = facts_of_job(job)
    if facts is None:
        return {}
    composition = composition_of(job.judge.decoding)
    members = [
        asdict(share.member) | {"graded_count": share.graded_count, "grades_sha256": share.sha256}
        for share in facts.shares
    ]
    judges = Judge.objects.filter(identity_sha256__in=[each.identity_sha256 for each in composition.members])
    stability = [
        {
            "size": each.size,
            "subset_count": each.subset_count,
            "mean_kappa": each.mean.value,
            "least_kappa": each.least.value,
        }
        for each in facts.stability
    ]
    statistics = {
        "members": members,
        "backbones": sorted({_backbone(each) for each in judges} - {""}),
        "agreement": facts.agreement,
        "difficulty": _difficulty(job, facts.difficulty),
        "stability": stability,
    }
    return {"ensemble": composition.decoding | statistics}


def _difficulty(job: Job, counts: dict[Any, int]) -> dict[str, Any] | None:
    """Return pairs by difficulty, with the qrels that they were computed against."""
    people = people_of_job(job)
    if not counts or people is None:
        return None
    return {"people": str(people), "people_sha256": people.sha256, "counts": counts}


def describe_job(job: Job) -> str:
    """Return judge and number of the job, as ``about`` of its operations."""
    return f"{job.judge}, job {job.pk}"


def find_job_of(operation: Operation) -> Job:
    """Return the job of an operation on its grades."""
    return Job.objects.select_related("judge", "pool__task__track").get(pk=operation.options["job"])


def page_of_job(operation: Operation) -> str:
    """Return the address of the job's page."""
    place = [operation.task.track.slug, operation.task.slug]
    return reverse("job_detail", args=[*place, operation.options["job"]])
