"""A person's own judgments that were stored since a page was rendered: other tabs and devices judge, too."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from assessment.judging.forms import NewsForm
from assessment.judging.screen import given
from assessment.models.assignment import Assignment
from assessment.models.judgment import Judgment
from assessment.models.remark import Remark, apply_remarks

OVERLAP = timedelta(seconds=60)  # longer than a request that stores judgments: its start is their time

Event = Judgment | Remark
Named = tuple[Mapping[str, object], Event]  # ``place`` or ``key`` of the item, and what was stored


def news_asked(request: HttpRequest, find: Callable[[datetime], dict[str, Any]]) -> dict[str, Any]:
    """Return the news since the time in ``?since=`` as context of a template; empty without a time."""
    form = NewsForm(request.GET)
    return {"news": find(form.cleaned_data["since"])} if form.is_valid() else {}


def own_news(assignment: Assignment, since: datetime) -> dict[str, Any]:
    """Return the assessor's judgments, undos and remarks stored since then, in order of storage.

    ``as_of`` is when to ask from next. Some that the page has already may be among the ``events``.
    """
    judgments = Judgment.objects.filter(
        task=assignment.pool.task_id, topic=assignment.topic, assessor=assignment.assessor_id
    )
    as_of, events = events_since(since, judgments, assignment.own_remarks())
    items = assignment.items.filter(docno__in={event.docno for event in events})
    places = {
        (docno, purpose): place for docno, purpose, place in items.values_list("docno", "purpose", "place")
    }
    keys = [((event.docno, event.purpose), event) for event in events]
    return make_news(as_of, [({"place": places[key]}, event) for key, event in keys if key in places])


def events_since(
    since: datetime, judgments: QuerySet[Judgment], remarks: QuerySet[Remark]
) -> tuple[datetime, list[Event]]:
    """Return the time of the answer, and those of the events that may have been stored since the time."""
    as_of, start = timezone.now(), since - OVERLAP
    events = list(judgments.filter(judged_at__gte=start).select_related("undoes").order_by("pk"))
    alone = apply_remarks(events, [remark for remark in remarks if remark.made_at >= start])
    return as_of, [*events, *alone]


def make_news(as_of: datetime, events: Iterable[Named]) -> dict[str, Any]:
    """Return the news in the form of the page's script; a remark on an item has no ``client_uuid``."""
    return {"as_of": as_of.isoformat(), "events": [{**item, **_content(event)} for item, event in events]}


def _content(event: Event) -> dict[str, Any]:
    if isinstance(event, Judgment) and event.undoes:
        return {"undoes": str(event.undoes.client_uuid)}
    judgment = given(event) if isinstance(event, Judgment) else {}
    return judgment | {"comment": event.comment, "is_flagged": event.is_flagged}
