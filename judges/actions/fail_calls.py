"""End calls that have nothing to show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models.functions import Now

from evaluation.core.code_version import code_version
from judges.models import CallState

if TYPE_CHECKING:
    from collections.abc import Iterable

    from judges.core.inputs import Gap
    from judges.models import Call, Job


def fail_calls(*, job: Job, gaps: Iterable[tuple[Call, Gap]]) -> None:
    """End the waiting calls with their gaps, and with them all of the job that ask the same."""
    for call, gap in gaps:
        ending = {
            "state": CallState.FAILED,
            "outcome": gap,
            "ended_at": Now(),
            "code_version": code_version(),
        }
        job.calls.waiting().filter(request_key=call.request_key).update(**ending)
