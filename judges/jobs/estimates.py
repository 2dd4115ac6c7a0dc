"""Cost estimates of jobs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Avg, Count, F

from evaluation.pools.models import Pool
from evaluation.tracks.models import TaskKind
from judges.catalogue.models import Judge
from judges.jobs.calls import Call
from judges.jobs.models import IMAGE_SIDE, Job, Side
from judges.jobs.money import Price
from trackside.judging.canaries import CANARIES, canary_named
from trackside.judging.inputs import FieldsInput
from trackside.judging.prompts import Fields, PromptPart, field_names, rendered
from trackside.judging.rates import tokens_of


@dataclass(frozen=True)
class CostEstimate:
    """The cost estimate of a job. None is unknown: no price, or no earlier job of the model.

    ``token_count`` estimates the tokens of its requests, None for a judge without requests. ``bound_micros``
    is the maximum cost if no request fails, ``likely_micros`` follows from the mean tokens of the model's
    earlier answers; all three include the canaries. ``duration`` follows from the pace of the judge's last
    job. Only answers and jobs of the pool's track count, because other tracks' are private.
    ``absent_fields`` are fields of the prompt that are blank in every item of the pool.
    """

    pair_count: int
    token_count: int | None
    bound_micros: int | None
    likely_micros: int | None
    duration: timedelta | None
    absent_fields: tuple[str, ...] = ()


def estimate_job(*, judge: Judge, pool: Pool) -> CostEstimate:
    """Estimate a job of the judge on the pool; pairs with a stored answer count as requests."""
    pair_count = pool.items.count()
    duration = _duration(judge, pool, pair_count)
    price = Price.objects.of(judge)
    if not judge.unit.is_asked:
        return CostEstimate(pair_count, None, None, None, duration)
    counts, shown = _texts(judge, pool)
    prompts = [
        ([_words(part) for part in rendered(judge.prompt, fields)], counts[name])
        for name, fields in shown.items()
    ]
    own = [fields for name, fields in shown.items() if canary_named(name) is None]
    absent = _absent_fields(judge, own)
    max_tokens = judge.decoding.get("max_completion_tokens") or judge.decoding.get("max_tokens", 0)
    image_tokens = price.image_tokens if price else 0
    tokens = sum(count * tokens_of(texts, image_tokens, max_tokens) for texts, count in prompts)
    if price is None:
        return CostEstimate(pair_count, tokens, None, None, duration, absent)
    rates = price.rates_for(judge.unit)
    bound = sum(
        count * rates.bound([b"" if text is None else text for text in texts], max_tokens)
        for texts, count in prompts
    )
    of_track = Call.objects.scored().filter(job__pool__task__track=pool.task.track_id)
    used = of_track.filter(job__judge__model=judge.model, input_tokens__isnull=False)
    means = used.aggregate(inputs=Avg("input_tokens"), outputs=Avg("output_tokens"))
    likely = None
    if means["inputs"] is not None:
        likely = (pair_count + len(CANARIES)) * rates.cost(
            round(means["inputs"]), round(means["outputs"] or 0)
        )
    return CostEstimate(pair_count, tokens, bound, likely, duration, absent)


def _texts(judge: Judge, pool: Pool) -> tuple[Counter[str], dict[str, Fields]]:
    """Return the number of pairs of each text item, and its fields; each canary is in one pair."""
    is_topic = IMAGE_SIDE[TaskKind(pool.task.kind)] == Side.DOCUMENT
    side, column = (Side.TOPIC, "topic") if is_topic else (Side.DOCUMENT, "docno")
    counts = Counter(pool.items.order_by().values_list(column, flat=True))
    counts.update(canary.name for canary in CANARIES)
    shown = Job(judge=judge, pool=pool).inputs(side, counts)
    return counts, {name: each.fields for name, each in shown.items() if isinstance(each, FieldsInput)}


def _words(part: PromptPart) -> str | None:
    """Return the text of a part, None for the image."""
    return part if isinstance(part, str) else None


def _absent_fields(judge: Judge, shown: Sequence[Fields]) -> tuple[str, ...]:
    known = {name for fields in shown for name, text in fields if text.strip()}
    return tuple(name for name in field_names(judge.prompt) if shown and name not in known)


def _duration(judge: Judge, pool: Pool, pair_count: int) -> timedelta | None:
    """Estimate the time by the pace of the judge's last job in the track that workers ran."""
    own = Job.objects.filter(judge=judge, pool__task__track=pool.task.track_id)
    done = own.filter(started_at__isnull=False, finished_at__isnull=False)
    last = (
        done.annotate(count=Count("calls"), took=F("finished_at") - F("started_at"))
        .filter(count__gt=0)
        .order_by("-finished_at")
        .values("count", "took")
        .first()
    )
    return last["took"] / last["count"] * pair_count if last else None
