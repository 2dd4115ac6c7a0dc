"""The page of practice and exam."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from assessment.core.digest import heading_of, make_digest
from assessment.faults import faults_of
from assessment.training.actions import answer_training, find_training
from assessment.training.forms import TrainingForm
from evaluation.access.people import Role
from evaluation.collections.models import Document, Topic
from evaluation.core.errors import InputError
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.models import Task

if TYPE_CHECKING:
    from django.http import HttpResponse

    from assessment.models.gold import GoldItem
    from evaluation.access.requests import SignedInRequest


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def training(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Show the next training item, or the result; show the right grade only after practice items."""
    tasks = Task.objects.opened().with_member(request.user, Role.ASSESSOR).select_related("track")
    found = get_object_or_404(tasks, track__slug=track, slug=task)
    if request.method == "POST":
        form = TrainingForm(request.POST, task=found)
        if form.is_valid():
            try:
                answer_training(by=request.user, **form.cleaned_data)
            except InputError as error:
                messages.error(request, str(error))
        else:
            messages.error(request, faults_of(form))
        return redirect("training", track, task)
    state = find_training(task=found, assessor=request.user)
    context = {"task": found, "training": state, "criteria": Criteria.objects.current(found)}
    if state.waiting:
        context |= _item_context(found, state.waiting[0])
    return render(request, "assessment/training/training.html", context)


def _item_context(task: Task, item: GoldItem) -> dict[str, Any]:
    topic = get_object_or_404(Topic.objects.select_related("image"), task=task, number=item.topic)
    documents = Document.objects.filter(collection=task.collection_id).select_related("image")
    document = get_object_or_404(documents, docno=item.docno)
    return {
        "item": item,
        "topic": topic,
        "digest": make_digest(topic.fields),
        "image": document.image,
        "document": make_digest(document.fields),
        "captions": [(heading_of(name), text) for name, text in document.fields if text.strip()],
    }
