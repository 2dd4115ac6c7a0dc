"""Try a judge on one pair of a task."""

from __future__ import annotations

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
from judges.jobs.models import IMAGE_SIDE, Job, Side
from judges.registry import loaded_encoder, loaded_generator
from judges.trials.charging import charged
from judges.trials.models import Trial
from trackside.errors import InputError
from trackside.judging.asking import Ask, Response
from trackside.judging.inputs import FieldsInput, Gap, ImageInput, Input, TextInput, prompted
from trackside.judging.judge import Unit, encode_files
from trackside.judging.prompts import ImagePlace, rendered
from trackside.judging.settings import Settings

PATIENCE = 40.0  # seconds for the response of an endpoint
SHOWN = 400  # characters of an answer


class NothingToTry(InputError):
    """The task has no pair, or the judge cannot be tried on one."""


@transaction.atomic
def ask_trial(*, judge: Judge, task: Task, by: User) -> Trial:
    """Queue a trial of the judge on the first topic and the first document with a picture.

    Raises NothingToTry.
    """
    if judge.unit not in {Unit.INPUT, Unit.PAIR}:
        raise NothingToTry(
            f"{judge} cannot be tried on one pair: its scores come from files or other judges."
        )
    topics = task.topics.active()
    documents = Document.objects.filter(collection=task.collection_id)
    if task.kind == TaskKind.TEXT_TO_IMAGE:
        documents = documents.filter(image__isnull=False)
    else:
        topics, documents = topics.filter(image__isnull=False), documents.exclude(fields=[])
    topic, document = topics.first(), documents.first()
    if topic is None or document is None:
        raise NothingToTry("There is no pair to try a judge on. Import documents with pictures, and topics.")
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
    image_side = IMAGE_SIDE[TaskKind(trial.task.kind)]
    image = inputs.pop(image_side)
    (text,) = inputs.values()
    if isinstance(text, Gap) or isinstance(image, Gap) or not isinstance(image, ImageInput):
        gap = text if isinstance(text, Gap) else image
        raise InputError(
            f"The pair has nothing to judge: {gap}. Check the topic and the document.", code="trial-failed"
        )
    settings = trial.judge.settings
    if trial.judge.unit == Unit.INPUT:
        return _encoded(settings, text, image)
    return _asked(trial, text, image)


def _encoded(settings: Settings, text: Input, image: ImageInput) -> str:
    encoder = loaded_encoder(settings)
    words = cast("TextInput", text)
    texts = [prompted(words.prompt, each) for each in words.texts]
    (vector,) = encode_files(encoder, [Blob(sha256=image.blob).read()], is_draft=image.is_draft)
    if isinstance(vector, Gap):
        raise InputError(f"The model cannot read the picture: {vector}.", code="trial-failed")
    first = encoder.encode_texts(texts[:1])[0]
    cosine = np.array([float(np.dot(first, vector))], dtype=np.float32)
    return f"raw score {encoder.raw_scores(cosine)[0]:.4f}"


def _asked(trial: Trial, text: Input, image: ImageInput) -> str:
    settings = trial.judge.settings
    parts = rendered(settings.prompt, cast("FieldsInput", text).fields)
    content = Blob(sha256=image.blob).read()
    sent = tuple(content if part is ImagePlace else str(part) for part in parts)
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
    return f"score {score:g}, answered “{response.text[:SHOWN]}”"


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
