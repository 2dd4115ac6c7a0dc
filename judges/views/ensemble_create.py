"""Making a judge of other judges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from evaluation.core.errors import InputError
from evaluation.views.finding import find_organized_task
from judges.actions.create_ensemble import create_ensemble
from judges.forms.ensemble_create import EnsembleForm

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def ensemble_create(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Choose members and rule; then the ensemble can judge every pool that its members have judged."""
    found = find_organized_task(request, track, task)
    form = EnsembleForm(request.POST or None, task=found)
    if form.is_valid():
        try:
            judge = create_ensemble(**form.order, task=found, by=request.user)
        except InputError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"{judge} is there. Choose it as the judge of a new job.")
            return redirect("job_start", track, task)
    return render(request, "judges/ensemble_create.html", {"task": found, "form": form})
