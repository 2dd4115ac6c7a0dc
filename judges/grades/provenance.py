"""The provenance of a judge's published grades."""

from collections import Counter
from collections.abc import Sequence

from django.conf import settings
from django.db.models import Sum

from evaluation.results.qrels.actions import GradedPair
from judges.grades.models import Mapping
from judges.jobs.embeddings import image_distance
from judges.jobs.models import Job
from judges.prompts.models import Prompt
from trackside.code_version import code_version
from trackside.findings.provenance import JudgeProvenance, MappingFacts, Work
from trackside.judging.asking import EndpointError
from trackside.judging.canaries import susceptibility
from trackside.judging.costs import FREE_OF_CHARGE
from trackside.judging.encoding import unseen_warnings
from trackside.judging.examples import left_out_words
from trackside.judging.mappings.rules import empty_grade_warning
from trackside.judging.prompts import settings_facts


def build_provenance(*, job: Job, mapping: Mapping, pairs: Sequence[GradedPair]) -> JudgeProvenance:
    """Return the provenance of a judge's grades for the report and the released collection."""
    facts = settings_facts(job.judge.settings) | {"backbone": job.judge.model_name}
    stored_prompt = Prompt.objects.of(job.judge)
    return JudgeProvenance(
        judge=job.judge.name,
        **facts,
        image_distance=image_distance(job),
        texts=job.texts_seen,
        work=measure_work(job=job),
        mapping=mapping_facts(mapping),
        left_out_topics=tuple(mapping.left_out_of(job.pool.task)),
        susceptibility=tuple(susceptibility(job.canary_scores(), mapping.frozen)),
        warnings=tuple(_warnings(job, mapping, pairs)),
        code_version=code_version(),
        prompt_name=stored_prompt.name if stored_prompt else None,
        prompt_version=stored_prompt.version if stored_prompt else None,
        prompt_source=(stored_prompt.source or None) if stored_prompt else None,
    )


def mapping_facts(mapping: Mapping) -> MappingFacts:
    """Return the facts of a frozen mapping."""
    return MappingFacts(
        rule=mapping.rule,
        version=mapping.version,
        thresholds=tuple(mapping.finite_thresholds),
        by_topic=mapping.by_topic,
        n=mapping.score_count,
        pool=mapping.pool.name,
        people=str(mapping.people) if mapping.people else None,
        fitting_topics=tuple(mapping.fitting_topics),
    )


def _warnings(job: Job, mapping: Mapping, pairs: Sequence[GradedPair]) -> list[str]:
    counts = Counter(pair.grade for pair in pairs)
    empty = empty_grade_warning(
        mapping.rule, [counts[grade] for grade in mapping.scale], tuple(mapping.scale)
    )
    texts = job.texts_seen
    words = [*(unseen_warnings(texts) if texts else ()), empty, left_out_words(job.judge.prompt)]
    return list(filter(None, words))


def measure_work(*, job: Job) -> Work:
    """Sum up the work of a completed job."""
    pairs = job.calls.of_pool()
    is_asked = job.judge.unit.is_asked
    requests = job.ledger.exclude(outcome=EndpointError.NOT_ASKED)
    tokens = requests.aggregate(inputs=Sum("input_tokens"), outputs=Sum("output_tokens"))
    calls = job.calls.filter(is_from_store=False)
    latency_ms: int | None = calls.aggregate(total=Sum("latency_ms"))["total"]
    # Scores from a file, stored answers or members have no shards.
    duration = job.finished_at - job.started_at if job.started_at and job.finished_at else None
    has_price = is_asked and job.rates != FREE_OF_CHARGE
    return Work(
        pair_count=pairs.count(),
        asked_count=calls.filter(attempt_count__gt=0).count() if is_asked else None,
        stored_count=pairs.filter(is_from_store=True).count() if is_asked else None,
        request_count=requests.count() if is_asked else None,
        input_tokens=tokens["inputs"],
        output_tokens=tokens["outputs"],
        cost_micros=job.ledger.all().total() if has_price else None,
        currency=settings.CURRENCY or None if has_price else None,
        latency_seconds=None if latency_ms is None else latency_ms / 1000,
        duration_seconds=duration.total_seconds() if duration is not None and job.shards.exists() else None,
    )
