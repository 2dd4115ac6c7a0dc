"""Context of the judging surface in practice and exam."""

import uuid
from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext

from assessment.models.gold import GoldItem, GoldUse, TrainingReply
from assessment.models.plan import JudgingPlan
from assessment.surface.context import item_context, topic_context, training_keys
from evaluation.access.people import User
from evaluation.collections.models import Document


def answer_of(reply: TrainingReply) -> dict[str, Any] | None:
    """Return the feedback after a grade: the known grade and its explanation; null in the exam."""
    item = reply.item
    if item.use != GoldUse.PRACTICE:
        return None
    words = gettext("You gave {grade}; expected is {expected}.").format(
        grade=reply.grade, expected=item.grade
    )
    return {
        "expected": item.grade,
        "is_right": reply.is_right,
        "verdict": gettext("As expected.") if reply.is_right else gettext("Not as expected."),
        "words": f"{words} {item.explanation}".strip(),
    }


def shown_context(item: GoldItem) -> dict[str, Any]:
    """Return the item and its topic, and the keys of the training's items in order."""
    items = list(GoldItem.objects.of_training(item.task).values_list("pk", flat=True))
    documents = Document.objects.filter(collection=item.task.collection_id).select_related("image")
    document = get_object_or_404(documents, docno=item.docno)
    plan = JudgingPlan.objects.of(item.task)
    context = topic_context(item.task, item.topic) | item_context(document, items.index(item.pk) + 1)
    return context | {"use": item.use, "pass_percent": plan.pass_percent, "keys": items}


def surface_context(item: GoldItem, by: User) -> dict[str, Any]:
    """Return the state of the surface: the person's replies, and where events go."""
    task = item.task
    names = [task.track.slug, task.slug]
    context = shown_context(item)
    items = context["keys"]
    replies = TrainingReply.objects.filter(assessor=by, item__in=items).select_related("item")
    places = {key: place for place, key in enumerate(items, start=1)}
    own_replies = {places[reply.item_id]: reply for reply in replies}
    reply = own_replies.get(context["place"])
    previous = items[max(context["place"] - 2, 0)]
    return context | {
        "total": len(items),
        "judged_count": len(own_replies),
        "last": bool(own_replies),
        "mark": {"mark": reply.grade} if reply else None,
        "answer": answer_of(reply) if reply else None,
        "key_sets": training_keys(context["criteria"]),
        "list_url": reverse("training", args=names),
        "back_url": reverse("training_item", args=[*names, previous]),
        "judgment_url": reverse("training_answer", args=[*names, item.pk]),
        "client_uuid": uuid.uuid4(),
        "state": {
            "mode": "training",
            "base": reverse("training", args=names),
            "assessor": by.pk,
            "place": context["place"],
            "keys": items,
            "scale": context["criteria"].scale,
            "count": len(items),
            "free": 0,
            "history": [
                {"place": place, "client_uuid": "", "mark": reply.grade, "replies": {}}
                for place, reply in own_replies.items()
            ],
            "answers": {place: answer_of(reply) for place, reply in own_replies.items()},
            "said": {},
            "settled": [],
        },
    }
