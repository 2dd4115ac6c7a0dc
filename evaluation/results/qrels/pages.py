"""Download qrels (4 columns), and prels (5 columns) of a sampled pool."""

from collections.abc import Iterable

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from evaluation.results.qrels.models import Qrels
from evaluation.submissions.pools.models import Pool, PoolItem, PoolKind, UndrawnPair
from evaluation.tracks.criteria import Criteria
from evaluation.tracks.lookups import find_task

NOT_GRADED = -1
"""In prels, a document of the pool that was not drawn or has no grade (sample_eval's convention)."""


@require_safe
def qrels_file(request: HttpRequest, track: str, task: str, qrels: int) -> HttpResponse:
    """Send lines of topic, 0, docno and grade: exactly the bytes of the qrels' SHA-256."""
    task_qrels = _find_qrels(request, track, task, qrels)
    return _as_file(task_qrels.lines(), f"{track}-{task}-{task_qrels.name}-{task_qrels.version}.qrels")


@require_safe
def prels_file(request: HttpRequest, track: str, task: str, qrels: int) -> HttpResponse:
    """Send lines of topic, 0, docno, stratum and grade for xinfAP and infNDCG; 404 without a sampled pool.

    They cover the task's latest sample, because probabilities are valid only within one sample. A document
    that it did not draw has no grade here, even if people judged it for another pool, which is not random.
    """
    task_qrels = _find_qrels(request, track, task, qrels)
    pool = Pool.objects.filter(task=task_qrels.task, kind=PoolKind.SAMPLE).last()
    if pool is None:
        raise Http404
    pairs = task_qrels.pairs.graded().values_list("topic", "docno", "grade")
    numbers = Criteria.objects.numbers(task_qrels.task_id)
    grades = {(topic, docno): numbers.get(grade, grade) for topic, docno, grade in pairs if grade is not None}
    columns = ("topic", "docno", "stratum")
    drawn = [
        (topic, docno, stratum, grades.get((topic, docno), NOT_GRADED))
        for topic, docno, stratum in PoolItem.objects.filter(pool=pool).values_list(*columns)
    ]
    undrawn = [(*row, NOT_GRADED) for row in UndrawnPair.objects.filter(pool=pool).values_list(*columns)]
    lines = [
        f"{topic} 0 {docno} {stratum} {grade}\n" for topic, docno, stratum, grade in sorted(drawn + undrawn)
    ]
    return _as_file(lines, f"{track}-{task}-{task_qrels.name}-{task_qrels.version}.prels")


def _find_qrels(request: HttpRequest, track: str, task: str, qrels: int) -> Qrels:
    of_task = Qrels.objects.visible_to(request.user).filter(task=find_task(request, track, task))
    return get_object_or_404(of_task, pk=qrels)


def _as_file(lines: Iterable[str], name: str) -> HttpResponse:
    file_name = name.replace(" ", "-")
    return HttpResponse(
        "".join(lines),
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{file_name}"'},
    )
