"""A task's topics as a file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from evaluation.models import Topic
from evaluation.views.finding import find_task

if TYPE_CHECKING:
    from django.http import HttpRequest


@require_safe
def topics_file(request: HttpRequest, track: str, task: str) -> HttpResponse:
    """Send the active topics as JSON lines, as an import reads them: id, texts and, if any, a note."""
    found = find_task(request, track, task)
    topics = list(Topic.objects.visible_to(request.user).active().filter(task=found))
    if not topics:
        raise Http404
    lines = (json.dumps(_record(topic), ensure_ascii=False) + "\n" for topic in topics)
    return HttpResponse(
        "".join(lines),
        content_type="application/x-ndjson; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{track}-{task}-topics.jsonl"'},
    )


def _record(topic: Topic) -> dict[str, Any]:
    record = {"id": topic.number} | {name: text for name, text in topic.fields if name != "id"}
    return record | ({"note": topic.note} if topic.note else {})
