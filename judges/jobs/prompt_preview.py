"""Preview of a prompt on a pair of the task."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.access.requests import SignedInRequest
from evaluation.collections.models import Document, Topic
from evaluation.pools.models import PoolItem
from evaluation.tracks.lookups import find_organized_task
from evaluation.tracks.models import Task, TaskKind
from judges.jobs.models import IMAGE_SIDE, Side
from judges.prompts.forms import PromptPreviewForm
from trackside.judging.prompts import field_names, rendered


@login_required
@require_safe
def prompt_preview(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Render a prompt with a pair of the latest pool, exactly as a judge reads it."""
    found = find_organized_task(request, track, task)
    form = PromptPreviewForm(request.GET or None, task=found)
    context: dict[str, Any] = {"task": found, "form": form, "pair": _pair(found)}
    if form.is_valid() and context["pair"]:
        text_item, image_item = context["pair"]["text"], context["pair"]["image"]
        context |= {
            "prompt": form.prompt,
            "parts": [part if isinstance(part, str) else None for part in _parts(form, text_item.fields)],
            "image": image_item.image,
            "missing": _missing(form, text_item.fields),
        }
    return render(request, "judges/jobs/prompt_preview.html", context)


def _parts(form: PromptPreviewForm, fields: list[list[str]]) -> list[Any]:
    return rendered(form.prompt.template, [(name, text) for name, text in fields])


def _missing(form: PromptPreviewForm, fields: list[list[str]]) -> list[str]:
    """Return the fields that the prompt names and the item lacks."""
    present = {name for name, text in fields if text.strip()}
    return [name for name in field_names(form.prompt.template) if name not in present]


def _pair(task: Task) -> dict[str, Any] | None:
    """Return the first pair of the latest pool whose items exist, with its text item and its image item."""
    if task.kind not in IMAGE_SIDE:
        return None
    for item in PoolItem.objects.filter(pool__task=task).order_by("-pool__created_at", "position")[:20]:
        topic = Topic.objects.filter(task=task, number=item.topic).first()
        document = Document.objects.filter(collection=task.collection_id, docno=item.docno).first()
        if topic and document:
            is_topic_text = IMAGE_SIDE[TaskKind(task.kind)] == Side.DOCUMENT
            text, image = (topic, document) if is_topic_text else (document, topic)
            return {"topic": topic, "document": document, "text": text, "image": image}
    return None
