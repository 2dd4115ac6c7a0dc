"""The items that people grade differently, could not judge, or flagged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.shortcuts import render
from django.views.decorators.http import require_safe

from assessment.actions.find_disagreements import find_disagreements
from assessment.core.digest import make_digest
from assessment.forms import HandOverForm
from evaluation.models import Criteria, Document, Topic
from evaluation.views.finding import find_organized_task

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.http import HttpResponse

    from assessment.actions.find_disagreements import Disagreement
    from evaluation.models import Task
    from evaluation.views.finding import SignedInRequest

PAGE_SIZE = 20


@login_required
@require_safe
def disagreement_list(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Show each item with its grades and comments, open ones first, and the ways to settle it."""
    found = find_organized_task(request, track, task)
    everything = find_disagreements(task=found)
    page = Paginator(everything, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "task": found,
        "page": page,
        "rows": _rows(found, page.object_list),
        "open_count": sum(each.adjudicated is None for each in everything),
        "criteria": Criteria.objects.current(found),
        "hand_over": HandOverForm(task=found),
    }
    return render(request, "assessment/disagreement_list.html", context)


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
