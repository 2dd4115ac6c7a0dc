"""The page on which organizers grant teams a later close."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from evaluation.access.limits.views import form_view, post_view
from evaluation.access.requests import SignedInRequest, error_in, error_shown
from evaluation.runs.forms import LateExceptionForm
from evaluation.runs.granting import grant_exception, withdraw_exception
from evaluation.runs.late_exceptions import LateException
from evaluation.tracks.lookups import find_organized_task


@form_view("announcement")
def late_exceptions(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """List the task's exceptions, and grant one, which is mailed to the team."""
    found = find_organized_task(request, track, task)
    form = LateExceptionForm(request.POST or None, task=found)
    if form.is_valid():
        with error_in(form):
            granted = grant_exception(task=found, by=request.user, **form.cleaned_data)
            messages.success(request, f"{granted.team} may upload late. Its members get a mail.")
            return redirect("late_exceptions", track, task)
    exceptions = LateException.objects.visible_to(request.user).filter(task=found)
    context = {
        "task": found,
        "form": form,
        "exceptions": exceptions.with_is_over().select_related("team", "granted_by", "withdrawn_by"),
        "has_pool": found.pools.exists(),
    }
    return render(request, "evaluation/runs/late_exceptions.html", context)


@post_view("change")
def late_exception_withdraw(request: SignedInRequest, track: str, task: str, exception: int) -> HttpResponse:
    """End an exception immediately."""
    found = find_organized_task(request, track, task)
    granted = get_object_or_404(LateException.objects.filter(task=found).select_related("team"), pk=exception)
    with error_shown(request):
        withdraw_exception(exception=granted, by=request.user)
        messages.success(request, f"The exception of {granted.team} is withdrawn.")
    return redirect("late_exceptions", track, task)
