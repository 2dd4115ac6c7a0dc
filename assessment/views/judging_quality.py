"""The organizers' page on the quality of people's judgments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.http import require_safe

from assessment.views.quality import quality_of
from evaluation.views.finding import find_organized_task

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@require_safe
def judging_quality(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Show each assessor against gold, against herself and over time, and all of them with each other."""
    found = find_organized_task(request, track, task)
    return render(request, "assessment/judging_quality.html", {"task": found, "quality": quality_of(found)})
