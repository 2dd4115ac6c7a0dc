"""Withdrawing a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from evaluation.actions.withdraw_run import withdraw_run
from evaluation.core.errors import InputError
from evaluation.views.finding import find_run
from evaluation.views.run_detail import shows_upload

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@require_POST
def run_withdraw(request: SignedInRequest, track: str, task: str, run: int) -> HttpResponse:
    """Take a run out of the task; its page and its file stay."""
    found = find_run(request, track, task, run)
    if not shows_upload(request.user, found):
        raise Http404
    try:
        withdraw_run(run=found, by=request.user)
    except InputError as error:
        messages.error(request, str(error))
    return redirect("run_detail", track, task, run)
