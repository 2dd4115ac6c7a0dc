"""Publishing the people's qrels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from assessment.actions.publish_judgments import publish_judgments
from assessment.forms import PublishForm
from assessment.views.receipts import faults_of
from evaluation.core.errors import InputError
from evaluation.views.finding import find_organized_task

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@require_POST
def judgments_publish(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Freeze what people have judged so far as the next version of the qrels."""
    found = find_organized_task(request, track, task)
    form = PublishForm(request.POST)
    if not form.is_valid():
        messages.error(request, faults_of(form))
        return redirect("judging_progress", track, task)
    try:
        published = publish_judgments(task=found, by=request.user, rule=form.cleaned_data["rule"])
    except InputError as error:
        messages.error(request, str(error))
    else:
        names = ", ".join(f"{qrels} with {qrels.graded_count:,} graded" for qrels in published)
        messages.success(request, f"Published {names}.")
    return redirect("judging_progress", track, task)
