"""What the judging screen shows of an item, its topic and the criteria."""

import pytest
from django.test import Client
from django.urls import reverse

from assessment.models import Surface
from evaluation.collections.chosen_fields import ChosenFields, ImportKind
from evaluation.models import Document, Phase, TaskKind, Topic
from tests.assessment.factories import make_assignment, make_judging_pool, page
from tests.assessment.wall.walled import make_walled
from tests.factories import GRADES, make_document, make_image, make_pool, make_task

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_singles")]


def test_item_shows_topic_image_and_criteria(client: Client) -> None:
    assignment = make_assignment()
    image = make_image()
    Document.objects.filter(docno="D2").update(image=image)
    fields = [["page_title", "Tarn"], ["section_title", "Formation"], ["section_text", "A tarn forms."]]
    Topic.objects.filter(number="T1").update(fields=fields)
    text = page(client, "judging_item", assignment, 1)
    assert "Formation</h1>" in text
    assert "A tarn forms." in text
    assert f'<img src="{reverse("image", args=[image.pk, "display"])}"' in text
    assert 'alt="Image to judge, item 1"' in text
    assert f'name="image_sha256" value="{image.pk}"' in text
    for grade in GRADES:
        assert str(grade["text"]) in text


def test_item_that_is_a_text_shows_its_fields(client: Client) -> None:
    assignment = make_assignment(make_judging_pool(kind=TaskKind.IMAGE_TO_TEXT))
    fields = [["section_title", "Formation"], ["context_section_description", "A tarn <b> forms."]]
    Document.objects.filter(docno="D1").update(fields=fields)
    image = make_image()
    Topic.objects.filter(number="T1").update(fields=[], image=image)
    text = page(client, "judging_item", assignment, 2)
    assert "Formation</h2>" in text
    assert "A tarn <b> forms." in text
    assert f'<img src="{reverse("image", args=[image.pk, "display"])}"' in text
    assert 'alt="Image of the topic"' in text
    assert 'name="image_sha256" value=""' in text


def test_item_without_text_and_picture_is_named(client: Client) -> None:
    task = make_task(phase=Phase.JUDGING, topic_count=1)
    make_document(task.collection, docno="D1", fields=[["caption", " "]])
    assignment = make_assignment(make_pool(task, pairs=[("T1", "D1")]))
    assert "This item has no text and no picture." in page(client, "judging_item", assignment, 1)


@pytest.mark.parametrize(
    ("name", "place"), [("judging_item", 2), ("judging_wall", 1), ("wall_content", 1), ("judging_items", 0)]
)
def test_no_page_shows_characters_that_nobody_sees(client: Client, name: str, place: int) -> None:
    assignment = make_walled(3, surface=Surface.BOTH)
    hidden = "\U000e0047\u202e\u200b"
    fields = [["caption", f"A ta{hidden}rn"], ["section_title", f"For{hidden}mation"]]
    Document.objects.update(fields=fields)
    Topic.objects.update(fields=fields)
    text = page(client, name, assignment, *[place] * bool(place))
    assert "Formation" in text
    assert not set(hidden) & set(text)


def test_wall_and_single_screen_show_the_same_title_and_text(client: Client) -> None:
    """The roles of fields decide on both; without them the title is "Licence", the text "None"."""
    assignment = make_walled(3, surface=Surface.BOTH)
    roles = {"title": "heading", "description": "words"}
    task = assignment.pool.task
    ChosenFields.objects.create(task=task, kind=ImportKind.COLLECTION, choice={"roles": roles})
    fields = [["licence_title", "Licence"], ["page", "None"], ["words", "A tarn."], ["heading", "Formation"]]
    Document.objects.update(fields=fields)
    names = ("judging_wall", "judging_item", "judging_content")
    wall, single, content = (page(client, name, assignment, 1) for name in names)
    assert '<b dir="auto">Formation</b>' in wall
    assert "A tarn." in wall
    assert "None" not in wall
    for text in (single, content):
        assert "Formation</h2>" in text
        assert '<p dir="auto">A tarn. </p>' in text
