"""What a judge would send of a task's pairs, and what a job would cost, before it starts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Avg, Count, F, Q, QuerySet

from evaluation.collections.blobs import Image
from evaluation.collections.items import Item
from evaluation.collections.models import Document, Topic
from evaluation.submissions.pools.models import Pool, PoolItem
from evaluation.tracks.models import Task
from judges.catalogue.models import Judge
from judges.jobs.calls import Call
from judges.jobs.models import Job, Side, roles_of
from judges.jobs.money import Price
from trackside.errors import InputError
from trackside.judging.canaries import CANARIES
from trackside.judging.controls import control_count
from trackside.judging.costs import tokens_of
from trackside.judging.inputs import (
    FieldsInput,
    Gap,
    ImageInput,
    Input,
    PairInputs,
    SideInput,
    TextInput,
    prompted,
    shown_pair,
)
from trackside.judging.prompts import EVERY_FIELD, check_template, field_names, names_sides, shown_of
from trackside.text.roles import Roles

SEARCHED = 20  # pairs of the latest pools


@dataclass(frozen=True)
class PairPreview:
    """A pair as a judge reads it: texts, with the image if the part is one; or why nothing is sent.

    ``missing`` are fields that the prompt names and the pair lacks. ``token_count`` estimates the texts.
    """

    parts: tuple[tuple[str, Image | None], ...] = ()
    gap: str = ""
    missing: tuple[str, ...] = ()

    @property
    def token_count(self) -> int:
        """An estimate: the model's own tokenizer counts otherwise."""
        return tokens_of((text for text, image in self.parts if image is None), 0, 0)


def pooled_pair(
    task: Task, topics: QuerySet[Topic], documents: QuerySet[Document]
) -> tuple[Topic, Document] | None:
    """Return the first pair of the latest pool whose items are among these; None without one."""
    items = list(
        PoolItem.objects.filter(pool__task=task).order_by("-pool__created_at", "position")[:SEARCHED]
    )
    by_number = {topic.number: topic for topic in topics.filter(number__in=[item.topic for item in items])}
    by_docno = {row.docno: row for row in documents.filter(docno__in=[item.docno for item in items])}
    pairs = ((by_number.get(item.topic), by_docno.get(item.docno)) for item in items)
    return next(((topic, document) for topic, document in pairs if topic and document), None)


def any_pair(task: Task) -> tuple[Topic, Document] | None:
    """Return the first pair of the task's latest pool; None without one."""
    documents = Document.objects.filter(collection=task.collection_id)
    return pooled_pair(task, task.topics.select_related("image"), documents.select_related("image"))


def show_pair(task: Task, judge: Judge, topic: Topic, document: Document) -> PairPreview:
    """Return what the judge, which need not be stored, would read of the pair."""
    ((_, preview),) = show_pairs(task, [judge], topic, document)
    return preview


def show_pairs(
    task: Task, judges: Iterable[Judge], topic: Topic, document: Document
) -> list[tuple[Judge, PairPreview]]:
    """Return each judge with what it would read of the pair."""
    sides = [(side, roles_of(task, side), item) for side, item in zip(Side, (topic, document), strict=True)]
    return [(judge, _preview(task, judge, sides, topic.number)) for judge in judges]


def _preview(task: Task, judge: Judge, sides: Sequence[tuple[Side, Roles, Item]], number: str) -> PairPreview:
    job = Job(judge=judge, pool=Pool(task=task))
    try:
        unit = judge.unit
        if unit.is_asked:
            check_template(judge.prompt)
    except InputError as error:  # the backend's package is not installed, or has no use for the prompt
        return PairPreview(gap=str(error))
    topic_input, document_input = (job.item_input(*of_side) for of_side in sides)
    pair = (topic_input, document_input)
    shown_images = [image for *_, item in sides for image in item.images]
    images = {key: image for image in shown_images for key in (image.small_id, image.original_id)}
    if gap := next((item for item in pair if isinstance(item, Gap)), None):
        return PairPreview(gap=str(gap))
    if not unit.is_asked:
        return PairPreview(tuple(part for item in pair for part in _encoded(item, images)))
    prompt = shown_pair(judge.prompt, *pair, number=number)
    if prompt is None:
        return PairPreview(gap="the prompt shows one text and one image")
    texts, blobs = prompt
    of_examples = Image.objects.filter(Q(small__in=blobs) | Q(original__in=blobs))
    images = {key: image for image in of_examples for key in (image.small_id, image.original_id)} | images
    pictures = iter([images[blob] for blob in blobs])
    parts = tuple(("", next(pictures)) if text is None else (text, None) for text in texts)
    return PairPreview(parts, missing=_absent_fields(judge.prompt, [pair]))


