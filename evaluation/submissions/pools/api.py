"""API operations that preview and freeze pools."""

from ninja import Router

from evaluation.platform.web.api.bearer import TokenRequest
from evaluation.platform.web.api.changes import change, read_form
from evaluation.platform.web.api.operations import TASK
from evaluation.submissions.pools.forms import PoolBuildForm
from evaluation.submissions.pools.operations import find_runs, request_pool
from evaluation.tracks.lookups import find_judged_task
from evaluation.tracks.work.operations.api import OperationOut
from evaluation.tracks.work.operations.models import Operation

router = Router(tags=["Pools"])


@change(router, f"{TASK}/pools/freeze", OperationOut, reads=PoolBuildForm, status=202)
def pool_build(request: TokenRequest, track: str, task: str) -> Operation:
    """Freeze a pool of the task's accepted runs; a worker draws it.

    Each run is pooled to the depth of its settings, or to that of the field `depth_12`, for the run 12.
    """
    return _requested(request, track, task, is_preview=False)


@change(router, f"{TASK}/pools/preview", OperationOut, reads=PoolBuildForm, status=202)
def pool_preview(request: TokenRequest, track: str, task: str) -> Operation:
    """Draw a pool and store nothing: `findings` of the ended operation have its size and composition."""
    return _requested(request, track, task, is_preview=True)


def _requested(request: TokenRequest, track: str, task: str, *, is_preview: bool) -> Operation:
    track_task = find_judged_task(request, track, task)
    form = read_form(PoolBuildForm, request, runs=find_runs(track_task))
    return request_pool(task=track_task, form=form, by=request.user, is_preview=is_preview)
