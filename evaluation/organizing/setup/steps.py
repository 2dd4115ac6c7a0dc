"""The steps of setting a task up, what is missing in each, and the frame of their pages.

Other apps register their steps in ``AppConfig.ready()``; ``evaluation`` does not import them.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from evaluation.platform.access.requests import SignedInRequest
from evaluation.tracks.facts import Facts, FactSource, no_facts, read_facts
from evaluation.tracks.models import Task


class Stage(StrEnum):
    """The moment before which a need must be met."""

    OPEN = "before it opens"
    POOL = "before pooling"
    RELEASE = "before the release"


@dataclass(frozen=True)
class Need:
    """A missing thing: the stage that needs it, a description, and the page on which to add it."""

    stage: Stage
    text: str
    link: str = ""


@dataclass(frozen=True)
class StepStatus:
    """The status of a step: a summary in a few words, whether it is done, and what is missing."""

    words: str
    is_done: bool = True
    needs: tuple[Need, ...] = ()


@dataclass(frozen=True)
class Step:
    """One page of setting up, named ``setup_<slug>``. Steps are ordered by ``position``.

    ``status_of`` makes the status from the task and from its ``facts``, which all steps read in one
    statement. ``stages`` are those of its possible needs: a caller that asks for other stages skips the step.
    Practice tasks have the steps that are ``is_of_practice``, and nothing to do after their opening.
    """

    position: int
    slug: str
    title: str
    status_of: Callable[[Task, Facts], StepStatus]
    stages: tuple[Stage, ...] = (Stage.OPEN, Stage.POOL)
    facts: FactSource = no_facts
    is_of_practice: bool = False

    def link(self, task: Task) -> str:
        """Return the URL of its page."""
        return reverse(f"setup_{self.slug}", args=[task.track.slug, task.slug])


@dataclass(frozen=True)
class ShownStep:
    """A step with its status in a task."""

    step: Step
    link: str
    status: StepStatus

    @property
    def state(self) -> str:
        """``fin`` if it is done, ``miss`` if something is missing before the opening, else empty."""
        if any(need.stage == Stage.OPEN for need in self.status.needs):
            return "miss"
        return "fin" if self.status.is_done else ""


_steps: list[Step] = []


def register_step(step: Step) -> None:
    """Add a page to setting up."""
    _steps.append(step)
    _steps.sort(key=lambda step: step.position)


def steps_of(task: Task) -> list[ShownStep]:
    """Return all steps of the task with their states, in order."""
    steps = steps_with(task, tuple(Stage))
    return show_steps(task, steps, read_facts(task, [step.facts for step in steps]))


def stages_of(task: Task) -> tuple[Stage, ...]:
    """Return the stages that the task has."""
    return (Stage.OPEN,) if task.is_practice else tuple(Stage)


def steps_with(task: Task, stages: Collection[Stage]) -> list[Step]:
    """Return the task's steps that may have a need of one of the stages."""
    steps = [step for step in _steps if step.is_of_practice or not task.is_practice]
    return [step for step in steps if set(step.stages) & set(stages)]


def show_steps(task: Task, steps: Iterable[Step], facts: Iterable[Facts]) -> list[ShownStep]:
    """Return the steps with their states; ``facts`` has those of each step."""
    shown = []
    for step, of_step in zip(steps, facts, strict=True):
        status = step.status_of(task, of_step)
        needs = tuple(need for need in status.needs if need.stage in stages_of(task))
        shown.append(ShownStep(step, step.link(task), replace(status, needs=needs)))
    return shown


def needs_of(steps: list[ShownStep]) -> list[Need]:
    """Return what is missing in the steps, by stage; a need without a link gets the link of its step."""
    needs = [
        Need(need.stage, need.text, need.link or step.link) for step in steps for need in step.status.needs
    ]
    return sorted(needs, key=lambda need: list(Stage).index(need.stage))


def checklist(task: Task, stages: Collection[Stage] = tuple(Stage)) -> list[Need]:
    """Return what the task lacks before it opens, before pooling and before its release, in this order."""
    steps = steps_with(task, stages)
    return checklist_of(show_steps(task, steps, read_facts(task, [step.facts for step in steps])), stages)


def checklist_of(steps: list[ShownStep], stages: Collection[Stage]) -> list[Need]:
    """Return the needs of the steps at the stages, by stage."""
    return [need for need in needs_of(steps) if need.stage in stages]


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
