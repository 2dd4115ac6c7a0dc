"""Queue the recomputation of a task's scores and report."""

from django.db import transaction
from django.db.models.functions import Now

from evaluation.work.queueing import enqueue
from evaluation.work.recomputing.models import ReportProgress, Scoring
from trackside.reporting.choice import Choice

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
