"""Undoing a judgment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from assessment.actions.undo_judgment import undo_judgment
from assessment.forms import UndoForm
from assessment.views.finding import find_assignment, find_item
from assessment.views.receipts import faults_of, receipt, refusal, wants_json
from evaluation.core.errors import InputError

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@never_cache
@require_POST
def judgment_undo(request: SignedInRequest, assignment: int, place: int) -> HttpResponse:
    """Undo the named judgment: a receipt for the screen's script, the item's page for a plain form."""
    found = find_assignment(request, assignment)
    find_item(found, place)
    form = UndoForm(request.POST)
    fault: InputError | None = None
    if form.is_valid():
        try:
            event = undo_judgment(assignment=found, by=request.user, **form.cleaned_data)
        except InputError as error:
            fault = error
            form.add_error(None, str(error))
        else:
            return receipt(event) if wants_json(request) else redirect("judging_item", found.pk, place)
    if wants_json(request):
        return refusal(form, fault)
    messages.error(request, faults_of(form))
    return redirect("judging_item", found.pk, place)
