"""Cost estimates of jobs."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Avg, Count, F

from evaluation.pools.models import Pool
from judges.catalogue.models import Judge
from judges.jobs.calls import Call
from judges.jobs.models import Job, Side
from judges.jobs.money import Price
from trackside.judging.canaries import CANARIES, canary_named
from trackside.judging.inputs import FieldsInput, Gap, Input, SideInput, shown_pair
from trackside.judging.prompts import EVERY_FIELD, field_names, names_sides, shown_of
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
    token_count: int | None = None
    bound_micros: int | None = None
    likely_micros: int | None = None
    duration: timedelta | None = None
    absent_fields: tuple[str, ...] = ()


def estimate_job(*, judge: Judge, pool: Pool) -> CostEstimate:
    """Estimate a job of the judge on the pool; pairs with a stored answer count as requests."""
    pair_count = pool.items.count()
    duration = _duration(judge, pool, pair_count)
    price = Price.objects.of(judge)
    if not judge.unit.is_asked:
        return CostEstimate(pair_count, duration=duration)
    inputs = _inputs(judge, pool)
    prompts = list(_prompts(judge, pool, inputs))
    absent = _absent_fields(judge, inputs)
    image_tokens = price.image_tokens if price else 0
    tokens = sum(tokens_of(texts, image_tokens, judge.max_tokens) for texts in prompts)
    if price is None:
        return CostEstimate(pair_count, tokens, duration=duration, absent_fields=absent)
    rates = price.rates_for(judge.unit)
    bound = sum(rates.bound(texts, judge.max_tokens) for texts in prompts)
    calls = Call.objects.scored().filter(job__pool__task__track=pool.task.track_id)
    answered_calls = calls.filter(job__judge__model=judge.model, input_tokens__isnull=False)
    means = answered_calls.aggregate(inputs=Avg("input_tokens"), outputs=Avg("output_tokens"))
    likely = None
    if means["inputs"] is not None:
        likely = (pair_count + len(CANARIES)) * rates.cost(
            round(means["inputs"]), round(means["outputs"] or 0)
        )
    return CostEstimate(pair_count, tokens, bound, likely, duration, absent)


Inputs = dict[Side, dict[str, Input]]


def _inputs(judge: Judge, pool: Pool) -> Inputs:
    """Return the judge's input of each topic and document of the pool and of each canary; none for gaps."""
    job = Job(judge=judge, pool=pool)
    inputs: Inputs = {}
    for side, column in ((Side.TOPIC, "topic"), (Side.DOCUMENT, "docno")):
        names = {*pool.items.values_list(column, flat=True), *(canary.name for canary in CANARIES)}
        rows = job.inputs(side, names).items()
        inputs[side] = {name: value for name, value in rows if not isinstance(value, Gap)}
    return inputs


def _prompts(judge: Judge, pool: Pool, inputs: Inputs) -> Iterator[tuple[str | None, ...]]:
    """Yield the prompt of each pair and canary: texts, None at the place of an image."""
    canaries = [(canary.name, canary.name) for canary in CANARIES]
    for topic, docno in [*pool.items.values_list("topic", "docno"), *canaries]:
        pair = shown_pair(judge.prompt, inputs[Side.TOPIC].get(topic), inputs[Side.DOCUMENT].get(docno))
        if pair:
            yield pair[0]


def _absent_fields(judge: Judge, inputs: Inputs) -> tuple[str, ...]:
    """Return the fields that the prompt names and no item of the pool has."""
    fields = {
        (side, name)
        for side, by_name in inputs.items()
        for item, value in by_name.items()
        if canary_named(item) is None and isinstance(value, FieldsInput | SideInput)
        for name, text in value.fields
        if text.strip()
    }
    if not fields:
        return ()
    if names_sides(judge.prompt):
        prompt_fields = [(side, name) for side in Side for name in shown_of(judge.prompt, side)]
        text_fields = [field for field in prompt_fields if field[1] not in {"image", EVERY_FIELD}]
        return tuple(f"{side}.{name}" for side, name in text_fields if (side, name) not in fields)
    names = {name for _, name in fields}
    return tuple(name for name in field_names(judge.prompt) if name not in names)


def _duration(judge: Judge, pool: Pool, pair_count: int) -> timedelta | None:
    """Estimate the time by the pace of the judge's last job in the track that workers ran."""
    jobs = Job.objects.filter(judge=judge, pool__task__track=pool.task.track_id)
    completed = jobs.filter(started_at__isnull=False, finished_at__isnull=False)
    last = (
        completed.annotate(count=Count("calls"), took=F("finished_at") - F("started_at"))
        .filter(count__gt=0)
        .order_by("-finished_at")
        .values("count", "took")
        .first()
    )
    return last["took"] / last["count"] * pair_count if last else None
