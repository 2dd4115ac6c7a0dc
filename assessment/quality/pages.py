"""Pages on the quality of judgments, and adjudication."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from assessment.core.digest import make_digest
from assessment.faults import faults_of
from assessment.quality.actions import adjudicate_item, assign_adjudication
from assessment.quality.disagreements import find_disagreements
from assessment.quality.figures import quality_of
from assessment.quality.forms import AdjudicateForm, HandOverForm
from evaluation.collections.models import Document, Topic
from evaluation.core.errors import InputError
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.lookups import find_organized_task

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.http import HttpResponse

    from assessment.quality.disagreements import Disagreement
    from evaluation.access.requests import SignedInRequest
    from evaluation.tracks.models import Task


@login_required
@require_safe
def judging_quality(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Show each assessor's accuracy on gold, test-retest agreement and pace, and the agreement of all."""
    found = find_organized_task(request, track, task)
    return render(
        request, "assessment/quality/judging_quality.html", {"task": found, "quality": quality_of(found)}
    )


PAGE_SIZE = 20


@login_required
@require_safe
def disagreement_list(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Show each item with its grades and comments, open ones first, with the forms to settle it.

    ``?show=image`` leaves only those whose image does not show.
    """
    found = find_organized_task(request, track, task)
    is_of_images = request.GET.get("show") == "image"
    everything = [each for each in find_disagreements(task=found) if each.is_unseen or not is_of_images]
    page = Paginator(everything, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "task": found,
        "page": page,
        "is_of_images": is_of_images,
        "rows": _rows(found, page.object_list),
        "open_count": sum(each.adjudicated is None for each in everything),
        "criteria": Criteria.objects.current(found),
        "hand_over": HandOverForm(task=found),
    }
    return render(request, "assessment/quality/disagreement_list.html", context)


def _rows(task: Task, found: Iterable[Disagreement]) -> list[dict[str, Any]]:
    found = list(found)
    topics = Topic.objects.filter(task=task, number__in={each.topic for each in found})
    documents = Document.objects.filter(
        collection=task.collection_id, docno__in={each.docno for each in found}
    )
    by_number = {topic.number: topic for topic in topics.select_related("image")}
    by_docno = {document.docno: document for document in documents.select_related("image")}
    return [
        {
            "disagreement": each,
            "topic": by_number[each.topic],
            "topic_digest": make_digest(by_number[each.topic].fields),
            "document": by_docno[each.docno],
            "document_digest": make_digest(by_docno[each.docno].fields),
        }
        for each in found
    ]


@login_required
@require_POST
def item_adjudicate(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Settle one item, with the others' grades visible, and redirect to the list."""
    found = find_organized_task(request, track, task)
    form = AdjudicateForm(request.POST)
    if not form.is_valid():
        messages.error(request, faults_of(form))
        return redirect("disagreement_list", track, task)
    try:
        settled = adjudicate_item(task=found, by=request.user, **form.cleaned_data)
    except InputError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"Topic {settled.topic}, {settled.docno}: settled as {settled.grade}.")
    return redirect("disagreement_list", track, task)


@login_required
@require_POST
def adjudication_assign(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Assign the open disagreements to a third assessor, who grades them blind."""
    found = find_organized_task(request, track, task)
    form = HandOverForm(request.POST, task=found)
    if not form.is_valid():
        messages.error(request, faults_of(form))
        return redirect("disagreement_list", track, task)
    try:
        assignments = assign_adjudication(task=found, to=form.cleaned_data["to"], by=request.user)
    except InputError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"Handed over: items of {len(assignments)} topics.")
    return redirect("disagreement_list", track, task)
