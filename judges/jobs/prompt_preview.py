"""Preview of prompts and presets on a pair of the task."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.access.requests import SignedInRequest
from evaluation.tracks.lookups import find_organized_task
from judges.catalogue.models import Judge
from judges.jobs.shown_pairs import any_pair, show_pair
from judges.prompts.forms import PromptPreviewForm
from trackside.judging.presets import CLIP_PRESETS
from trackside.judging.settings import SMALL
from trackside.judging.shipped_prompts import nearest_of_ours


@login_required
@require_safe
def prompt_preview(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Show what a judge with a prompt or preset reads of a pair of the latest pool."""
    found = find_organized_task(request, track, task)
    form = PromptPreviewForm(request.GET or None, task=found)
    pair = any_pair(found)
    context: dict[str, Any] = {"task": found, "form": form, "pair": pair}
    if form.is_valid() and pair:
        named = form.cleaned_data["named"]
        if preset := CLIP_PRESETS.get(named):
            judge = Judge(backend="clip", image_size=SMALL, **preset.choices)
            context["preset"] = preset
        else:
            prompt = form.prompt
            judge = Judge(backend="openai_chat", prompt=prompt.template, image_size=SMALL)
            context |= {"prompt": prompt, "ours": nearest_of_ours(prompt)}
        context["shown"] = show_pair(found, judge, *pair)
    return render(request, "judges/jobs/prompt_preview.html", context)
