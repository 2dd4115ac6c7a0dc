"""The list of an assessor's items: marks, filters and thumbnails."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from assessment.models import CannotJudge, Purpose
from evaluation.models import Document, Topic
from tests.assessment.factories import judge, make_assignment, make_judging_pool, page
from tests.factories import make_document, make_image

pytestmark = pytest.mark.django_db


def test_items_are_found_by_comment_title_and_mark(client: Client) -> None:
    assignment = make_assignment()  # D2, D1, D3
    judge(assignment, "D2", 1, comment="A ridge of moraine")
    judge(assignment, "D1", 0, is_flagged=True)
    client.force_login(assignment.assessor)
    url = reverse("judging_items", args=[assignment.pk])

    def places(**asked: str) -> list[int]:
        return [row["place"] for row in client.get(url, asked).context["rows"]]

    assert places(q="MORAINE") == [1]
    assert places(q="moraine", show="0") == []
    assert places(show="commented") == [1]
    assert places(show="flagged") == [2]
    assert places(show="open") == [3]
    Document.objects.filter(docno="D3").update(fields=[["title", "Straße am See"], ["text", "A lake."]])
    assert places(q="strasse") == [3]
    assert 'value="strasse"' in client.get(url, {"q": "strasse"}).content.decode()


def test_item_to_be_judged_again_is_in_the_list_without_its_grade_until_it_is(client: Client) -> None:
    assignment = make_assignment()  # D2, D1, D3
    Document.objects.filter(docno="D2").update(fields=[["title", "A tarn"]], image=make_image())
    image = Document.objects.get(docno="D2").image_id
    assignment.items.create(place=4, docno="D2", purpose=Purpose.REPEAT)
    client.force_login(assignment.assessor)
    url = reverse("judging_items", args=[assignment.pk])

    def rows(**asked: str) -> list[tuple[int, str | None]]:
        return [(row["place"], row["image"]) for row in client.get(url, asked).context["rows"]]

    assert rows() == [(1, None), (2, None), (3, None), (4, None)]  # nothing tells which one comes twice
    judge(assignment, "D2", 2, comment="a tarn")
    assert [place for place, _ in rows()] == [2, 3, 4]
    assert rows(q="tarn") == rows(show="2") == []
    assert image
    assert image not in client.get(url).content.decode()
    judge(assignment, "D2", 1, purpose=Purpose.REPEAT)
    assert rows()[0] == (1, image)
    assert rows()[3] == (4, image)


def test_items_show_the_assessors_marks_in_the_order_of_showing(client: Client) -> None:
    assignment = make_assignment()
    judge(assignment, "D2", 2, comment="clear")
    judge(assignment, "D3", CannotJudge.UPSET)
    text = page(client, "judging_items", assignment)
    shelf = text.partition('<ol class="shelf"')[2]
    rows = re.findall(r"<li>.*?</li>", shelf)
    assert ['class="g4"' in row and "clear" in row for row in rows] == [True, False, False]
    assert ["not yet" in row for row in rows] == [False, True, False]
    assert ["cannot judge" in row for row in rows] == [False, False, True]


@pytest.mark.parametrize(
    ("shown", "places"),
    [("", [1, 2, 3, 4]), ("open", [4]), ("2", [1]), ("1", []), ("none", [2]), ("nonsense", [])],
)
def test_items_are_filtered_by_mark(client: Client, shown: str, places: list[int]) -> None:
    pool = make_judging_pool(pairs=[("T1", docno) for docno in ("D2", "D1", "D3", "D4")])
    make_document(pool.task.collection, docno="D4")
    assignment = make_assignment(pool)
    judge(assignment, "D2", 2)
    judge(assignment, "D1", CannotJudge.UPSET)
    judge(assignment, "D3", 0)
    client.force_login(assignment.assessor)
    url = reverse("judging_items", args=[assignment.pk])
    text = client.get(url, {"show": shown}).content.decode()
    assert [int(place) for place in re.findall(r">Item (\d+)<", text)] == places
    for words in ("All: 4", "Not yet: 1", "Grade 0: 1", "Grade 1: 0", "Grade 2: 1", "Cannot judge: 1"):
        assert words in text


def test_items_are_opened_by_number_and_listed_as_thumbnails(client: Client) -> None:
    assignment = make_assignment()
    image = make_image()
    Document.objects.filter(docno="D1").update(image=image)
    text = page(client, "judging_items", assignment)
    assert text.count("<img") == 1
    assert reverse("image", args=[image.pk, "thumbnail"]) in text
    assert re.findall(r'<input type="(\w+)" name="(\w+)"', text.partition('class="seek"')[2]) == [
        ("search", "q"),
        ("number", "place"),
    ]
    url = reverse("judging_items", args=[assignment.pk])
    assert client.get(url, {"place": "2"})["Location"] == reverse("judging_item", args=[assignment.pk, 2])
    for missing in ("0", "4", "9" * 30):
        assert f"There is no item {missing}." in client.get(url, {"place": missing}).content.decode()


def test_title_of_a_topic_has_its_own_direction_in_the_list_of_items(client: Client) -> None:
    assignment = make_assignment()
    Topic.objects.update(fields=[["page_title", "بحيرة"], ["section_title", "(ABC) جبل!"]])
    text = page(client, "judging_items", assignment)
    assert re.findall(r"<bdi\s*>([^<]*)</bdi>", text) == ["(ABC) جبل!", "بحيرة", "(ABC) جبل!"]
