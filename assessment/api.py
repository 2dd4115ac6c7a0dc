"""Web API: progress of people's judging."""

from typing import Any

from ninja import Router, Schema
from pydantic import Field

from assessment.dashboard.progress import AssessorProgress, progress_by_assessor
from evaluation.tracks.lookups import find_organized_task
from evaluation.web.api.bearer import TokenRequest, reader
from evaluation.web.api.operations import TASK

router = Router(tags=["Judging"], auth=reader)


class AssessorOut(Schema):
    """One assessor's share of a task."""

    name: str
    judged_count: int
    left_count: int
    median_seconds: float | None = Field(description="Active seconds on an item; null if none were measured.")

    @staticmethod
    def resolve_name(row: AssessorProgress) -> str:
        """Return the person's name as pages show it."""
        return str(row.assessor)


class JudgingOut(Schema):
    """Items judged and left in a task, in total and by assessor."""

    judged_count: int
    left_count: int
    assessors: list[AssessorOut]


@router.get(f"{TASK}/judging", response=JudgingOut, url_name="judging_progress")
def judging_progress(request: TokenRequest, track: str, task: str) -> dict[str, Any]:
    """Return the progress of each assessor, for organizers."""
    rows = progress_by_assessor(find_organized_task(request, track, task))
    return {
        "judged_count": sum(row.judged_count for row in rows),
        "left_count": sum(row.left_count for row in rows),
        "assessors": rows,
    }
