"""Try a judge on one pair of a task."""

import time
from collections.abc import Sequence
from typing import cast

import numpy as np
from django.db import transaction
from django.db.models.functions import Now

from evaluation.access.people import User
from evaluation.collections.blobs import Blob
from evaluation.collections.models import Document
from evaluation.pools.models import Pool
from evaluation.tracks.archiving import check_requester
from evaluation.tracks.models import Task, TaskKind
from evaluation.work.queueing import enqueue
from judges.catalogue.models import Judge
from judges.jobs.models import IMAGE_SIDES, Job, Side
from judges.jobs.shown_pairs import pooled_pair
from judges.registry import loaded_encoder, loaded_generator
from judges.trials.charging import charged
from judges.trials.models import Trial
from trackside.errors import InputError
from trackside.judging.asking import Ask, Response
from trackside.judging.inputs import Gap, ImageInput, Input, TextInput, prompted, shown_pair
from trackside.judging.judge import Encoder, Unit, Vector, encode_files
from trackside.judging.settings import Settings
from trackside.judging.texts import read_fields

PATIENCE = 40.0  # seconds for the response of an endpoint
SHOWN = 400  # characters of an answer


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
    topics = task.topics.active()
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
    if not Trial.objects.filter(pk=trial_id, started_at__isnull=True).update(started_at=Now()):
        return
    trial = Trial.objects.select_related("judge", "task__track", "asked_by").get(pk=trial_id)
    ending: dict[str, str] = {}
    try:
        check_requester(trial.task, trial.asked_by)
        ending["result"] = _answer(trial)
    except InputError as error:
        ending["error"] = str(error)
    Trial.objects.filter(pk=trial_id).update(ended_at=Now(), **ending)


def sweep_trials() -> None:
    """Queue again the trials that no worker has started for a while: their message may be lost."""
    for trial in Trial.objects.forgotten():
        enqueue("judges.try_judge", trial.pk)


def _answer(trial: Trial) -> str:
    job = Job(judge=trial.judge, pool=Pool(task=trial.task))
    sides = {Side.TOPIC: trial.topic, Side.DOCUMENT: trial.docno}
    inputs = {side: job.inputs(side, {name})[name] for side, name in sides.items()}
    topic, document = inputs[Side.TOPIC], inputs[Side.DOCUMENT]
    if isinstance(topic, Gap) or isinstance(document, Gap):
        gap = topic if isinstance(topic, Gap) else document
        raise InputError(
            f"The pair has nothing to judge: {gap}. Check the topic and the document, and at "
            "their import the roles of the fields.",
            code="trial-failed",
        )
    settings = trial.judge.settings
    if trial.judge.unit == Unit.INPUT:
        encoder = loaded_encoder(settings)
        vectors = [_encoded(encoder, each) for each in (topic, document)]
        cosine = np.array([float(np.dot(*vectors))], dtype=np.float32)
        read = [_tokens_read(encoder, each) for each in (topic, document) if isinstance(each, TextInput)]
        return ", ".join([f"raw score {encoder.raw_scores(cosine)[0]:.4f}", *read])
    shown = shown_pair(settings.prompt, topic, document)
    if shown is None:
        raise InputError(
            "The prompt shows one text and one image, but the task has no such pairs. Choose a prompt that "
            "names sides, such as {topic.fields}.",
            code="trial-failed",
        )
    return _asked(trial, *shown)


def _tokens_read(encoder: Encoder, text: TextInput) -> str:
    """Return how much of a text the model reads, by its own tokenizer."""
    counts = encoder.token_counts([words for _, words in text.fields])
    readings = read_fields(text, counts, encoder.room(text.prompt))
    seen, count = sum(each.seen_tokens for each in readings), sum(counts)
    return (
        f"reads all {count:,} tokens of the text" if seen == count else f"reads {seen:,} of {count:,} tokens"
    )


def _encoded(encoder: Encoder, shown: Input) -> Vector:
    """Return the vector of an image, or of the first piece of a text."""
    if not isinstance(shown, ImageInput):
        words = cast("TextInput", shown)
        return encoder.encode_texts([prompted(words.prompt, words.texts[0])])[0]
    (vector,) = encode_files(encoder, [Blob(sha256=shown.blob).read()], is_draft=shown.is_draft)
    if isinstance(vector, Gap):
        raise InputError(f"The model cannot read the picture: {vector}.", code="trial-failed")
    return vector


def _asked(trial: Trial, texts: Sequence[str | None], blobs: Sequence[str]) -> str:
    settings = trial.judge.settings
    images = iter([Blob(sha256=blob).read() for blob in blobs])
    sent = tuple(next(images) if text is None else text for text in texts)
    with charged(trial, sent) as charge:
        response = _first_response(settings, Ask("ts-" + "0" * 32, sent, trial.topic))
        charge(response)
    if response.fault:
        raise InputError(
            f"No answer ({response.fault}): {response.detail or 'no further reason'}.", code="trial-failed"
        )
    score = response.reading.score if response.reading else None
    if score is None:
        raise InputError(f"The answer has no score: “{response.text[:SHOWN]}”.", code="trial-failed")
    sent_words = f", {response.usage.input_tokens:,} tokens sent" if response.usage else ""
    return f"score {score:g}, answered “{response.text[:SHOWN]}”{sent_words}"


def _first_response(settings: Settings, ask: Ask) -> Response:
    waiting = [ask]

    def take(_count: int) -> Sequence[Ask]:
        taken, waiting[:] = list(waiting), []
        return taken

    deadline = time.monotonic() + PATIENCE
    for responses in loaded_generator(settings).responses(take):
        for response in responses:
            return response
        if time.monotonic() > deadline:
            break
    raise InputError(
        f"No answer within {PATIENCE:.0f} seconds. Check the address and the server.", code="trial-failed"
    )
