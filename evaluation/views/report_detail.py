"""The report: how near models and second assessors come to people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.core.report.stored import from_json
from evaluation.models import PoolItem, PoolKind, QrelsKind, Report, Task
from evaluation.views.finding import find_task
from evaluation.views.report_figures import IN_FAMILY, judge_panels, run_rows
from evaluation.views.report_sections import shown_sections
from evaluation.views.report_sentence import report_sentence

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

FORMS = (("csv", "CSV"), ("json", "JSON"), ("tex", "LaTeX"))


@require_safe
def report_detail(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """Show the task's latest report for the measure and the family in the address."""
    found = find_task(request, track, task)
    report = Report.objects.visible_to(request.user).filter(task=found).order_by("-computed_at").first()
    if report:
        return render(request, "evaluation/report_detail.html", {"task": found, **_shown(request, report)})
    if Task.objects.organized_by(request.user).contains(found):
        return render(request, "evaluation/report_empty.html", {"task": found})
    raise Http404


def _shown(request: HttpRequest, report: Report) -> dict[str, Any]:
    content = report.content
    measure = _choice(request, "measure", content["measures"])
    family = _choice(request, "family", content["families"]) if content["families"] else None
    # A report of an older form has no sections; a worker computes it anew.
    full = from_json(content["report"]) if "report" in content else None
    panels = judge_panels(content, full, measure, family)
    rows = run_rows(content, measure, family)
    models = [panel for panel in panels if panel.judge["kind"] == QrelsKind.MODEL] or panels
    return {
        "report": report,
        "sections": list(shown_sections(full, measure=measure, family=family)) if full else [],
        "basis": full.basis if full else "",
        "forms": FORMS,
        "is_organizer": Task.objects.organized_by(request.user).contains(report.task),
        "pool_count": _pool_count(report.task),
        "content": content,
        "measure": measure,
        "family": family,
        "panels": panels,
        "headline": max(models, key=lambda panel: panel.correlation["kendall"]["value"] or -1),
        "rows": rows,
        "family_count": sum(row.series == IN_FAMILY for row in rows),
        "other_count": sum(row.series != IN_FAMILY for row in rows),
        "sentences": [
            report_sentence(panel.judge, measure=measure, family=family, run_count=len(rows))
            for panel in models
        ],
    }


def _pool_count(task: Task) -> int:
    """Distinct items of the task's pools that people are to judge."""
    items = PoolItem.objects.filter(pool__task=task).exclude(pool__kind=PoolKind.CHECK)
    return items.values("topic", "docno").distinct().count()


def _choice(request: HttpRequest, name: str, choices: list[str]) -> str:
    """What the address asks for, or the first choice where it asks for nothing there is."""
    wanted = request.GET.get(name)
    return wanted if wanted in choices else choices[0]
