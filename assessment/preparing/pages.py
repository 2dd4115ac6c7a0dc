"""Pages of setting up: the plan of judging, and gold items with a search of documents."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Q, TextField
from django.db.models.functions import Cast
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse

from assessment.form_errors import error_line
from assessment.models.gold import GoldItem, GoldUse
from assessment.models.plan import ExtraQuestion, JudgingPlan
from assessment.preparing.actions import remove_gold
from assessment.preparing.forms import ExtraQuestionForm, GoldChoiceForm, GoldForm, PlanForm, gold_item
from evaluation.collections.models import Document, Topic
from evaluation.organizing.setup.steps import after_saving, render_step
from evaluation.platform.access.limits.views import form_view, post_view
from evaluation.platform.access.requests import SignedInRequest, error_shown
from evaluation.platform.web.opened_forms import atomic_post
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.lookups import find_judged_task
from evaluation.tracks.models import Task


@form_view()
@atomic_post
def setup_plan(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Set the shares of gold and repeated items, the exam and the lease; add an extra question."""
    track_task = find_judged_task(request, track, task)
    act = request.POST.get("act", "")
    plan = JudgingPlan.objects.of(track_task)
    form = PlanForm(request.POST if act == "plan" else None, instance=plan)
    question = ExtraQuestionForm(
        request.POST if act == "question" else None, task=track_task, auto_id="id_question_%s"
    )
    for bound_form in (form, question):
        if bound_form.is_valid():
            bound_form.save()
            return after_saving(request, track_task, "plan")
    context = {
        "template": "assessment/preparing/plan.html",
        "form": form,
        "question_form": question,
        "questions": ExtraQuestion.objects.filter(task=track_task),
    }
    return render_step(request, track_task, "plan", context)


@form_view()
def setup_gold(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Show documents beside a topic, and set the right grade of the pairs that the organizer picks."""
    track_task = find_judged_task(request, track, task)
    choice = GoldChoiceForm(request.GET)
    values = choice.cleaned_data if choice.is_valid() else {}
    if request.method == "POST":
        _save_gold(request, track_task)
        args = {name: value for name, value in values.items() if value} | {"use": request.POST.get("use", "")}
        return redirect(f"{reverse('setup_gold', args=[track, task])}?{urlencode(args)}#documents")
    topics = track_task.topics.active()
    topic = topics.filter(number=values.get("topic") or "").first() or topics.first()
    page = find_documents(track_task, words=values.get("words") or "", after=values.get("after") or "")
    gold = (
        {item.docno: item for item in GoldItem.objects.filter(task=track_task, topic=topic.number)}
        if topic
        else {}
    )
    context = {
        "template": "assessment/preparing/gold.html",
        "topics": topics,
        "topic": topic,
        "words": values.get("words") or "",
        "use": values.get("use") or GoldUse.PRACTICE,
        "uses": GoldUse.choices,
        "page": page,
        "is_later_page": bool(values.get("after")),
        "query": urlencode({name: value for name, value in values.items() if value and name != "after"}),
        "documents": [(document, gold.get(document.docno)) for document in page.documents],
        "grades": Criteria.objects.current(track_task).words,
        "items": _items(track_task),
    }
    return render_step(request, track_task, "gold", context)


def _items(task: Task) -> list[dict[str, Any]]:
    """Return the gold items with their documents and topics."""
    items = list(GoldItem.objects.filter(task=task))
    documents = {
        document.docno: document
        for document in Document.objects.filter(
            collection=task.collection_id, docno__in=[item.docno for item in items]
        ).select_related("image")
    }
    topics: dict[str, Topic] = {topic.number: topic for topic in task.topics.all()}
    return [
        {"item": item, "document": documents.get(item.docno), "topic": topics.get(item.topic)}
        for item in items
    ]


def _save_gold(request: SignedInRequest, task: Task) -> None:
    form = GoldForm(request.POST)
    if not form.is_valid():
        messages.error(request, error_line(form))
        return
    item = gold_item(task, form.cleaned_data)
    try:
        item.full_clean()
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return
    item.save()
    messages.success(request, f"{item.topic} {item.docno}: grade {item.grade}, {item.get_use_display()}.")


@post_view()
def gold_remove(request: SignedInRequest, track: str, task: str, gold: int) -> HttpResponse:
    """Remove a gold item, unless an assessor has graded it in practice or exam."""
    track_task = find_judged_task(request, track, task)
    with error_shown(request):
        remove_gold(item=get_object_or_404(GoldItem, task=track_task, pk=gold))
    return redirect("setup_gold", track, task)


SHOWN = 24  # documents on a page
READ = 10_000  # documents that one page searches for words; 0.1 to 0.2 s in PostgreSQL


@dataclass(frozen=True)
class FoundDocuments:
    """Documents in byte order of docnos.

    The next page starts after the docno ``next_after``; it is empty on the last page. ``is_cut`` is True if
    the search for words stopped there, after READ documents.
    """

    documents: list[Document]
    next_after: str = ""
    is_cut: bool = False


def find_documents(task: Task, *, words: str, after: str) -> FoundDocuments:
    """Return the next documents, after the docno ``after``, with all the words in docno or texts.

    If there is one word and docnos begin with it, return these documents: the index finds them fast.
    """
    everything = Document.objects.filter(collection=task.collection_id).order_by("docno")
    terms = words.split()
    if len(terms) == 1:
        by_docno = everything.filter(docno__startswith=terms[0])
        if by_docno.exists():
            return _page(list(by_docno.filter(docno__gt=after).select_related("image")[: SHOWN + 1]))
    rest = everything.filter(docno__gt=after)
    if not terms:
        return _page(list(rest.select_related("image")[: SHOWN + 1]))
    last_docno = rest.values_list("docno", flat=True)[READ - 1 : READ].first()
    searched = rest.filter(docno__lte=last_docno) if last_docno else rest
    searched = searched.alias(texts=Cast("fields", TextField()))
    for word in terms:
        searched = searched.filter(Q(docno__icontains=word) | Q(texts__icontains=word))
    documents = list(searched.select_related("image")[: SHOWN + 1])
    if last_docno and len(documents) <= SHOWN:
        return FoundDocuments(documents, last_docno, is_cut=True)
    return _page(documents)


def _page(documents: list[Document]) -> FoundDocuments:
    """Return the first SHOWN documents; if there are more, there is a next page."""
    page = documents[:SHOWN]
    return FoundDocuments(page, page[-1].docno if len(documents) > SHOWN else "")
