"""Preview of a prompt on a pair of the task."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.access.requests import SignedInRequest
from evaluation.collections.models import Document, Topic
from evaluation.pools.models import Pool, PoolItem
from evaluation.tracks.lookups import find_organized_task
from evaluation.tracks.models import Task
from judges.catalogue.models import Judge
from judges.jobs.models import Job, Side
from judges.prompts.forms import PromptPreviewForm
from trackside.judging.inputs import Gap, shown_pair
from trackside.judging.prompts import PromptTemplate, field_names, shown_of
from trackside.judging.settings import SMALL
from trackside.judging.shipped_prompts import nearest_of_ours


@login_required
@require_safe
def prompt_preview(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Render a prompt with a pair of the latest pool, exactly as a judge reads it."""
    found = find_organized_task(request, track, task)
    form = PromptPreviewForm(request.GET or None, task=found)
    pair = _pair(found)
    context: dict[str, Any] = {"task": found, "form": form, "pair": pair}
    if form.is_valid() and pair:
        context |= {"prompt": form.prompt, "ours": nearest_of_ours(form.prompt)}
        context |= _shown(found, form.prompt, *pair)
    return render(request, "judges/jobs/prompt_preview.html", context)


def _shown(task: Task, prompt: PromptTemplate, topic: Topic, document: Document) -> dict[str, Any]:
    """Return the parts of the prompt, texts and images, or the reason why the pair would not be sent."""
    judge = Judge(backend="openai_chat", prompt=prompt.template, image_size=SMALL)
    job = Job(judge=judge, pool=Pool(task=task))
    inputs = [
        job.inputs(side, [name])[name]
        for side, name in ((Side.TOPIC, topic.number), (Side.DOCUMENT, document.docno))
    ]
    gaps = [each for each in inputs if isinstance(each, Gap)]
    shown = shown_pair(prompt.template, *inputs)
    if shown is None:
        return {"gap": gaps[0] if gaps else "the prompt shows one text and one image"}
    texts, blobs = shown
    images = {item.image.small_id: item.image for item in (topic, document) if item.image}
    pictures = iter([images[blob] for blob in blobs])
    return {
        "parts": [(text, None) if text is not None else ("", next(pictures)) for text in texts],
        "missing": _missing(prompt.template, {Side.TOPIC: topic, Side.DOCUMENT: document}, job.text_sides),
    }


def _missing(template: str, items: dict[Side, Topic | Document], text_sides: list[Side]) -> list[str]:
    """Return the fields that the prompt names and the pair's items lack."""
    missing = []
    for side, item in items.items():
        present = {name for name, text in item.fields if text.strip()} | {"fields", "image"}
        missing += [f"{side}.{name}" for name in shown_of(template, side) if name not in present]
        if side in text_sides:
            missing += [name for name in field_names(template) if name not in present]
    return missing


def _pair(task: Task) -> tuple[Topic, Document] | None:
    """Return the first pair of the latest pool whose items exist."""
    for item in PoolItem.objects.filter(pool__task=task).order_by("-pool__created_at", "position")[:20]:
        topic = Topic.objects.filter(task=task, number=item.topic).first()
        document = Document.objects.filter(collection=task.collection_id, docno=item.docno).first()
        if topic and document:
            return topic, document
    return None
