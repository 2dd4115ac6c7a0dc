"""Try a judge on one pair of a task and charge the track; the parts that comparisons share."""

import time
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from evaluation.collections.blobs import Blob
from evaluation.collections.models import Document
from evaluation.platform.access.people import User
from evaluation.submissions.pools.models import Pool
from evaluation.tracks.archiving import check_requester
from evaluation.tracks.models import Task, TaskKind
from evaluation.tracks.work.queueing import enqueue
from judges.catalogue.actions import note_self_test
from judges.catalogue.models import Judge
from judges.jobs.estimates import pooled_pair
from judges.jobs.models import IMAGE_SIDES, Job, Side
from judges.jobs.money import Budget
from judges.jobs.questions import prompt_parts
from judges.jobs.starting import find_rates
from judges.trials.models import Asked, Comparison, Row, Trial
from trackside.backends.registry import loaded_encoder, loaded_generator
from trackside.errors import InputError, first_line
from trackside.judging.asking import Ask, EndpointDown, EndpointError, Response
from trackside.judging.encoding import pair_cosines, read_fields
from trackside.judging.inputs import Gap, ImageInput, Input, TextInput, prompted, shown_pair
from trackside.judging.judge import Encoder, Unit, Vector, encode_files
from trackside.judging.settings import Settings

PATIENCE = 40.0  # seconds for the response of an endpoint
FAILED = "trial-failed"
SHOWN = 400  # characters of an answer
LONGEST_ANSWER = 4000  # characters stored of it; a verdict is often at its end


class NothingToTry(InputError):
    """The task has no pair, or the judge cannot be tried on one."""


@transaction.atomic
def ask_trial(*, judge: Judge, task: Task, by: User) -> Trial:
    """Queue a trial of the judge on the first pair of the latest pool, or of the task.

    Raises NothingToTry.
    """
    if judge.unit not in {Unit.INPUT, Unit.PAIR}:
        raise NothingToTry(
            f"{judge} cannot be tried on one pair: its scores come from files or other judges."
        )
    topics = task.topics.active().exclude(number__in=judge.example_topics)  # others are shown all examples
    documents = Document.objects.filter(collection=task.collection_id)
    for side in IMAGE_SIDES[TaskKind(task.kind)]:
        if side == Side.TOPIC:
            topics = topics.filter(image__isnull=False)
        else:
            documents = documents.filter(image__isnull=False)
    if not TaskKind(task.kind).retrieves_images:
        documents = documents.exclude(fields=[])
    topic, document = pooled_pair(task, topics, documents) or (topics.first(), documents.first())
    if topic is None or document is None:
        raise NothingToTry(
            "There is no pair to try a judge on. Import topics and documents with what the task shows."
        )
    trial = Trial.objects.create(
        judge=judge, task=task, topic=topic.number, docno=document.docno, asked_by=by
    )
    enqueue("judges.try_judge", trial.pk)
    return trial


def run_trial(*, trial_id: int) -> None:
    """Run the trial, and store the judge's answer or the reason for none. A second call does nothing."""
    run_once(Trial, trial_id, lambda trial: {"result": _answer(trial)})


def run_once(model: type[Row], key: int, answer: Callable[[Row], dict[str, Any]]) -> None:
    """Run a trial or comparison that nobody has started; store the columns of its answer, or the error."""
    rows = model._default_manager.filter(pk=key)  # noqa: SLF001 - the documented way to any model's rows
    if not rows.filter(started_at__isnull=True).update(started_at=Now()):
        return
    attempt = rows.select_related("judge", "task__track", "asked_by").get()
    try:
        check_requester(attempt.task, attempt.asked_by)
        ending = answer(attempt)
    except InputError as error:
        ending = {"error": str(error)}
    except Exception as error:  # of a model's code: the page says why at once
        rows.update(ended_at=Now(), error=f"The judge failed: {first_line(error)}")
        raise
    rows.update(ended_at=Now(), **ending)


def sweep_trials() -> None:
    """Queue again what no worker has started for a while: its message may be lost."""
    for trial in Trial.objects.forgotten():
        enqueue("judges.try_judge", trial.pk)
    for comparison in Comparison.objects.forgotten():
        enqueue("judges.try_prompts", comparison.pk)


def _answer(trial: Trial) -> str:
    settings = trial.judge.settings
    if trial.judge.unit == Unit.INPUT:
        encoder = loaded_encoder(settings)
        note_self_test(judge=trial.judge, model=encoder)
        inputs = _inputs(trial.judge, trial.task, trial.topic, trial.docno)
        topic, document = (_encoded(encoder, item) for item in inputs)
        vectors = {"topic": topic, "document": document}
        cosine = pair_cosines(vectors, [("topic", "document")], settings.long_text)
        texts = [_tokens_read(encoder, item) for item in inputs if isinstance(item, TextInput)]
        return ", ".join([f"raw score {encoder.raw_scores(cosine)[0]:.4f}", *texts])
    note_self_test(judge=trial.judge, model=loaded_generator(settings))
    parts = sent_parts(trial.judge, trial.task, trial.topic, trial.docno)
    settle = charge_bound(trial, parts)
    ask = Ask("ts-" + "0" * 32, parts, trial.topic)
    response = responses_to(settings, [ask], seconds=PATIENCE).get(ask.id)
    settle(response)
    Trial.objects.filter(pk=trial.pk).update(answer=response.text[-LONGEST_ANSWER:] if response else "")
    sent_words = f", {response.usage.input_tokens:,} tokens sent" if response and response.usage else ""
    return f"score {score_of(response):g}{sent_words}"


