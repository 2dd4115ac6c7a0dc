"""Pages on the quality of judgments, and the list of disagreements."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from assessment.form_errors import error_line
from assessment.models.aggregates import JudgedItem
from assessment.models.exclusion import Exclusion
from assessment.quality.disagreements import assign_adjudication
from assessment.quality.exclusions import exclude_judgments, undo_exclusion
from assessment.quality.figures import quality_of
from assessment.quality.forms import ExclusionForm, HandOverForm
from assessment.quality.screen import CaseList, model_qrels
from assessment.surface.listing import pair_contents
from evaluation.platform.access.limits.views import form_view, page_view, post_view
from evaluation.platform.access.requests import SignedInRequest, error_in, error_shown
from evaluation.tracks.lookups import find_judged_task


@page_view
def judging_quality(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Show each assessor's accuracy on gold, test-retest agreement and pace, and the agreement of all."""
    track_task = find_judged_task(request, track, task)
    context = {"task": track_task, "quality": quality_of(track_task, pages=request.GET)}
    return render(request, "assessment/quality/judging_quality.html", context)


@form_view()
def exclusion_list(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """List the judgments that do not count, and add to them; ``?assessor=`` chooses a person."""
    track_task = find_judged_task(request, track, task)
    form = ExclusionForm(request.POST or None, task=track_task, initial=request.GET.dict())
    if form.is_valid():
        with error_in(form):
            excluded = exclude_judgments(task=track_task, by=request.user, **form.cleaned_data)
            messages.success(request, excluded.words)
            return redirect("exclusion_list", track, task)
    rows = Exclusion.objects.filter(task=track_task).select_related(
        "assessor", "made_by", "undone_by", "task"
    )
    page = Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {"task": track_task, "form": form, "page": page}
    return render(request, "assessment/quality/exclusion_list.html", context)


@post_view()
def exclusion_undo(request: SignedInRequest, track: str, task: str, exclusion: int) -> HttpResponse:
    """Let judgments count again."""
    track_task = find_judged_task(request, track, task)
    row = get_object_or_404(Exclusion, task=track_task, pk=exclusion)
    with error_shown(request):
        undo_exclusion(exclusion=row, by=request.user)
        messages.success(request, f"The judgments of {row.assessor} count again.")
    return redirect("exclusion_list", track, task)


PAGE_SIZE = 40


@page_view
def disagreement_list(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """List the items with their grades and comments, open ones first, with links to settle them.

    ``?show=image`` keeps only items with an image that did not show; ``?judge=`` compares with a model's
    qrels. Grades and comments of open items are hidden unless ``?grades=shown``.
    """
    cases = CaseList.of(request, track, task)
    is_of_images = request.GET.get("show") == "image"
    items = cases.items.filter(is_unseen=True) if is_of_images else cases.items
    page = Paginator(items, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "task": cases.task,
        "cases": cases,
        "judges": model_qrels(cases.task, request.user),
        "page": page,
        "is_of_images": is_of_images,
        "rows": _rows(cases, cases.read(page.object_list)),
        "open_count": items.filter(is_settled=False).count(),
        "beginning": _beginning(cases, is_of_images=is_of_images),
        "other_list": _beginning(
            replace(cases, shows_grades=not cases.shows_grades), is_of_images=is_of_images
        ),
        "hand_over": HandOverForm(task=cases.task),
    }
    return render(request, "assessment/quality/disagreement_list.html", context)


def _beginning(cases: CaseList, *, is_of_images: bool) -> str:
    """Return the query of the list up to the number of its page."""
    query = {
        "judge": cases.qrels.pk if cases.qrels else None,
        "show": "image" if is_of_images else None,
        "grades": "shown" if cases.shows_grades else None,
    }
    return "".join(f"{name}={value}&" for name, value in query.items() if value)


def _rows(cases: CaseList, items: Sequence[JudgedItem]) -> list[dict[str, Any]]:
    contents = pair_contents(cases.task, [(item.topic, item.docno) for item in items])
    return [
        contents[item.topic, item.docno]
        | {
            "item": item,
            "url": cases.item_url(key),
            "shows_grades": cases.shows_grades or item.adjudicated is not None,
        }
        for item, key in zip(items, cases.keys_of(items), strict=True)
    ]


@post_view()
def adjudication_assign(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Assign the open disagreements to a third assessor, who grades them blind."""
    track_task = find_judged_task(request, track, task)
    form = HandOverForm(request.POST, task=track_task)
    if not form.is_valid():
        messages.error(request, error_line(form))
        return redirect("disagreement_list", track, task)
    with error_shown(request):
        assignments = assign_adjudication(task=track_task, to=form.cleaned_data["to"], by=request.user)
        topics = "1 topic" if len(assignments) == 1 else f"{len(assignments):,} topics"
        messages.success(request, f"Handed over items of {topics}.")
    return redirect("disagreement_list", track, task)
