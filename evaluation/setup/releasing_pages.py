"""The page of a task's release, the twin of the page that opens it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from evaluation.access.limits.views import form_view
from evaluation.access.requests import SignedInRequest
from evaluation.setup.releasing import confirm_release, made_public, unsafe
from evaluation.tracks.lookups import find_organized_task
from trackside.errors import InputError


@form_view()
def setup_release(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """List what makes the release unsafe and what becomes public, and release the task once confirmed."""
    found = find_organized_task(request, track, task)
    if request.method == "POST":
        try:
            is_at_its_date = request.POST.get("when") == "date"
            confirm_release(task=found, words=request.POST.get("words", ""), is_at_its_date=is_at_its_date)
        except InputError as error:
            messages.error(request, str(error))
            return redirect("setup_release", track, task)
        done = "will be released at its date" if is_at_its_date else "is released"
        messages.success(request, f"{found.name} {done}.")
        return redirect("task_detail", track, task)
    context = {"task": found, "guards": unsafe(found), "public": made_public(found)}
    context["is_date_ahead"] = found.releases_at is not None and found.releases_at > timezone.now()
    return render(request, "evaluation/setup/release.html", context)
