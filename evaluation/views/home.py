"""The first page: the tracks that a person may see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Prefetch, Q
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.models import Membership, Task, Track

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """List the tracks with their tasks and the person's roles in them."""
    tasks = Task.objects.visible_to(request.user).with_phase().order_by("name")
    roles = Membership.objects.filter(Q(user_id=request.user.pk)).select_related("team")
    tracks = Track.objects.visible_to(request.user).prefetch_related(
        Prefetch("tasks", tasks, to_attr="visible_tasks"),
        Prefetch("memberships", roles, to_attr="own_memberships"),
    )
    return render(request, "evaluation/home.html", {"tracks": tracks})
