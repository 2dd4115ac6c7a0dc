"""Saving a judgment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from assessment.actions.record_judgment import record_judgment
from assessment.forms import JudgmentForm
from assessment.models import Purpose
from assessment.views.finding import find_given_item, redirect_onwards
from assessment.views.receipts import faults_of, receipt, refusal, wants_json
from evaluation.core.errors import InputError

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@never_cache
@require_POST
def judgment_record(request: SignedInRequest, assignment: int, place: int) -> HttpResponse:
    """Store a grade or a reason: a receipt for the screen's script, the next item's page for a plain form."""
    item = find_given_item(request, assignment, place)
    form = JudgmentForm(request.POST)
    fault: InputError | None = None
    if form.is_valid():
        try:
            event = record_judgment(
                assignment=item.assignment,
                docno=item.docno,
                purpose=Purpose(item.purpose),
                by=request.user,
                **form.cleaned_data,
            )
        except InputError as error:
            fault = error
            form.add_error(None, str(error))
        else:
            return receipt(event) if wants_json(request) else redirect_onwards(item.assignment, after=place)
    if wants_json(request):
        return refusal(form, fault)
    messages.error(request, faults_of(form))
    return redirect("judging_item", assignment, place)
