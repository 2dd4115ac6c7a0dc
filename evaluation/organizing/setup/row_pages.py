"""Pages on which organizers correct one row of a track, and remove it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from evaluation.platform.access.limits.views import form_view, post_view
from evaluation.platform.access.requests import SignedInRequest, error_in
from evaluation.platform.web.opened_forms import atomic_post
from evaluation.platform.web.rows import find_row
from evaluation.tracks.lookups import find_organized_track
from trackside.errors import InputError


@form_view("change")
@atomic_post
def row_edit(request: SignedInRequest, track: str, noun: str, record: int) -> HttpResponse:
    """Change the fields of a row."""
    own_track = find_organized_track(request, track)
    table, row = find_row(own_track, noun, record)
    form_of = table.form_of(row)
    title, page = str(row), table.page_of(row)
    form = form_of(request.POST, request.FILES) if request.method == "POST" else form_of()
    if form.is_valid():
        with error_in(form):
            table.save(form, request.user)
            messages.success(request, f"{row} is saved.")
            return redirect(table.page_of(row))
    context = {
        "track": own_track,
        "title": title,
        "page": page,
        "form": form,
        "noun": noun,
        "record": record,
        "is_removable": table.remove is not None,
        "name_to_confirm": row.name if table.has_parts else "",
    }
    return render(request, "evaluation/setup/row_edit.html", context)


@post_view("change")
def row_remove(request: SignedInRequest, track: str, noun: str, record: int) -> HttpResponse:
    """Remove a row that nothing else needs."""
    table, stored = find_row(find_organized_track(request, track), noun, record)
    title, page = str(stored), table.page_of(stored)
    try:
        page = table.remove_row(stored, request.POST.get("words", ""))
        messages.success(request, f"{title} is removed.")
    except InputError as error:
        messages.error(request, str(error))
    return redirect(page)
