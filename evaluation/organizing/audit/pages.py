"""Page and CSV file of the audit trail, their filter, and the rows kept from dropped tables."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import render

from evaluation.organizing.audit.models import RetiredRow
from evaluation.organizing.audit.queries import all_changes, changes_in, retired_in, with_differences
from evaluation.platform.access.changes import Change, event_models, to_read, verbose_name
from evaluation.platform.access.limits.views import page_view
from evaluation.platform.access.people import User
from evaluation.platform.access.requests import SignedInRequest
from evaluation.tracks.lookups import find_organized_track
from evaluation.tracks.models import Track
from trackside.text.csv_cells import csv_parts


class AuditForm(forms.Form):
    """Filter of changes by model and person."""

    model = forms.ChoiceField(label="What", required=False)
    person = forms.ModelChoiceField(User.objects.none(), label="By", required=False, empty_label="anybody")

    def __init__(self, *args: Any, track: Track | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        models = {label: verbose_name(event.pgh_tracked_model) for label, event in event_models().items()}
        self.fields["model"].choices = [("", "anything"), *models.items()]  # type: ignore[attr-defined]
        people = User.objects.order_by("name", "email")
        if track:
            people = people.filter(Q(memberships__track=track) | Q(is_superuser=True)).distinct()
        self.fields["person"].queryset = people  # type: ignore[attr-defined]


PAGE = 50  # changes


@page_view
def audit_list(request: SignedInRequest, track: str = "") -> HttpResponse:
    """Show the changes, latest first."""
    track_row = _track_of(request, track)
    form = AuditForm(request.GET, track=track_row)
    slugs = changes_in(track_row, **_filters(form)).values_list("pgh_slug", flat=True)
    page = Paginator(slugs, PAGE).get_page(request.GET.get("page"))
    chosen = request.GET.copy()
    chosen.pop("page", None)
    retired = retired_in(track_row, by=request.user)
    context = {
        "track": track_row,
        "form": form,
        "page": page,
        "changes": to_read(with_differences(page)),
        "chosen": chosen.urlencode(),
        "retired": retired[:PAGE],
        "retired_count": retired.count(),
    }
    return render(request, "evaluation/audit/audit_list.html", context)


@page_view
def audit_file(request: SignedInRequest, track: str = "") -> StreamingHttpResponse:
    """Send the same changes as CSV: one line per changed field, or one line for an insert or delete.

    Without a filter, a line per row of a dropped table follows.
    """
    track_row = _track_of(request, track)
    filters = _filters(AuditForm(request.GET, track=track_row))
    changes = to_read(all_changes(track_row, **filters))
    retired = [] if any(filters.values()) else retired_in(track_row, by=request.user)
    headers = {"Content-Disposition": 'attachment; filename="changes.csv"'}
    return StreamingHttpResponse(
        csv_parts(_lines(changes, retired)), content_type="text/csv; charset=utf-8", headers=headers
    )


def _lines(changes: Iterable[Change], retired: Iterable[RetiredRow]) -> Iterator[list[str]]:
    yield ["at", "person", "by", "model", "name", "change", "field", "old", "new"]
    for change in changes:
        head = [change.at.isoformat(), change.person, change.by, change.model, change.name, change.verb]
        for field, old, new in change.fields or [("", "", "")]:
            yield [*head, field, _text(old), _text(new)]
    for row in retired:
        at, content = row.retired_at.isoformat(), json.dumps(row.content, ensure_ascii=False)
        yield [at, "", "", row.source, "", "retired", "", "", content]


def _track_of(request: SignedInRequest, track: str) -> Track | None:
    if track:
        return find_organized_track(request, track)
    if not request.user.is_superuser:
        raise Http404
    return None


def _filters(form: AuditForm) -> dict[str, Any]:
    chosen = form.cleaned_data if form.is_valid() else {}
    return {"model": chosen.get("model") or "", "person": chosen.get("person")}


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
