"""The values of a run as a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from evaluation.core.report.writers import WRITERS
from evaluation.views.board_rows import chosen_qrels, qrels_to_choose
from evaluation.views.finding import find_run, find_task
from evaluation.views.leaderboard import TYPES
from evaluation.views.run_values import scores_table

if TYPE_CHECKING:
    from django.http import HttpRequest


@require_safe
def run_scores(request: HttpRequest, track: str, task: str, run: int, form: str) -> HttpResponse:
    """All values of the run, a row a topic, under the qrels in the address or people's."""
    found, of_task = find_run(request, track, task, run), find_task(request, track, task)
    choices = qrels_to_choose(of_task, request.user)
    if not choices or form not in WRITERS:
        raise Http404
    qrels = chosen_qrels(choices, request.GET.get("qrels"))
    table = scores_table(of_task, found, qrels)
    if len(table.columns) == 1:
        raise Http404
    basis = f"Qrels {qrels.name}, version {qrels.version}, sha256 {qrels.sha256[:12]}."
    return HttpResponse(
        WRITERS[form](table, basis),
        content_type=f"{TYPES[form]}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{found.tag}-{qrels.name}.{form}"'},
    )
