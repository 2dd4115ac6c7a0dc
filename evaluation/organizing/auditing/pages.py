"""The page of a task's audit."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django_htmx.http import HttpResponseClientRefresh

from evaluation.collections.items import Item
from evaluation.collections.models import Document
from evaluation.organizing.auditing.actions import AUDIT, audit_state, request_audit
from evaluation.platform.access.limits.views import form_view
from evaluation.platform.access.requests import SignedInRequest, error_shown
from evaluation.tracks.lookups import find_organized_task
from evaluation.tracks.models import Task
from evaluation.tracks.work.operations.models import Operation, OperationOutcome


@form_view()
def task_audit(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Show what the last audit found, worst first, and start one; htmx polls until a worker has ended it."""
    track_task = find_organized_task(request, track, task)
    if request.method == "POST":
        with error_shown(request):
            request_audit(task=track_task, by=request.user)
        return redirect("task_audit", track, task)
    audits = Operation.objects.filter(task=track_task, kind=AUDIT).select_related("requested_by")
    context: dict[str, Any] = {"task": track_task, "latest": audits.first()}
    if request.headers.get("HX-Request"):
        if context["latest"] is None or not context["latest"].is_pending:
            return HttpResponseClientRefresh()
        return render(request, "evaluation/auditing/audit_progress.html", context)
    done = audits.filter(outcome=OperationOutcome.DONE).order_by("-ended_at").first()
    context |= {"done": done, "state": audit_state(track_task)}
    if done and done.findings:
        faults = [FaultShown(fault, _shown(track_task, fault)) for fault in done.findings["faults"]]
        context["groups"] = [
            ("wrong", "Makes values wrong", [fault for fault in faults if fault.fault["is_wrong"]]),
            ("look", "To look at", [fault for fault in faults if not fault.fault["is_wrong"]]),
        ]
    return render(request, "evaluation/auditing/task_audit.html", context)


@dataclass(frozen=True)
class ItemShown:
    """A topic or document of an example: its noun, name, page and row."""

    noun: str
    name: str
    address: str
    item: Item


@dataclass(frozen=True)
class ExampleShown:
    """An example in words, with the items that still exist: those with a picture, and the others."""

    words: str
    pictured: list[ItemShown]
    others: list[ItemShown]


@dataclass(frozen=True)
class FaultShown:
    """A kind of fault with its examples."""

    fault: dict[str, Any]
    examples: list[ExampleShown]


def _shown(task: Task, fault: dict[str, Any]) -> list[ExampleShown]:
    names = [(noun, name) for items in fault["items"] for noun, name in items]
    known = {**_find(task, "topic", names), **_find(task, "document", names)}
    examples = []
    for words, of_example in zip(fault["examples"], fault["items"], strict=True):
        items = [known[noun, name] for noun, name in of_example if (noun, name) in known]
        pictured = [shown for shown in items if shown.item.image_id]
        examples.append(ExampleShown(words, pictured, [shown for shown in items if shown not in pictured]))
    return examples


def _find(task: Task, noun: str, names: Iterable[tuple[str, str]]) -> dict[tuple[str, str], ItemShown]:
    wanted = {name for of, name in names if of == noun}
    rows: Iterable[Any] = ()
    if wanted and noun == "topic":
        rows = task.topics.filter(number__in=wanted).select_related("image")
    elif wanted:
        rows = Document.objects.filter(collection=task.collection_id, docno__in=wanted).select_related(
            "image"
        )
    slugs = (task.track.slug, task.slug)
    return {
        (noun, str(row)): ItemShown(noun, str(row), reverse(f"{noun}_detail", args=[*slugs, row.pk]), row)
        for row in rows
    }
