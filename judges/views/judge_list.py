"""All judges of the site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judges.models import Judge

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.views.finding import SignedInRequest


@login_required
@require_safe
def judge_list(request: SignedInRequest) -> HttpResponse:
    """Compare the judges' settings; for people who organize some track."""
    if not request.user.is_staff:
        raise Http404
    return render(request, "judges/judge_list.html", {"judges": Judge.objects.visible_to(request.user)})
