"""Context of the judging surface in adjudication. Only organizers see it."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from assessment.judging.news import events_since, make_news
from assessment.judging.screen import given
from assessment.models.aggregates import CurrentJudgment, JudgedItem, JudgedItemQuerySet
from assessment.models.judgment import Judgment
from assessment.models.purposes import Purpose
from assessment.models.remark import Remark, apply_remarks
from assessment.quality.disagreements import Pair, find_disagreements
from assessment.surface.context import adjudication_keys, item_context, topic_context
from evaluation.collections.models import Document, Topic
from evaluation.platform.access.people import User
from evaluation.platform.access.requests import SignedInRequest, key_in
from evaluation.results.qrels.models import Qrels, QrelsKind
from evaluation.tracks.lookups import find_judged_task
from evaluation.tracks.models import Task

NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # people appear as letters, in an order that changes from item to item


def model_qrels(task: Task, user: User) -> QuerySet[Qrels]:
    """Return the latest version of each model's qrels that the person may see."""
    latest = Qrels.objects.filter(task=task, kind=QrelsKind.MODEL).current().values("pk")
    return Qrels.objects.visible_to(user).filter(pk__in=latest).order_by("name")


@dataclass(frozen=True)
class CaseList:
    """The disagreements that an organizer settles: among people, or of people with a model's ``qrels``.

    The grades on record of an item are hidden from an organizer who has not graded it, unless
    ``shows_grades``.
    """

    task: Task
    qrels: Qrels | None
    shows_grades: bool

    @classmethod
    def of(cls, request: SignedInRequest, track: str, task: str) -> CaseList:
        """Return the case list of ``?judge=``, the key of a model's qrels; raise 404 for other keys.

        ``?grades=shown`` shows the grades on record.
        """
        track_task = find_judged_task(request, track, task)
        shows_grades = request.GET.get("grades") == "shown"
        if not request.GET.get("judge"):
            return cls(track_task, None, shows_grades)
        judges = model_qrels(track_task, request.user)
        return cls(track_task, get_object_or_404(judges, pk=key_in(request.GET, "judge")), shows_grades)

    @property
    def items(self) -> JudgedItemQuerySet:
        """The items, open ones first."""
        items = JudgedItem.objects.filter(task=self.task)
        return items.against(self.qrels) if self.qrels else items.disputed()

    def read(self, items: Iterable[JudgedItem]) -> list[JudgedItem]:
        """Return the items with the grades on record."""
        return find_disagreements(task=self.task, items=items, qrels=self.qrels)

    @property
    def names(self) -> list[str]:
        """The slugs of track and task, as address parameters."""
        return [self.task.track.slug, self.task.slug]

    @property
    def suffix(self) -> str:
        """The query at the end of the list's addresses."""
        query = {"judge": self.qrels and self.qrels.pk, "grades": "shown" if self.shows_grades else None}
        parameters = urlencode({name: value for name, value in query.items() if value})
        return f"?{parameters}" if parameters else ""

    @property
    def other_suffix(self) -> str:
        """The same for the list that hides the grades on record if this one shows them, and the reverse."""
        return replace(self, shows_grades=not self.shows_grades).suffix

    @property
    def list_url(self) -> str:
        """The address of the list."""
        return reverse("disagreement_list", args=self.names) + self.suffix

    def item_url(self, key: str) -> str:
        """Return the address of an item on the surface."""
        return _url(self, "adjudication_item", key) + self.suffix

    def keys_of(self, items: Sequence[JudgedItem | Judgment | Remark]) -> list[str]:
        """Return the keys of items in addresses, from the primary keys of topic and document."""
        topics = dict(Topic.objects.filter(task=self.task).values_list("number", "pk"))
        documents = Document.objects.filter(
            collection=self.task.collection_id, docno__in={item.docno for item in items}
        )
        by_docno = dict(documents.values_list("docno", "pk"))
        return [f"{topics[item.topic]}-{by_docno[item.docno]}" for item in items]

    def item_of(self, topic: str, docno: str) -> JudgedItem:
        """Return the grades on record of one pair, or raise 404 if there are none."""
        items = self.read(JudgedItem.objects.filter(task=self.task, topic=topic, docno=docno))
        if not items or not (items[0].judgments or items[0].is_flagged):
            raise Http404
        return items[0]


def shown_context(cases: CaseList, topic: Topic, document: Document, place: int, by: User) -> dict[str, Any]:
    """Return the item, its topic and the grades on record; ``record`` is null while they are hidden."""
    item = cases.item_of(topic.number, document.docno)
    context = topic_context(cases.task, topic.number) | item_context(document, place)
    adjudications = Judgment.objects.adjudications(cases.task, topic.number, document.docno, by)
    is_shown = cases.shows_grades or adjudications.exists()
    if is_shown:
        return context | {"record": _record(item, cases.qrels, by)}
    key = f"{topic.pk}-{document.pk}"
    return context | {"record": None, "open_url": replace(cases, shows_grades=True).item_url(key)}


