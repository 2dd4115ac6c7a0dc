"""The provenance of a judge's published grades."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Sum

from evaluation.core.code_version import code_version
from evaluation.qrels.actions import GradedPair
from judges.catalogue.models import Judge
from judges.core.asking import EndpointError
from judges.core.costs import FREE_OF_CHARGE
from judges.core.ensembles.composition import composition_of
from judges.core.judge import Unit
from judges.core.mappings.rules import GRADES, empty_grade_warning
from judges.core.prompts import text_sha256
from judges.core.repeats import order_of, repeat_sha256
from judges.core.susceptibility import susceptibility
from judges.core.texts import texts_of, unseen_warnings
from judges.grades.ensembles import facts_of_job, people_of_job
from judges.grades.models import Mapping
from judges.jobs.models import Job
from judges.prompts.models import Prompt


def build_provenance(*, job: Job, mapping: Mapping, pairs: Sequence[GradedPair]) -> dict[str, Any]:
    """Return the provenance of a judge's grades for the report and the released collection, as plain JSON.

    Beside settings, mapping and susceptibility:

    - ``identity``: the SHA-256 of the settings without order and seed, ``order``: ``core.repeats.Order``, and
      ``seed``. Equal identity and order with different seeds are test and retest; equal identity with
      different orders shows the effect of the order.
    - ``decoding``: the options of the model's requests or generation; ``leave_out`` names options not sent.
    - ``texts``: ``core.texts.TextsSeen``, null if the amount of text read is unknown.
    - ``work``: ``Work``: requests, tokens, money and time, each null if unknown.
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
    own = judge.settings
    order = order_of(own)
    return {
        "judge": judge.name,
        "identity_sha256": own.identity_sha256,
        "identity": repeat_sha256(own),
        "order": {"image": order.image, "fields": list(order.fields)},
        "seed": own.seed,
        "backend": own.backend,
        "backend_revision": own.revision,
        "backbone": _backbone(judge),
        "backbone_revision": own.model_revision,
        "dtype": own.dtype,
        "text_fields": list(own.text_fields),
        "image_size": own.image_size,
        "long_text": own.long_text,
        "decoding": {} if judge.unit is Unit.JUDGES else own.decoding,
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


@dataclass(frozen=True, slots=True)
class Work:
    """The work of a job. None is unknown, and never 0.

    ``pair_count`` counts the pairs of the pool. The next seven are None for judges without requests:
    ``asked_count`` counts the pairs, with canaries, that this job sent to the model; ``stored_count`` the
    pairs of the pool that an earlier job of the judge had answered, at no cost here; ``request_count`` the
    requests sent, with retries.

    Tokens and cost are sums over all requests: 1,000 pairs cost 1,000 times the cost over ``asked_count``.
    Tokens are None if no response reported any, the cost is None if the job had no price; a request with an
    unknown bill is charged at its upper bound. ``cost_micros`` are millionths of ``currency``, an ISO 4217
    code, None if the site sets none. ``latency_seconds`` sums the time from each pair's last request to its
    response, ``duration_seconds`` is from the first shard to the end of the job, with pauses and retries.
    """

    pair_count: int
    asked_count: int | None
    stored_count: int | None
    request_count: int | None
    input_tokens: int | None
    output_tokens: int | None
    cost_micros: int | None
    currency: str | None
    latency_seconds: float | None
    duration_seconds: float | None


def measure_work(*, job: Job) -> Work:
    """Sum up the work of a completed job."""
    pairs = job.calls.of_pool()
    is_asked = job.judge.unit.is_asked
    requests = job.ledger.exclude(outcome=EndpointError.NOT_ASKED)
    tokens = requests.aggregate(inputs=Sum("input_tokens"), outputs=Sum("output_tokens"))
    own = job.calls.filter(is_from_store=False)
    latency_ms: int | None = own.aggregate(total=Sum("latency_ms"))["total"]
    has_price = is_asked and job.rates != FREE_OF_CHARGE
    return Work(
        pair_count=pairs.count(),
        asked_count=own.filter(attempt_count__gt=0).count() if is_asked else None,
        stored_count=pairs.filter(is_from_store=True).count() if is_asked else None,
        request_count=requests.count() if is_asked else None,
        input_tokens=tokens["inputs"],
        output_tokens=tokens["outputs"],
        cost_micros=job.ledger.all().total() if has_price else None,
        currency=settings.CURRENCY or None if has_price else None,
        latency_seconds=None if latency_ms is None else latency_ms / 1000,
        duration_seconds=_duration(job),
    )


def _duration(job: Job) -> float | None:
    """Return None for a job without shards: its scores are from a file, stored answers or members."""
    if job.started_at is None or job.finished_at is None or job.shards.count() == 0:
        return None
    return (job.finished_at - job.started_at).total_seconds()
