"""The page on the progress of judging, and the publication of judgments."""

from collections.abc import Callable, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Page, Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from assessment.assigning.counts import count_assignments
from assessment.core.consolidation import ConsolidationRule
from assessment.dashboard.progress import (
    PAGE_SIZE,
    progress_by_assessor,
    progress_by_queue,
    progress_by_topic,
)
from assessment.form_errors import error_line
from assessment.models.aggregates import JudgedItem
from assessment.preparing.steps import trained_in
from assessment.publishing.actions import request_publication
from evaluation.access.people import Membership, Role
from evaluation.access.requests import SignedInRequest, error_shown
from evaluation.pools.models import Pool, PoolKind
from evaluation.qrels.models import Qrels, QrelsKind
from evaluation.tracks.lookups import find_organized_task
from evaluation.work.operations.models import Operation


class PublishForm(forms.Form):
    """The rule that makes one grade of several."""

    rule = forms.TypedChoiceField(
        label="Where several people graded an item",
        choices=[(rule.value, rule.words) for rule in ConsolidationRule],
        coerce=ConsolidationRule,
        empty_value=ConsolidationRule.OWNER,
        required=False,
    )


@login_required
@require_safe
def judging_progress(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Show the progress by assessor and topic, with links to assign topics and to publish."""
    track_task = find_organized_task(request, track, task)
    people = [QrelsKind.HUMAN, QrelsKind.SECOND]
    counts = count_assignments(track_task)
    assessors = Membership.objects.filter(track=track_task.track, role=Role.ASSESSOR, user__is_active=True)
    context = {
        "task": track_task,
        "assessors": _page(
            len({count.assessor for count in counts.values()}),
            request.GET.get("assessors"),
            lambda page: progress_by_assessor(track_task, counts, page=page),
        ),
        "topics": _page(
            len({count.topic for count in counts.values()}),
            request.GET.get("topics"),
            lambda page: progress_by_topic(track_task, counts, page=page),
        ),
        "queues": progress_by_queue(track_task),
        "training": trained_in(track_task),
        "unseen_count": JudgedItem.objects.filter(task=track_task).disputed().filter(is_unseen=True).count(),
        "pool_count": Pool.objects.filter(task=track_task).count(),
        "has_assessors": assessors.exists(),
        "has_judgments": any(count.judged_count for count in counts.values()),
        "has_sample": Pool.objects.filter(task=track_task, kind=PoolKind.SAMPLE).exists(),
        "operations": Operation.objects.recent(track_task),
        "publish_form": PublishForm(),
        "qrels": Qrels.objects.filter(task=track_task, kind__in=people).current(),
    }
    return render(request, "assessment/publishing/judging_progress.html", context)


def _page(count: int, number: str | None, read: Callable[[slice], Sequence[Any]]) -> Page[Any]:
    """Return a page of a list without reading the other pages."""
    page = Paginator(range(count), PAGE_SIZE).get_page(number)
    start = PAGE_SIZE * (page.number - 1)
    return Page(read(slice(start, start + PAGE_SIZE)), page.number, page.paginator)


@login_required
@require_POST
def judgments_publish(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Queue the publication of people's judgments as the next version of the qrels."""
    track_task = find_organized_task(request, track, task)
    form = PublishForm(request.POST)
    if not form.is_valid():
        messages.error(request, error_line(form))
        return redirect("judging_progress", track, task)
    with error_shown(request):
        request_publication(task=track_task, rule=form.cleaned_data["rule"], by=request.user)
    return redirect("judging_progress", track, task)
