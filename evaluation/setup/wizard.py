"""Common parts of all pages of setting up: the list of steps, and the redirect after saving."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render

from evaluation.access.requests import SignedInRequest
from evaluation.setup.steps import ShownStep, Stage, steps_of
from evaluation.tracks.models import Task


def render_step(request: SignedInRequest, task: Task, slug: str, context: dict[str, Any]) -> HttpResponse:
    """Render the page of a step beside the list of all steps.

    A refused form has already set its values on the task, so the list reads the task again after a POST.
    """
    if request.method == "POST":
        task = Task.objects.select_related("track__archiving", "collection").get(pk=task.pk)
    return render(request, context["template"], {**wizard_context(task, slug), **context})


def wizard_context(task: Task, slug: str) -> dict[str, Any]:
    """Return the steps, the current one with its number and neighbours, and the count of done ones."""
    steps = steps_of(task)
    index = next(index for index, step in enumerate(steps) if step.step.slug == slug)
    return {
        "task": task,
        "track": task.track,
        "steps": steps,
        "current": steps[index],
        "number": index + 1,
        "before": steps[index - 1] if index else None,
        "after": steps[index + 1] if index + 1 < len(steps) else None,
        "done_count": sum(step.state == "fin" for step in steps),
    }


def after_saving(request: SignedInRequest, task: Task, slug: str) -> HttpResponse:
    """Redirect to the next step if the person chose so, else to the same step."""
    context = wizard_context(task, slug)
    target: ShownStep = context["current"]
    if request.POST.get("go") == "next" and context["after"]:
        target = context["after"]
    return redirect(target.link)


def first_open_step(task: Task) -> ShownStep:
    """Return the first step in which something is missing before the opening, else the last one."""
    steps = steps_of(task)
    missing = (step for step in steps if any(need.stage == Stage.OPEN for need in step.status.needs))
    return next(missing, steps[-1])
