"""Settling one item that people grade differently."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from assessment.actions.adjudicate_item import adjudicate_item
from assessment.forms import AdjudicateForm
from assessment.views.receipts import faults_of
from evaluation.core.errors import InputError
from evaluation.views.finding import find_organized_task

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@require_POST
def item_adjudicate(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Settle one item, with the others' grades in sight, and go back to the list."""
    found = find_organized_task(request, track, task)
    form = AdjudicateForm(request.POST)
    if not form.is_valid():
        messages.error(request, faults_of(form))
        return redirect("disagreement_list", track, task)
    try:
        settled = adjudicate_item(task=found, by=request.user, **form.cleaned_data)
    except InputError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"Topic {settled.topic}, {settled.docno}: settled as {settled.grade}.")
    return redirect("disagreement_list", track, task)
