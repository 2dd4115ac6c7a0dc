"""Steps of setting up: the collection, the topics, the criteria, and the families and questions."""

from typing import Any

from django.http import HttpResponse

from evaluation.collections.chosen_fields import ImportKind
from evaluation.collections.models import Document
from evaluation.organizing.imports.forms import FILES, ImportUploadForm
from evaluation.organizing.imports.models import Import
from evaluation.organizing.setup.actions import choose_collection, next_place
from evaluation.organizing.setup.forms import CollectionForm, FamilyForm, QuestionForm, RulesForm
from evaluation.organizing.setup.scale import PRESET_CHOICES, PRESETS, ScaleRow, check_rows, rows_in, rows_of
from evaluation.organizing.setup.steps import after_saving, render_step
from evaluation.platform.access.limits.views import form_view, page_view
from evaluation.platform.access.requests import SignedInRequest, error_in
from evaluation.platform.web.opened_forms import CHANGED, atomic_post, lock_row, state_of
from evaluation.submissions.runs.families import Family
from evaluation.submissions.runs.submission import SubmissionQuestion
from evaluation.tracks.actions import save_criteria
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.lookups import find_organized_task
from evaluation.tracks.models import Task, TaskKind
from evaluation.tracks.work.table_rows import count_rows
from trackside.errors import InputError

THUMBNAILS = 12


@form_view()
def setup_collection(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Choose or make the collection, and upload its documents."""
    track_task = find_organized_task(request, track, task)
    form = CollectionForm(
        request.POST or None, task=track_task, initial={"collection": track_task.collection_id}
    )
    if form.is_valid():
        with error_in(form):
            chosen = form.cleaned_data["collection"] or track_task.track.collections.create(
                name=form.cleaned_data["name"].strip()
            )
            choose_collection(task=track_task, collection=chosen)
            return after_saving(request, track_task, "collection")
    documents = Document.objects.filter(collection=track_task.collection_id).select_related("image")
    context = {
        "template": "evaluation/setup/collection.html",
        "form": form,
        "documents": documents.filter(image__isnull=False)[:THUMBNAILS],
        "document_count": count_rows(documents),
        "corpora": track_task.collection.corpora.defer("members"),
        "bare": list(documents.without_what_is_shown(TaskKind(track_task.kind))[:5]),
        **_upload_context(track_task, ImportKind.COLLECTION),
    }
    return render_step(request, track_task, "collection", context)


def _upload_context(task: Task, kind: ImportKind) -> dict[str, Any]:
    imports = Import.objects.listed().filter(task=task, kind=kind)
    return {
        "kind": kind,
        "upload_form": ImportUploadForm(kind=kind, task=task, auto_id="id_upload_%s"),
        "about": FILES[kind],
        "imports": imports[:5],
    }


@page_view
def setup_topics(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Upload topics, and show the first ones."""
    track_task = find_organized_task(request, track, task)
    topics = track_task.topics.select_related("image")
    context = {
        "template": "evaluation/setup/topics.html",
        "topics": topics[:THUMBNAILS],
        "topic_count": topics.count(),
        **_upload_context(track_task, ImportKind.TOPICS),
    }
    return render_step(request, track_task, "topics", context)


@form_view()
@atomic_post
def setup_criteria(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Edit the grade scale, with a preview of the judging keys."""
    track_task = find_organized_task(request, track, task)
    error, act = "", request.POST.get("act", "")
    if act == "save":
        lock_row(track_task)
    criteria = Criteria.objects.filter(task=track_task).order_by("-version").first()
    rows = rows_of(criteria.words) if criteria else []
    nominal = (criteria.nominal_name, criteria.nominal_reasons) if criteria else ("", "")
    stored = state_of(rows, criteria and criteria.instructions, track_task.relevance_level, *nominal)
    opened = request.POST.get("opened") or stored
    if act == "save" and opened != stored:
        rows, error, opened = rows_in(request.POST), CHANGED, stored
    elif request.method == "POST":
        rows, error = _edited(request, track_task)
        if act == "save" and not error:
            return after_saving(request, track_task, "criteria")
    elif preset := PRESETS.get(request.GET.get("preset", "")):
        rows = rows_of(preset[1])
    first = Document.objects.filter(collection=track_task.collection_id, image__isnull=False).first()
    context = {
        "template": "evaluation/setup/criteria.html",
        "criteria": criteria,
        "opened": opened,
        "rows": rows,
        "error": error,
        "is_unsaved": request.method == "POST" or "preset" in request.GET,
        "presets": PRESET_CHOICES,
        "instructions": request.POST.get("instructions", criteria.instructions if criteria else ""),
        "nominal_name": request.POST.get("nominal_name", nominal[0]),
        "nominal_reasons": request.POST.get("nominal_reasons", nominal[1]),
        "level": request.POST.get("level", str(track_task.relevance_level)),
        "preview": sorted(rows, key=lambda row: (len(row.grade), row.grade)),
        "example": first,
        "topic": track_task.topics.first(),
        "longest": max((len(row.text) for row in rows), default=0),
    }
    return render_step(request, track_task, "criteria", context)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _edited(request: SignedInRequest, task: Task) -> tuple[list[ScaleRow], str]:
    """Return the rows of the form after adding, removing or saving, and why they are not saved."""
    rows, act = rows_in(request.POST), request.POST.get("act", "")
    if act == "add":
        return [*rows, ScaleRow("", "", "")], ""
    if act.startswith("remove "):
        removed_index = act.removeprefix("remove ")
        return [row for index, row in enumerate(rows) if str(index) != removed_index], ""
    error = check_rows(rows)
    if act != "save" or error:
        return rows, error
    level = request.POST.get("level", "")
    grades = sorted((row.value for row in rows), key=lambda grade: int(grade["grade"]))
    try:
        save_criteria(
            task=task,
            grades=grades,
            instructions=request.POST.get("instructions", "").replace("\0", "").strip(),
            level=int(level) if level.isascii() and level.isdecimal() and len(level) < 4 else 0,
            nominal_name=" ".join(request.POST.get("nominal_name", "").split()),
            nominal_reasons=_lines(request.POST.get("nominal_reasons", "")),
        )
    except InputError as problem:
        return rows, str(problem)
    return rows, ""


@form_view()
@atomic_post
def setup_runs(request: SignedInRequest, track: str, task: str) -> HttpResponse:
    """Rules for runs, run families, and questions of the submission form."""
    track_task = find_organized_task(request, track, task)
    act = request.POST.get("act", "")
    rules = RulesForm(request.POST if act == "rules" else None, instance=track_task, auto_id="id_rules_%s")
    family = FamilyForm(request.POST if act == "family" else None, task=track_task, auto_id="id_family_%s")
    question = QuestionForm(
        request.POST if act == "question" else None,
        task=track_task,
        place=next_place(track_task),
        auto_id="id_question_%s",
    )
    for form in (rules, family, question):
        if form.is_valid():
            form.save()
            return after_saving(request, track_task, "runs")
    context = {
        "template": "evaluation/setup/runs.html",
        "rules": rules,
        "family_form": family,
        "question_form": question,
        "families": Family.objects.filter(task=track_task),
        "questions": SubmissionQuestion.objects.filter(task=track_task),
    }
    return render_step(request, track_task, "runs", context)