def _encoded(item: Input | Gap, images: dict[str, Image]) -> list[tuple[str, Image | None]]:
    match item:
        case TextInput():
            return [(prompted(item.prompt, text), None) for text in item.texts]
        case ImageInput():
            return [("", images[blob]) for blob in item.blobs]
    return []


def _absent_fields(template: str, pairs: Sequence[PairInputs]) -> tuple[str, ...]:
    """Return the fields that the prompt names and no item of these pairs has; none if no item has any."""
    fields = {
        (side, name)
        for pair in pairs
        for side, item in zip(Side, pair, strict=True)
        if isinstance(item, FieldsInput | SideInput)
        for name, text in item.fields
        if text.strip()
    }
    if not fields:
        return ()
    if names_sides(template):
        prompt_fields = [(side, name) for side in Side for name in shown_of(template, side)]
        text_fields = [field for field in prompt_fields if field[1] not in {"image", EVERY_FIELD}]
        return tuple(f"{side}.{name}" for side, name in text_fields if (side, name) not in fields)
    names = {name for _, name in fields}
    return tuple(name for name in field_names(template) if name not in names)


@dataclass(frozen=True)
class CostEstimate:
    """The cost estimate of a job. None is unknown: no price, or no earlier job of the model.

    ``token_count`` estimates the tokens of its requests, None for a judge without requests. ``bound_micros``
    is the maximum cost if no request fails, ``likely_micros`` follows from the mean tokens of the model's
    earlier answers; all three include the canaries and controls. ``duration`` follows from the pace of the
    judge's last job. Only answers and jobs of the pool's track count, because other tracks' are private.
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
    items = list(pool.items.values_list("topic", "docno"))
    canaries = [(canary.name, canary.name) for canary in CANARIES]
    pairs = Job(judge=judge, pool=pool).pair_inputs([*items, *canaries])
    prompts = [prompt[0] for pair in pairs if (prompt := shown_pair(judge.prompt, *pair))]
    absent = _absent_fields(judge.prompt, pairs[: len(items)])
    image_tokens = price.image_tokens if price else 0
    control_number = control_count(pair_count) if Job(judge=judge, pool=pool).picture_side else 0
    tokens = _with_controls(
        [tokens_of(texts, image_tokens, judge.max_tokens) for texts in prompts], control_number
    )
    if price is None:
        return CostEstimate(pair_count, tokens, duration=duration, absent_fields=absent)
    rates = price.rates_for(judge.unit)
    bound = _with_controls([rates.bound(texts, judge.max_tokens) for texts in prompts], control_number)
    calls = Call.objects.scored().filter(job__pool__task__track=pool.task.track_id)
    answered_calls = calls.filter(job__judge__model=judge.model, input_tokens__isnull=False)
    means = answered_calls.aggregate(inputs=Avg("input_tokens"), outputs=Avg("output_tokens"))
    likely = None
    if means["inputs"] is not None:
        request_count = pair_count + len(CANARIES) + control_number
        likely = request_count * rates.cost(round(means["inputs"]), round(means["outputs"] or 0))
    return CostEstimate(pair_count, tokens, bound, likely, duration, absent)


def _with_controls(amounts: Sequence[int], count: int) -> int:
    """Return the sum for all requests and as many controls, each of which is at most as large as its pair."""
    return sum(amounts) + sum(sorted(amounts, reverse=True)[:count])


def _duration(judge: Judge, pool: Pool, pair_count: int) -> timedelta | None:
    """Estimate the time by the pace of the judge's last job in the track that workers ran."""
    jobs = Job.objects.of_pools().filter(judge=judge, pool__task__track=pool.task.track_id)
    completed = jobs.filter(started_at__isnull=False, finished_at__isnull=False)
    last = (
        completed.annotate(count=Count("calls"), took=F("finished_at") - F("started_at"))
        .filter(count__gt=0)
        .order_by("-finished_at")
        .values("count", "took")
        .first()
    )
    return last["took"] / last["count"] * pair_count if last else None
