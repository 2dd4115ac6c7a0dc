"""A set of qrels as files: qrels of four columns, and prels of five where the pool was sampled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from evaluation.models import PoolItem, PoolKind, Qrels, UndrawnPair
from evaluation.views.finding import find_task

if TYPE_CHECKING:
    from django.http import HttpRequest

NOT_GRADED = -1
"""In prels, a document of the pool that was not drawn, or got no grade (sample_eval's sign)."""


@require_safe
def qrels_file(request: HttpRequest, track: str, task: str, qrels: int) -> HttpResponse:
    """Lines of topic, 0, docno and grade: byte for byte what the qrels' hash is of."""
    found = _find_qrels(request, track, task, qrels)
    pairs = found.pairs.graded().order_by("topic", "docno").values_list("topic", "docno", "grade")
    lines = [f"{topic} 0 {docno} {grade}\n" for topic, docno, grade in pairs.iterator()]
    return _as_file(lines, f"{track}-{task}-{found.name}-{found.version}.qrels")


@require_safe
def prels_file(request: HttpRequest, track: str, task: str, qrels: int) -> HttpResponse:
    """Lines of topic, 0, docno, stratum and grade for xinfAP and infNDCG; absent without a sampled pool."""
    found = _find_qrels(request, track, task, qrels)
    sampled = PoolItem.objects.filter(pool__task=found.task, pool__kind=PoolKind.SAMPLE)
    undrawn = UndrawnPair.objects.filter(pool__task=found.task)
    columns = ("topic", "docno", "stratum")
    # Where a task has two samples, the later one says where a document was found.
    strata = {
        (topic, docno): stratum
        for rows in (undrawn, sampled)
        for topic, docno, stratum in rows.order_by("pool").values_list(*columns)
    }
    if not strata:
        raise Http404
    pairs = found.pairs.graded().values_list("topic", "docno", "grade")
    grades = {(topic, docno): grade for topic, docno, grade in pairs}
    lines = [
        f"{topic} 0 {docno} {stratum} {grades.get((topic, docno), NOT_GRADED)}\n"
        for (topic, docno), stratum in sorted(strata.items())
    ]
    return _as_file(lines, f"{track}-{task}-{found.name}-{found.version}.prels")


def _find_qrels(request: HttpRequest, track: str, task: str, qrels: int) -> Qrels:
    of_task = Qrels.objects.visible_to(request.user).filter(task=find_task(request, track, task))
    return get_object_or_404(of_task, pk=qrels)


def _as_file(lines: list[str], name: str) -> HttpResponse:
    file_name = name.replace(" ", "-")
    return HttpResponse(
        "".join(lines),
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{file_name}"'},
    )
