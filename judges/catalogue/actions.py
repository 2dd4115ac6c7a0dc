"""Create and retire judges, and store the shutdown dates of their models."""

import logging
import os
from collections.abc import Iterable
from dataclasses import asdict

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from evaluation.platform.access.people import User
from evaluation.tracks.models import Track
from evaluation.tracks.work.queueing import enqueue
from judges.catalogue.models import Judge
from trackside.backends.registry import backend_class
from trackside.errors import InputError
from trackside.judging.endpoints.clients import fetch_shutdown_date
from trackside.judging.prompts import task_kinds_of
from trackside.judging.settings import Settings
from trackside.log_context import bound


@transaction.atomic
def create_judge(
    *, name: str, settings: Settings, by: User, task_kinds: Iterable[str] = (), track: Track | None = None
) -> Judge:
    """Store a judge with its model's exact revision; without task kinds those of backend and prompt.

    It belongs to the track, or without one to the site. Judges of other tracks may have the same name.
    Raises judge-exists, task-kind-refused, or the backend's InputError for the settings.
    """
    backend = backend_class(settings.backend)
    pinned = backend.pinned(settings)
    prompt_kinds = task_kinds_of(settings.prompt)
    possible = backend.task_kinds & prompt_kinds if backend.unit.is_asked else backend.task_kinds
    kinds = set(task_kinds) or backend.task_kinds & prompt_kinds or backend.task_kinds
    if not kinds <= possible:
        raise InputError(
            f"The backend {settings.backend} judges these kinds of tasks only, with this prompt: "
            f"{', '.join(sorted(possible))}. Prompts that name sides, such as {{topic.fields}}, show others.",
            code="task-kind-refused",
        )
    judges = Judge.objects.of_track(track) if track else Judge.objects.all()
    duplicate = judges.filter(Q(name=name) | Q(identity_sha256=pinned.identity_sha256)).first()
    if duplicate:
        raise InputError(
            f'The judge "{duplicate}" has this name or the same settings. '
            "Use it, or change a setting and the name.",
            code="judge-exists",
        )
    columns = asdict(pinned) | {"text_fields": list(pinned.text_fields)}
    judge = Judge.objects.create(
        track=track,
        name=name,
        **columns,
        identity_sha256=pinned.identity_sha256,
        task_kinds=sorted(kinds),
        created_by=by,
    )
    if judge.endpoint:
        enqueue("judges.run_shutdown", judge.pk)
    return judge


logger = logging.getLogger(__name__)


@transaction.atomic
def retire_judge(*, judge: Judge, by: User) -> None:
    """Retire the judge: it gets no new jobs, its current jobs continue. Raises judge-retired-before."""
    if not Judge.objects.in_use().filter(pk=judge.pk).update(retired_at=Now()):
        raise InputError(f'The judge "{judge}" is retired already.', code="judge-retired-before")
    with bound(judge=judge.pk, user=by.pk):
        logger.info("judge retired")


def ask_shutdown(*, judge_id: int) -> None:
    """Store the shutdown date that the judge's endpoint announces; without one, keep the stored date."""
    judge = Judge.objects.get(pk=judge_id)
    announced = fetch_shutdown_date(judge.settings, os.environ)
    if announced and announced != judge.shutdown_on:
        Judge.objects.filter(pk=judge.pk).update(shutdown_on=announced)
        with bound(judge=judge.pk):
            logger.warning("the model of %s will be shut down on %s", judge, announced)


def sweep_shutdowns() -> None:
    """Queue the request for the shutdown date of each judge in use that calls an endpoint.

    Repeated calls replace lost messages, and find dates that are announced later.
    """
    for key in Judge.objects.in_use().exclude(endpoint="").values_list("pk", flat=True):
        enqueue("judges.run_shutdown", key)


def note_self_test(*, judge: Judge, model: object) -> None:
    """Store what a loaded model did in its self-test; models of endpoints have none."""
    words: str = getattr(model, "self_test", "")
    if words and words != judge.self_test:
        Judge.objects.filter(pk=judge.pk).update(self_test=words)
