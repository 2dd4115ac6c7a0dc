"""The page on which organizers write a prompt, or the next version of one."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from evaluation.access.limits.views import limited
from evaluation.access.requests import SignedInRequest, error_in
from evaluation.tracks.lookups import find_organized_task
from judges.prompts.forms import PromptForm


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("change")
def prompt_create(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Store a prompt of the track, which judges can have from then on."""
    track_task = find_organized_task(request, track, task)
    form = PromptForm(request.POST or None, by=request.user)
    if form.is_valid():
        with error_in(form):
            messages.success(request, f"Stored: {form.create(track_task.track, request.user)}.")
            return redirect("prompt_preview", track, task)
    return render(request, "judges/prompts/prompt_create.html", {"task": track_task, "form": form})
