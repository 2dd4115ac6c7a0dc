"""Queue the recomputation of a task's scores and report, after a change of their inputs.

``reports.inputs`` reads the tables of INPUTS, the topics of qrels, which never change, and no others; tests
compare the two. New code changes the hash of a report, too: ``reports.actions.ask_outdated`` looks for that.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.apps import apps
from django.db import transaction
from django.db.models import Model
from django.db.models.functions import Now
from django.db.models.signals import m2m_changed, post_delete, post_save, pre_save

from evaluation.tracks.models import Task
from evaluation.tracks.work.queueing import enqueue
from evaluation.tracks.work.recomputing.models import ReportProgress, Scoring
from trackside.reporting.design import Choice

# Columns that queueing sets in existing rows; a running worker keeps its claim.
FRESH = ("queued_at", "queued_by", "attempt_count", "parked_at")


@transaction.atomic
def ask_results(*, task_id: int) -> None:
    """Queue the scores of the task's runs and its whole report, after its runs or qrels changed.

    Several calls before a worker begins cause one computation.
    """
    Scoring.objects.bulk_create(
        [Scoring(task_id=task_id, queued_at=Now())],
        update_conflicts=True,
        unique_fields=["task"],
        update_fields=FRESH,
    )
    whole = Choice()
    ReportProgress.objects.bulk_create(
        [
            ReportProgress(
                task_id=task_id, choice=whole.to_json(), choice_sha256=whole.sha256, queued_at=Now()
            )
        ],
        update_conflicts=True,
        unique_fields=["task", "choice_sha256"],
        update_fields=FRESH,
    )
    enqueue(Scoring.task_name)
    enqueue(ReportProgress.task_name)


@dataclass(frozen=True)
class Input:
    """A table by the name of its model, the columns that results depend on, and the lookup of its tasks.

    ``counts(row, is_new)`` tells whether results depend on a row at all.
    """

    model: str
    of_task: str
    columns: tuple[str, ...]
    counts: Callable[[Any, bool], bool]

    def values(self, row: Model | None, *, is_new: bool = False) -> list[Any] | None:
        """Return what results depend on; None if they do not depend on the row."""
        return [getattr(row, name) for name in self.columns] if row and self.counts(row, is_new) else None


def _known(_row: Any, is_new: bool) -> bool:  # noqa: FBT001 - as all of `counts`
    """Whether other rows can refer to it already."""
    return not is_new


INPUTS = (
    Input("task", "pk", ("relevance_level", "measures"), _known),
    Input("criteria", "criteria", ("grades",), lambda row, is_new: row.version > 1 or not is_new),
    Input("team", "runs__team", ("name",), _known),
    Input("family", "families", ("name",), _known),
    Input("run", "runs", ("state", "tag", "type", "backbone"), lambda row, _: row.state == "accepted"),
    Input("qrels", "qrels", ("sha256",), lambda *_: True),
    Input("pool", "pools", ("kind",), lambda row, _: row.kind != "check"),  # its runs are stored with it
)


def connect_inputs() -> None:
    """Queue the results of a task when a row of INPUTS, or the families of a run, change.

    Called when Django starts. Statements that change rows without Django's ``save`` call ``ask_results``.
    """
    for changed in INPUTS:
        model = apps.get_model("evaluation", changed.model)
        pre_save.connect(partial(_note, changed), sender=model, weak=False)
        post_save.connect(partial(_ask, changed), sender=model, weak=False)
    # The other rows cannot be deleted while results depend on them.
    post_delete.connect(_ask_families, sender=apps.get_model("evaluation", "family"))
    families = apps.get_model("evaluation", "run").families.through
    m2m_changed.connect(_ask_families, sender=families)


def _note(changed: Input, sender: type[Model], instance: Any, update_fields: Any, **_: Any) -> None:
    """Compare the row with the stored one, before it is overwritten."""
    if update_fields is not None and not set(changed.columns) & set(update_fields):
        instance.changes_results = False
        return
    stored = sender._base_manager.filter(pk=instance.pk).first() if instance.pk else None  # noqa: SLF001 - Django's documented name
    after = changed.values(instance, is_new=stored is None)
    instance.changes_results = changed.values(stored) != after


def _ask(changed: Input, instance: Any, **_: Any) -> None:
    if instance.changes_results:
        tasks = Task.objects.filter(**{changed.of_task: instance.pk}).distinct()
        for pk in tasks.values_list("pk", flat=True):
            ask_results(task_id=pk)


def _ask_families(
    instance: Any, action: str = "post_delete", pk_set: set[int] | None = None, **_: Any
) -> None:
    """Queue after a family was deleted, or families of a run, or runs of a family, were added or removed."""
    if action.startswith("post_") and pk_set != set():
        ask_results(task_id=instance.task_id)