def _record(item: JudgedItem, qrels: Qrels | None, by: User) -> list[dict[str, Any]]:
    """Return the grades in an order that changes from item to item, so that no letter identifies a person."""
    events: list[Judgment | Remark] = [*item.judgments, *item.remarks]
    mixed = sorted(
        events,
        key=lambda event: sha256(f"{item.topic} {item.docno} {event.assessor_id}".encode()).digest(),
    )
    rows: list[dict[str, Any]] = [
        {
            "name": name,
            "words": _words(event),
            "mark": event.mark if isinstance(event, Judgment) else "",
            "is_flagged": event.is_flagged,
            "comment": event.comment,
        }
        for name, event in zip(NAMES, mixed, strict=False)
    ]
    if item.judge_grade is not None and qrels:
        name = gettext("Judge {name}").format(name=qrels.name)
        rows.append({"name": name, "words": item.judge_grade, "mark": item.judge_grade})
    settled = item.adjudicated
    if settled and settled.assessor_id != by.pk:
        name = gettext("Settled by {name}").format(name=settled.assessor)
        rows.append({"name": name, "words": settled.words, "mark": settled.mark, "comment": settled.comment})
    return rows


def _words(event: Judgment | Remark) -> str:
    if isinstance(event, Remark):
        return gettext("not judged yet")
    return event.words


def surface_context(cases: CaseList, topic: Topic, document: Document, by: User) -> dict[str, Any]:
    """Return the state of the surface; raise 404 for an item that is not in the list."""
    keys = cases.keys_of(items := list(cases.items))
    if (key := f"{topic.pk}-{document.pk}") not in keys:
        raise Http404
    place = keys.index(key) + 1
    places = {(item.topic, item.docno): place for place, item in enumerate(items, start=1)}
    grades = {places[pair]: judgment for pair, judgment in _settled_by(cases.task, by) if pair in places}
    said = _own_words(cases.task, by, places, grades.values())
    settled = {place for place, item in enumerate(items, start=1) if item.is_settled}
    context = shown_context(cases, topic, document, place, by)
    history = sorted(grades.items(), key=lambda entry: entry[1].pk)
    mark = grades.get(place)
    return context | {
        "total": len(keys),
        "judged_count": len(settled),
        "mark": mark and {"place": place, **given(mark)},
        "said": said.get(place),
        "last": history[-1][1] if history else None,
        "key_sets": adjudication_keys(context["criteria"]),
        "cases": cases,
        "list_url": cases.list_url,
        "back_url": cases.item_url(keys[max(place - 2, 0)]),
        "judgment_url": _url(cases, "item_adjudicate", key) + cases.suffix,
        "undo_url": _url(cases, "adjudication_undo", keys[history[-1][0] - 1]) + cases.suffix
        if history
        else "",
        "client_uuid": uuid.uuid4(),
        "shown_at": timezone.now().isoformat(),
        "state": _adjudication_state(cases, by)
        | {
            "place": place,
            "keys": keys,
            "as_of": timezone.now().isoformat(),
            "scale": context["criteria"].scale,
            "count": len(keys),
            "history": [{"place": place, **given(judgment)} for place, judgment in history],
            "said": said,
            "settled": sorted(settled - grades.keys()),
        },
    }


def _own_words(
    task: Task, by: User, places: Mapping[Pair, int], grades: Collection[Judgment]
) -> dict[int, dict[str, Any]]:
    """Return the person's comment on each place: a later one than the grade's, or one without a grade."""
    own = Remark.objects.filter(task=task, purpose=Purpose.ADJUDICATION, assessor=by).current()
    events: list[Judgment | Remark] = [*apply_remarks(grades, own), *grades]
    words = {(event.topic, event.docno): {"comment": event.comment, "is_flagged": False} for event in events}
    return {places[pair]: said for pair, said in words.items() if pair in places}


def _adjudication_state(cases: CaseList, by: User) -> dict[str, Any]:
    """Return the part of the script's state that is the same for all items of the list."""
    return {
        "mode": "adjudication",
        "saw_record": cases.shows_grades,
        "base": reverse("disagreement_list", args=cases.names),
        "suffix": cases.suffix,
        "assessor": by.pk,
        "free": 0,
    }


def _settled_by(task: Task, by: User) -> Iterator[tuple[Pair, Judgment]]:
    """Yield the latest adjudications of items, if they are by this person."""
    graded = CurrentJudgment.objects.filter(task=task, purpose=Purpose.ADJUDICATION, grade__isnull=False)
    rows = graded.order_by("judgment_id").select_related("judgment", "item")
    for latest in {row.item_id: row for row in rows}.values():
        if latest.assessor_id == by.pk:
            yield (latest.item.topic, latest.item.docno), latest.judgment


def settled_news(cases: CaseList, by: User, since: datetime) -> dict[str, Any]:
    """Return the person's own grades, undos and reasons stored since then, as `own_news` does, by key."""
    own = {"task": cases.task, "purpose": Purpose.ADJUDICATION, "assessor": by}
    pair = {name: OuterRef(name) for name in ("task", "purpose", "topic", "docno")}
    later = Judgment.objects.not_undone().filter(**pair, pk__gt=OuterRef("pk")).exclude(assessor=by)
    judgments = Judgment.objects.filter(~Exists(later), **own)  # as pages show no grade that another settled
    as_of, events = events_since(since, judgments, Remark.objects.filter(**own).current())
    keys = cases.keys_of(events)
    return make_news(as_of, [({"key": key}, event) for key, event in zip(keys, events, strict=True)])


def _url(cases: CaseList, name: str, key: str) -> str:
    topic, document = map(int, key.split("-"))
    return reverse(name, args=[*cases.names, topic, document])
