"""Handing disagreements to a third assessor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from assessment.actions.assign_adjudication import assign_adjudication
from assessment.forms import HandOverForm
from assessment.views.receipts import faults_of
from evaluation.core.errors import InputError
from evaluation.views.finding import find_organized_task

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@require_POST
def adjudication_assign(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Hand the open disagreements to a third assessor, who grades them blind."""
    found = find_organized_task(request, track, task)
    form = HandOverForm(request.POST, task=found)
    if not form.is_valid():
        messages.error(request, faults_of(form))
        return redirect("disagreement_list", track, task)
    try:
        made = assign_adjudication(task=found, to=form.cleaned_data["to"], by=request.user)
    except InputError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"Handed over: items of {len(made)} topics.")
    return redirect("disagreement_list", track, task)
