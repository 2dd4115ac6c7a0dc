"""Feedback: the organizers' page of notes, and an assessor's page of grades that adjudication changed."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from assessment.feedback.actions import WORDS, open_feedback, write_note
from assessment.feedback.forms import FeedbackForm, NoteForm
from assessment.feedback.outcomes import IS_CHANGED, changed_items, count_outcomes, own_judgments
from assessment.form_errors import error_line
from assessment.models.feedback import Feedback
from assessment.surface.context import judging_page
from assessment.surface.listing import pair_contents
from evaluation.platform.access.limits.views import form_view
from evaluation.platform.access.requests import SignedInRequest, error_shown
from evaluation.tracks.lookups import find_judged_task
from evaluation.tracks.models import Task

PAGE_SIZE = 40


@form_view()
def feedback(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """List the grades that adjudication changed, write notes on them, and open them to their assessors."""
    track_task = find_judged_task(request, track, task)
    if request.method == "POST":
        _save(request, track_task)
        return redirect(request.get_full_path())
    page = Paginator(changed_items(track_task), PAGE_SIZE).get_page(request.GET.get("page"))
    contents = pair_contents(track_task, [(item.topic, item.docno) for item in page])
    context = {
        "task": track_task,
        "feedback": Feedback.objects.filter(task=track_task).select_related("opened_by").first(),
        "words": WORDS,
        "page": page,
        "rows": [contents[item.topic, item.docno] | {"item": item} for item in page],
    }
    return render(request, "assessment/feedback/feedback.html", context)


def _save(request: SignedInRequest, task: Task) -> None:
    form = (NoteForm if request.POST.get("act") == "note" else FeedbackForm)(request.POST)
    if not form.is_valid():
        messages.error(request, error_line(form))
        return
    with error_shown(request):
        if isinstance(form, NoteForm):
            write_note(task=task, **form.cleaned_data)
            messages.success(request, f"The note on {form.cleaned_data['docno']} is saved.")
        else:
            open_feedback(task=task, words=form.cleaned_data["words"], by=request.user)
            messages.success(request, f"The assessors of {task.name} see what became of their grades.")


@judging_page
def own_feedback(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """List the person's own grades that adjudication changed, once the organizers open them."""
    tasks = Task.objects.filter(feedback__in=Feedback.objects.open_to(request.user)).select_related("track")
    own_task = get_object_or_404(tasks, track__slug=track, slug=task)
    judgments = own_judgments(own_task, request.user)
    page = Paginator(judgments.filter(IS_CHANGED), PAGE_SIZE).get_page(request.GET.get("page"))
    contents = pair_contents(own_task, [(row.item.topic, row.item.docno) for row in page])
    context = {
        "task": own_task,
        "outcomes": count_outcomes(judgments),
        "page": page,
        "rows": [contents[row.item.topic, row.item.docno] | {"of": row} for row in page],
    }
    return render(request, "assessment/feedback/own_feedback.html", context)
