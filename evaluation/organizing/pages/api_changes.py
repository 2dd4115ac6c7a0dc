"""API operations that archive a track, and queue parked work again."""

from typing import Any

from ninja import Router, Schema
from pydantic import Field

from evaluation.organizing.pages.api import TrackOut
from evaluation.organizing.pages.long_work import find_work, queued_work
from evaluation.platform.web.api.bearer import TokenRequest, organizer
from evaluation.platform.web.api.changes import change
from evaluation.platform.web.api.operations import TASK, TRACK
from evaluation.tracks.archiving import archive_track, restore_track
from evaluation.tracks.lookups import find_organized_task, find_organized_track
from evaluation.tracks.models import Track
from evaluation.tracks.work.models import LongWork
from evaluation.tracks.work.queueing import retry_work

router = Router(tags=["Long work"], auth=organizer)


@change(router, f"{TRACK}/archive", TrackOut, rate="change")
def track_archive(request: TokenRequest, track: str) -> Track:
    """Archive a finished track: it can be read, and nothing in it can be changed."""
    archive_track(track=find_organized_track(request, track), by=request.user)
    return find_organized_track(request, track)


@change(router, f"{TRACK}/restore", TrackOut, rate="change")
def track_restore(request: TokenRequest, track: str) -> Track:
    """Restore an archived track, so that it can be changed again."""
    restore_track(track=find_organized_track(request, track), by=request.user)
    return find_organized_track(request, track)


class WorkOut(Schema):
    """Work that waits, runs or is parked: it stopped after three attempts, and `trouble` says why."""

    work: str = Field(description="Its kind, as in the URL that queues it again.")
    row: int
    title: str
    is_parked: bool
    trouble: str


@router.get(f"{TASK}/work", response=list[WorkOut], url_name="work_list")
def work_list(request: TokenRequest, track: str, task: str) -> list[dict[str, Any]]:
    """List what is queued for a task that you organize."""
    return [_described(kind, row) for kind, row in queued_work(find_organized_task(request, track, task))]


def _described(kind: str, row: LongWork) -> dict[str, Any]:
    return {
        "work": kind,
        "row": row.pk,
        "title": str(row),
        "is_parked": row.is_parked,
        "trouble": row.trouble,
    }


@change(router, f"{TASK}/work/{{slug:work}}/{{int:row}}/retry", WorkOut)
def work_retry(request: TokenRequest, track: str, task: str, work: str, row: int) -> dict[str, Any]:
    """Queue parked work again."""
    track_task = find_organized_task(request, track, task)
    retry_work(row=find_work(track_task, work, row), by=request.user)
    return _described(work, find_work(track_task, work, row))
