"""Who changed what in a track, for its organizers, and everywhere, for the site's staff."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.core.csv_cells import inert_cell
from evaluation.forms.audit import AuditForm
from evaluation.models.audit import changes_in, to_read
from evaluation.views.finding import find_organized_track

if TYPE_CHECKING:
    from typing import Any

    from django.db.models import QuerySet

    from evaluation.models import Track
    from evaluation.views.finding import SignedInRequest

PAGE = 50  # changes


@require_safe
@login_required
def audit_list(request: SignedInRequest, track: str = "") -> HttpResponse:
    """Show the changes, latest first."""
    found = _track_of(request, track)
    form = AuditForm(request.GET, track=found)
    page = Paginator(_chosen(found, form), PAGE).get_page(request.GET.get("page"))
    chosen = request.GET.copy()
    chosen.pop("page", None)
    context = {
        "track": found,
        "form": form,
        "page": page,
        "changes": to_read(page),
        "chosen": chosen.urlencode(),
    }
    return render(request, "evaluation/audit_list.html", context)


@require_safe
@login_required
def audit_file(request: SignedInRequest, track: str = "") -> HttpResponse:
    """The same changes as CSV: a line for each field, and one for what was added or deleted."""
    found = _track_of(request, track)
    answer = HttpResponse(content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="changes.csv"'
    lines = csv.writer(answer)
    lines.writerow(["at", "person", "by", "model", "name", "change", "field", "old", "new"])
    for change in to_read(_chosen(found, AuditForm(request.GET, track=found))):
        head = [change.at.isoformat(), change.person, change.by, change.model, change.name, change.verb]
        for field, old, new in change.fields or [("", "", "")]:
            lines.writerow(map(inert_cell, [*head, field, _text(old), _text(new)]))
    return answer


def _track_of(request: SignedInRequest, track: str) -> Track | None:
    if track:
        return find_organized_track(request, track)
    if not request.user.is_superuser:
        raise Http404
    return None


def _chosen(track: Track | None, form: AuditForm) -> QuerySet[Any]:
    chosen = form.cleaned_data if form.is_valid() else {}
    return changes_in(track, model=chosen.get("model") or "", person=chosen.get("person"))


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
