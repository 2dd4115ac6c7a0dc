"""The API operation that audits a task."""

from ninja import Router

from evaluation.organizing.auditing.actions import request_audit
from evaluation.platform.web.api.bearer import TokenRequest
from evaluation.platform.web.api.changes import change
from evaluation.platform.web.api.operations import TASK
from evaluation.tracks.lookups import find_organized_task
from evaluation.tracks.work.operations.api import OperationOut
from evaluation.tracks.work.operations.models import Operation

router = Router(tags=["Setting up"])


@change(router, f"{TASK}/audit", OperationOut, status=202)
def task_audit(request: TokenRequest, track: str, task: str) -> Operation:
    """Look for faults of topics, documents, people's grades and runs.

    `findings` of the ended operation have the `faults` by kind, worst first, with examples and what to do.
    """
    return request_audit(task=find_organized_task(request, track, task), by=request.user)
