"""Switching reminders on or off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from evaluation.actions.switch_reminders import switch_reminders

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@require_POST
@login_required
def reminders_change(request: SignedInRequest) -> HttpResponse:
    """Mail the person when tasks close soon and at releases, or no longer."""
    switch_reminders(by=request.user)
    return redirect("account")
