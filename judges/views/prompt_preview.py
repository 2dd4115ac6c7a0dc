"""What a prompt looks like on a pair of the task."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.models import Document, PoolItem, TaskKind, Topic
from evaluation.views.finding import find_organized_task
from judges.core.prompts import field_names, rendered
from judges.forms.prompt import PromptPreviewForm
from judges.models.job import IMAGE_SIDE, Side

if TYPE_CHECKING:
    from django.http import HttpResponse

    from evaluation.models import Task
    from evaluation.views.finding import SignedInRequest


@login_required
@require_safe
def prompt_preview(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Fill a prompt in with a pair of the latest pool, exactly as a judge is shown it."""
    found = find_organized_task(request, track, task)
    form = PromptPreviewForm(request.GET or None)
    context: dict[str, Any] = {"task": found, "form": form, "pair": _pair(found)}
    if form.is_valid() and context["pair"]:
        text_item, image_item = context["pair"]["text"], context["pair"]["image"]
        context |= {
            "prompt": form.prompt,
            "parts": [part if isinstance(part, str) else None for part in _parts(form, text_item.fields)],
            "image": image_item.image,
            "missing": _missing(form, text_item.fields),
        }
    return render(request, "judges/prompt_preview.html", context)


def _parts(form: PromptPreviewForm, fields: list[list[str]]) -> list[Any]:
    return rendered(form.prompt.template, [(name, text) for name, text in fields])


def _missing(form: PromptPreviewForm, fields: list[list[str]]) -> list[str]:
    """The fields that the prompt names and the item lacks."""
    present = {name for name, text in fields if text.strip()}
    return [name for name in field_names(form.prompt.template) if name not in present]


def _pair(task: Task) -> dict[str, Any] | None:
    """The first pair of the latest pool whose items are there: the item that is text, and the image's."""
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