def _inputs(judge: Judge, task: Task, topic_number: str, docno: str) -> tuple[Input, Input]:
    ((topic, document),) = Job(judge=judge, pool=Pool(task=task)).pair_inputs([(topic_number, docno)])
    if isinstance(topic, Gap) or isinstance(document, Gap):
        gap = topic if isinstance(topic, Gap) else document
        raise InputError(
            f"The pair has nothing to judge: {gap}. Check the topic and the document, and at "
            "their import the roles of the fields.",
            code=FAILED,
        )
    return topic, document


def sent_parts(judge: Judge, task: Task, topic: str, docno: str) -> tuple[str | bytes, ...]:
    """Return the prompt of a pair with the images' bytes. Raises trial-failed for a gap."""
    prompt = shown_pair(judge.prompt, *_inputs(judge, task, topic, docno), number=topic)
    if prompt is None:
        raise InputError(
            "The prompt shows one text and one image, but the task has no such pairs. Choose a prompt that "
            "names sides, such as {topic.fields}.",
            code=FAILED,
        )
    parts = prompt_parts(*prompt, judge.image_size)
    if isinstance(parts, Gap):
        raise InputError(f"The picture cannot be shown: {parts}.", code=FAILED)
    return parts


def _tokens_read(encoder: Encoder, text: TextInput) -> str:
    """Return how much of a text the model reads, by its own tokenizer."""
    counts = encoder.token_counts([words for _, words in text.fields])
    readings = read_fields(text, counts, encoder.room(text.prompt))
    part, count = sum(reading.seen_tokens for reading in readings), sum(counts)
    return (
        f"reads all {count:,} tokens of the text" if part == count else f"reads {part:,} of {count:,} tokens"
    )


def _encoded(encoder: Encoder, item: Input) -> Vector:
    """Return the vectors of images, or the one of the first piece of a text."""
    if not isinstance(item, ImageInput):
        words = cast("TextInput", item)
        return encoder.encode_texts([prompted(words.prompt, words.texts[0])])[0]
    contents = [Blob(sha256=blob).read() for blob in item.blobs]
    vectors: list[Vector] = []
    for vector in encode_files(encoder, contents, is_draft=item.is_draft):
        if isinstance(vector, Gap):
            raise InputError(f"The model cannot read the picture: {vector}.", code=FAILED)
        vectors.append(vector)
    return np.stack(vectors)


def responses_to(settings: Settings, asks: Sequence[Ask], *, seconds: float) -> dict[str, Response]:
    """Send the requests; return the responses by id, without those that took longer."""
    queue = list(asks)

    def take(count: int) -> Sequence[Ask]:
        batch, queue[:] = queue[:count], queue[count:]
        return batch

    responses: dict[str, Response] = {}
    deadline = time.monotonic() + seconds
    try:
        for batch in loaded_generator(settings).responses(take):
            responses |= {response.id: response for response in batch}
            if len(responses) == len(asks) or time.monotonic() > deadline:
                break
    except EndpointDown as down:  # what was not sent costs nothing
        fault = EndpointError.NOT_ASKED
        return {ask.id: Response(ask.id, fault=fault, detail=str(down)) for ask in asks} | responses
    return responses


def score_of(response: Response | None) -> float:
    """Return the score of an answer. Raises trial-failed with the reason for none."""
    if response is None:
        raise InputError("No answer in time. Check the address and the server.", code=FAILED)
    if response.fault:
        raise InputError(
            f"No answer ({response.fault}): {response.detail or 'no further reason'}.", code=FAILED
        )
    score = response.reading.score if response.reading else None
    if score is None:
        reason = response.reading.outcome if response.reading else "no reading"
        raise InputError(f"The answer has no score ({reason}): “{shown_text(response)}”.", code=FAILED)
    return score


def shown_text(response: Response | None) -> str:
    """Return the first SHOWN characters of an answer."""
    return response.text[:SHOWN] if response else ""


def charge_bound(attempt: Asked, parts: Sequence[str | bytes]) -> Callable[[Response | None], int]:
    """Charge the track the bound of a request's cost before it is sent.

    Call the result with the response: the charge becomes its cost, which is returned in micros. Without a
    response (None) the bound stays, because the endpoint may bill it. Raises budget-spent and price-missing.
    """
    judge = attempt.judge
    rates = find_rates(judge=judge, pool=Pool(task=attempt.task))
    bound = rates.bound(parts, judge.max_tokens)
    _charge(attempt, bound)

    def settle(response: Response | None) -> int:
        cost = bound if response is None else rates.charged(response, bound)
        _charge(attempt, cost - bound)
        return cost

    return settle


@transaction.atomic
def _charge(attempt: Asked, micros: int) -> None:
    if not micros:
        return
    track = attempt.task.track
    budget = Budget.objects.filter(pk=Budget.objects.of_track(track).pk)
    if micros > 0:
        used = F("spent_micros") + F("reserved_micros") + micros
        budget = budget.filter(
            Q(cap_micros__isnull=True) | Q(cap_micros__gte=used),
            Q(ceiling_micros__isnull=True) | Q(ceiling_micros__gte=used),
        )
    if not budget.update(spent_micros=F("spent_micros") + micros):
        raise InputError(
            f"The budget of {track} has no room for a trial. Raise its cap, or ask the site's staff to.",
            code="budget-spent",
        )
    row = type(attempt)._default_manager.filter(pk=attempt.pk)  # noqa: SLF001 - the documented way to any model's rows
    row.update(cost_micros=F("cost_micros") + micros)
