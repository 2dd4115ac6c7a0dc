"""Gold pairs are picked on their page, and the plan says which ones it lacks."""

import pytest
from django.test import Client
from django.urls import reverse

from assessment.models import GoldItem
from assessment.models.gold import GoldUse
from evaluation.models import Task
from evaluation.organizing.setup.steps import Stage
from tests.evaluation.organizing.setup.setup_pages import address, needs
from tests.factories import make_document, make_image, make_topic

pytestmark = pytest.mark.django_db


def test_gold_is_picked_from_pictures(organizer: Client, task: Task) -> None:
    url = address(task, "gold")
    document = make_document(task.collection, docno="D1", image=make_image())
    make_document(task.collection, docno="E2", image=make_image())
    topic = make_topic(task, number="T9")
    found = organizer.get(url, {"topic": topic.number, "words": "caption d1"}).content.decode()
    assert ("Document D1" in found, "Document E2" in found) == (True, False)
    form = {"topic": "T9", "docno": document.docno, "grade": "2", "use": "practice", "explanation": "Why."}
    organizer.post(url, form)
    organizer.post(url, form | {"grade": "1"})
    item = task.gold_items.get()
    assert (item.topic, item.docno, item.grade, item.use) == ("T9", "D1", 1, "practice")
    off = organizer.post(url, form | {"grade": "5"}, follow=True).content.decode()
    assert "Choose one of 0, 1, 2" in off
    absent = organizer.post(url, form | {"docno": "elsewhere"}, follow=True).content.decode()
    assert "no document elsewhere" in absent
    organizer.post(reverse("gold_remove", args=[task.track.slug, task.slug, item.pk]))
    assert not task.gold_items.exists()


def test_plan_names_gold_that_it_lacks(organizer: Client, task: Task) -> None:
    form = {"act": "plan", "gold_percent": 10, "repeat_percent": 0, "pass_percent": 80, "lease_minutes": 30}
    organizer.post(address(task, "plan"), form)
    assert "An exam is planned, but it has no items." in needs(task, Stage.POOL)
    assert "The plan mixes in 10 % gold items, but none is picked for it." in needs(task, Stage.POOL)
    GoldItem.objects.create(task=task, topic="T1", docno="D1", grade=1, use=GoldUse.MIXED)
    organizer.post(address(task, "plan"), form | {"gold_percent": 0})
    assert "Gold items are picked to be mixed in, but the plan mixes in 0 %." in needs(task, Stage.POOL)
    too_much = organizer.post(address(task, "plan"), form | {"gold_percent": 31}).content.decode()
    assert "Mix in 30 per cent at most." in too_much
