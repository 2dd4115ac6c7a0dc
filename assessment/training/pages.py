"""Practice and exam on the judging surface, and the page of their results."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext

from assessment.form_errors import error_line
from assessment.models.gold import GoldItem, GoldUse, TrainingReply
from assessment.surface.views import judging_event, judging_page, refused
from assessment.training.actions import answer_training, find_training
from assessment.training.screen import answer_of, shown_context, surface_context
from evaluation.access.people import Role
from evaluation.access.requests import SignedInRequest, error_in, wants_json
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
