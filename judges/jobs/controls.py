"""Ask pairs again with a picture of another topic, and pause a job whose grades stay."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterator, Sequence

from django.db import transaction
from django.db.models import Avg, F, Min, Sum
from django.db.models.functions import Now

from evaluation.collections.items import Item
from evaluation.tracks.work.queueing import enqueue
from judges.jobs.budgets import NO_MONEY
from judges.jobs.calls import Call, CallState
from judges.jobs.exchanges import control_name, exchanges_of
from judges.jobs.looking import look_at, read_controls
from judges.jobs.models import Job, Side
from judges.jobs.questions import FILE_PAIRS, answer_from_store
from judges.jobs.scheduling import halt_job
from judges.jobs.shards import JobState, Shard, ShardContent
from trackside.code_version import code_version
from trackside.judging.asking import EndpointError
from trackside.judging.controls import FEWEST, Looks, control_count
from trackside.judging.forms import answer_form
from trackside.judging.inputs import Gap
from trackside.judging.judge import Unit

DOUBTFUL = (
    "Controls: {sentence}. The endpoint may drop pictures, or the model may look only at the text. Try the "
    "judge on a pair. To continue nevertheless, resume the job: your decision is recorded."
)
SPARE = 50  # pairs beyond those needed, because some have no fitting picture
ROUGHLY = 1e-9  # of a mean of equal grades


def control_shard(*, shard: Shard) -> list[int]:
    """After a shard of requests: pause the job if its grades stay, and add the controls that are due.

    FEWEST or more are added at once. Return their shards.
    """
    job = shard.job
    if job.picture_side is None:
        return []
    if job.calls.controls().filter(pk__in=[pk for pk, _ in shard.inputs]).exists():
        check_controls(job=job)
    return plan_controls(job=job) if _is_time(job) else []


def control_job(*, job: Job) -> bool:
    """Before a job is closed: add all controls that are still due; True if it waits for them or is paused."""
    if job.picture_side is None:
        return False
    shards = plan_controls(job=job, is_over=True)
    return check_controls(job=job) or bool(shards)


def _is_time(job: Job) -> bool:
    """Whether a further FEWEST may be due; ever fewer looks, because each counts all pairs."""
    done = job.shards.filter(done_at__isnull=False)
    count = done.count()
    if count % max(1, count // 16):
        return False
    asked_count = done.aggregate(total=Sum("input_count"))["total"] or 0
    return control_count(asked_count) - job.calls.controls().count() >= FEWEST


def check_controls(*, job: Job) -> bool:
    """Pause the job if the controls show that its grades stay, unless a person continued it; True if so."""
    result = look_at(job, read_controls(job))
    is_overruled = Job.objects.filter(pk=job.pk, overruled_by__isnull=False).exists()
    if result.looks is not Looks.STAYS or is_overruled:
        return False
    halt_job(job=job, state=JobState.PAUSED, note=DOUBTFUL.format(sentence=result.sentence))
    return True


@transaction.atomic
def plan_controls(*, job: Job, is_over: bool = False) -> list[int]:
    """Add controls for the pairs that have ended, and return the shards with their requests.

    ``is_over``: all pairs have ended. Stored answers are reused. The first controls come only if there are
    FEWEST. Does nothing if the job is not active.
    """
    side = job.picture_side
    if side is None or not Job.objects.active().select_for_update(no_key=True).filter(pk=job.pk).exists():
        return []
    pairs = job.calls.of_pool()
    ended_count = pairs.count() if is_over else pairs.exclude(ended_at=None).count()
    names = list(job.calls.controls().values_list("topic", flat=True))
    due_count = control_count(ended_count) - len(names)
    if due_count < (1 if is_over else FEWEST):
        return []
    calls = _new_controls(job, side, due_count, {pair for pair, _ in exchanges_of(names).values()})
    if len(names) + len(calls) < FEWEST:
        return []
    Call.objects.bulk_create(calls)
    answer_from_store(job=job, keys=[call.request_key for call in calls])
    rows = job.calls.waiting().filter(topic__in=[call.topic for call in calls])
    return _queue(job, [list(row) for row in rows.values_list("pk", "request_key")])


def _queue(job: Job, requests: Sequence[list[object]]) -> list[int]:
    size = FEWEST if job.judge.unit == Unit.PAIR else FILE_PAIRS
    parts = [requests[start : start + size] for start in range(0, len(requests), size)]
    shards = [Shard(job=job, side=ShardContent.PAIR, inputs=part, input_count=len(part)) for part in parts]
    keys = [shard.pk for shard in Shard.objects.bulk_create(shards)]
    for key in keys:
        enqueue("judges.run_shard", key)
    return keys


def _new_controls(job: Job, side: Side, count: int, controlled: set[int]) -> list[Call]:
    """Return at most ``count`` unsaved controls of pairs that have none, in the order of request keys.

    The pairs are those above the judge's lowest grade, and at or above the mean of its grades: the rest of a
    scale of a hundred grades is its lowest.
    """
    scored = job.calls.scored().of_pool().exclude(topic__in=job.judge.example_topics)
    grades = scored.aggregate(mean=Avg("raw_score"), lowest=Min("raw_score"))
    if grades["mean"] is None:
        return []
    lowest = min(answer_form(job.judge.answer).lowest, grades["lowest"])
    usable = scored.filter(raw_score__gt=lowest, raw_score__gte=grades["mean"] - ROUGHLY)
    order = usable.exclude(pk__in=controlled).order_by("request_key")
    pairs = list(order[: count + SPARE])
    others = list(job.calls.of_pool().order_by("-request_key")[: 4 * (count + SPARE)])
    names = [control_name((pair.pk, other.pk)) for pair, other in _exchanges(job, side, pairs, others)]
    return _with_inputs(job, names)[:count]


def _with_inputs(job: Job, names: Sequence[str]) -> list[Call]:
    """Return an unsaved call of each control whose request is new to the job and has no gap."""
    calls: dict[str, Call] = {}
    for name, (topic, document) in zip(names, job.pair_inputs([(name, name) for name in names]), strict=True):
        if isinstance(topic, Gap) or isinstance(document, Gap):
            continue
        hashes = {"topic_input": topic.sha256, "document_input": document.sha256}
        content = job.judge.identity_sha256 + topic.sha256 + document.sha256
        key = hashlib.sha256(content.encode()).hexdigest()
        calls.setdefault(
            key, Call(job=job, topic=name, docno=name, is_canary=True, request_key=key, **hashes)
        )
    known = job.calls.filter(request_key__in=list(calls)).values_list("request_key", flat=True)
    return [call for key, call in calls.items() if key not in set(known)]


def _exchanges(
    job: Job, side: Side, pairs: Sequence[Call], others: Sequence[Call]
) -> Iterator[tuple[Call, Call]]:
    """Yield each pair with another one whose pictures it can be shown with.

    These are of another topic, not in the pool of the pair's topic, none of the pair's own, and as many or
    fewer, so that the request costs at most as much.
    """
    names = {call.pk: call.topic if side == Side.TOPIC else call.docno for call in (*pairs, *others)}
    items = job.items(side, set(names.values()))
    topics, docnos = {pair.topic for pair in pairs}, {other.docno for other in others}
    pool = job.calls.filter(topic__in=topics, docno__in=docnos).values_list("topic", "docno")
    pooled, queue = set(pool), deque(others)
    for pair in pairs:
        own = items.get(names[pair.pk])
        for other in queue:
            is_foreign = other.topic != pair.topic and (
                side == Side.TOPIC or (pair.topic, other.docno) not in pooled
            )
            if is_foreign and own and _fits(own, items.get(names[other.pk])):
                queue.remove(other)
                queue.append(other)
                yield pair, other
                break


def _fits(own: Item, other: Item | None) -> bool:
    if other is None or not 0 < other.image_count <= own.image_count:
        return False
    keys = {own.image_id, *own.more_images}
    return keys.isdisjoint([other.image_id, *other.more_images])


def halt_without_money(*, shard: Shard) -> None:
    """Stop the job, whose budget has no room for the shard; if only controls wait, end these instead.

    All pairs have grades then, and people need not pay more to get them.
    """
    waiting = shard.job.calls.waiting()
    if waiting.exclude(pk__in=shard.job.calls.controls()).exists() or not waiting.exists():
        halt_job(job=shard.job, state=JobState.STOPPED_BY_BUDGET, note=NO_MONEY)
        return
    ending = {"outcome": EndpointError.NOT_ASKED, "ended_at": Now(), "code_version": code_version()}
    with transaction.atomic():
        keys = [pk for pk, _ in shard.inputs]
        waiting.filter(pk__in=keys).update(state=CallState.FAILED, **ending)
        Shard.objects.filter(pk=shard.pk).update(done_at=Now(), encoded_count=F("input_count"))
