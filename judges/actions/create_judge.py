"""Make a judge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

from django.db import transaction
from django.db.models import Q

from evaluation.actions.enqueue import enqueue
from evaluation.core.errors import InputError
from evaluation.models import User
from judges.core.settings import Settings
from judges.models import Judge
from judges.registry import backend_class


class JudgeExists(InputError):
    """Another judge has the name or the very same settings."""


class TaskKindRefused(InputError):
    """A task kind that is none of the backend's."""


@transaction.atomic
def create_judge(*, name: str, settings: Settings, by: User, task_kinds: Iterable[str] = ()) -> Judge:
    """Store a judge with its model's exact revision; without task kinds it accepts all of its backend.

    Raises JudgeExists, TaskKindRefused, or what the backend says against the settings.
    """
    backend = backend_class(settings.backend)
    pinned = backend.pinned(settings)
    kinds = set(task_kinds) or backend.task_kinds
    if not kinds <= backend.task_kinds:
        offered = ", ".join(sorted(backend.task_kinds))
        raise TaskKindRefused(f"The backend {settings.backend} judges these kinds of task only: {offered}.")
    twin = Judge.objects.filter(Q(name=name) | Q(identity_sha256=pinned.identity_sha256)).first()
    if twin:
        raise JudgeExists(
            f'The judge "{twin}" has this name or the very same settings. '
            "Use it, or change a setting and the name."
        )
    columns = asdict(pinned) | {"text_fields": list(pinned.text_fields)}
    judge = Judge.objects.create(
        name=name, **columns, identity_sha256=pinned.identity_sha256, task_kinds=sorted(kinds), created_by=by
    )
    if judge.endpoint:
        enqueue("judges.run_shutdown", judge.pk)
    return judge
