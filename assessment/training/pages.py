"""Practice and exam on the judging surface, and the page of their results."""

import uuid
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from assessment.form_errors import error_line
from assessment.models.gold import GoldItem, GoldUse, TrainingReply
from assessment.models.plan import JudgingPlan
from assessment.surface.context import (
    item_context,
    judging_event,
    judging_page,
    refused,
    topic_context,
    training_keys,
)
from assessment.training.actions import answer_training, find_training
from evaluation.collections.models import Document
from evaluation.platform.access.people import Role, User
from evaluation.platform.access.requests import SignedInRequest, error_in, wants_json
from evaluation.tracks.models import Task


class TrainingForm(forms.Form):
    """A grade, and the UUID that its receipt repeats."""

    client_uuid = forms.UUIDField()
    grade = forms.IntegerField(min_value=-99, max_value=99)


def _find_task(request: SignedInRequest, track: str, task: str) -> Task:
    tasks = Task.objects.opened().with_member(request.user, Role.ASSESSOR).select_related("track")
    return get_object_or_404(tasks, track__slug=track, slug=task)


def _find_item(request: SignedInRequest, track: str, task: str, item: int) -> GoldItem:
    track_task = _find_task(request, track, task)
    return get_object_or_404(GoldItem.objects.of_training(track_task).select_related("task__track"), pk=item)


@judging_page
def training(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Show the progress of practice and exam, and the result of the exam once it is over."""
    track_task = _find_task(request, track, task)
    state = find_training(task=track_task, assessor=request.user)
    return render(request, "assessment/training/training.html", {"task": track_task, "training": state})


@judging_page
def training_next(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Redirect to the first item without a grade, or to the training's page."""
    track_task = _find_task(request, track, task)
    open_items = find_training(task=track_task, assessor=request.user).waiting
    return (
        redirect("training_item", track, task, open_items[0].pk)
        if open_items
        else redirect("training", track, task)
    )


@judging_page
def training_item(request: SignedInRequest, track: str, task: str, item: int) -> HttpResponse:
    """Show one item; works as a plain form without scripts."""
    gold_item = _find_item(request, track, task, item)
    context = surface_context(gold_item, request.user)
    return render(request, "assessment/training/training_item.html", context)


@judging_page
def training_content(request: SignedInRequest, track: str, task: str, item: int) -> HttpResponse:
    """Return the parts of the surface that change with the item."""
    gold_item = _find_item(request, track, task, item)
    return render(request, "assessment/training/training_content.html", shown_context(gold_item))


@judging_event
def training_answer(request: SignedInRequest, track: str, task: str, item: int) -> HttpResponse:
    """Store the grade; show the known grade after a practice item, never in the exam."""
    gold_item = _find_item(request, track, task, item)
    form = TrainingForm(request.POST)
    reply = None
    if form.is_valid():
        with error_in(form):
            reply = answer_training(item=gold_item, grade=form.cleaned_data["grade"], by=request.user)
    if reply and reply.grade != form.cleaned_data["grade"]:
        problem = gettext("You have graded this item {grade} before; the first grade counts.")
        form.add_error(None, problem.format(grade=reply.grade))
        reply = None
    if wants_json(request):
        return _receipt(form, reply) if reply else refused(form, is_lost=True)
    if reply is None:
        messages.error(request, error_line(form))
    elif gold_item.use == GoldUse.EXAM:
        return redirect("training_next", track, task)
    return redirect("training_item", track, task, item)


def _receipt(form: TrainingForm, reply: TrainingReply) -> JsonResponse:
    """Confirm the grade by the UUID of its event."""
    uuid = str(form.cleaned_data["client_uuid"])
    event = {"client_uuid": uuid, "judged_at": reply.replied_at.isoformat()}
    return JsonResponse(event | {"answer": answer_of(reply)})


def answer_of(reply: TrainingReply) -> dict[str, Any] | None:
    """Return the feedback after a grade: the known grade and its explanation; null in the exam."""
    item = reply.item
    if item.use != GoldUse.PRACTICE:
        return None
    words = gettext("You gave {grade}; expected is {expected}.").format(
        grade=reply.grade, expected=item.grade
    )
    return {
        "expected": item.grade,
        "is_right": reply.is_right,
        "verdict": gettext("As expected.") if reply.is_right else gettext("Not as expected."),
        "words": f"{words} {item.explanation}".strip(),
    }


def shown_context(item: GoldItem) -> dict[str, Any]:
    """Return the item and its topic, and the keys of the training's items in order."""
    items = list(GoldItem.objects.of_training(item.task).values_list("pk", flat=True))
    documents = Document.objects.filter(collection=item.task.collection_id).select_related("image")
    document = get_object_or_404(documents, docno=item.docno)
    plan = JudgingPlan.objects.of(item.task)
    context = topic_context(item.task, item.topic) | item_context(document, items.index(item.pk) + 1)
    return context | {"use": item.use, "pass_percent": plan.pass_percent, "keys": items}


def surface_context(item: GoldItem, by: User) -> dict[str, Any]:
    """Return the state of the surface: the person's replies, and where events go."""
    task = item.task
    names = [task.track.slug, task.slug]
    context = shown_context(item)
    items = context["keys"]
    replies = TrainingReply.objects.filter(assessor=by, item__in=items).select_related("item")
    places = {key: place for place, key in enumerate(items, start=1)}
    own_replies = {places[reply.item_id]: reply for reply in replies}
    reply = own_replies.get(context["place"])
    previous = items[max(context["place"] - 2, 0)]
    return context | {
        "total": len(items),
        "judged_count": len(own_replies),
        "last": bool(own_replies),
        "mark": {"mark": reply.grade} if reply else None,
        "answer": answer_of(reply) if reply else None,
        "key_sets": training_keys(context["criteria"]),
        "list_url": reverse("training", args=names),
        "back_url": reverse("training_item", args=[*names, previous]),
        "judgment_url": reverse("training_answer", args=[*names, item.pk]),
        "client_uuid": uuid.uuid4(),
        "state": {
            "mode": "training",
            "base": reverse("training", args=names),
            "assessor": by.pk,
            "place": context["place"],
            "keys": items,
            "scale": context["criteria"].scale,
            "count": len(items),
            "free": 0,
            "history": [
                {"place": place, "client_uuid": "", "mark": reply.grade, "replies": {}}
                for place, reply in own_replies.items()
            ],
            "answers": {place: answer_of(reply) for place, reply in own_replies.items()},
            "said": {},
            "settled": [],
        },
    }
