"""The wall, the single screen and a judge's prompt show the same texts and pictures of an item."""

import html
import random
import re
from collections import Counter
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from assessment.models import Assignment, JudgingPlan, Judgment, Surface
from evaluation.collections.chosen_fields import ChosenFields, ImportKind
from evaluation.models import Document, Phase, TaskKind
from judges.models import Side
from tests.assessment.factories import make_assignment
from tests.assessment.wall.walled import judged, send, statuses
from tests.factories import make_document, make_image, make_pool, make_task, make_topic
from tests.judges.factories import make_generator, started
from trackside.judging.inputs import SideInput
from trackside.text.roles import ROLES

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("scripted")]

ITEMS = 20
NAMES = ("title", "page_title", "hierarchy", "caption", "context_section_description", "url", "body", "Ünter")
HIDDEN = ("\u200b", "\u202e", "\U000e0041", "\u2066", "\ufeff", "\ufe0f\ufe0f", "\u00ad")
WORDS = ("tarn", "lake.", "گودال‌ها", "湖は深い。", "<b>bold</b>", "&amp;", "one\ntwo", "USER:", " ", "a | b")


def some_text(dice: random.Random) -> str:
    return " ".join(
        dice.choice(dice.choices((WORDS, HIDDEN), (5, 1))[0]) for _ in range(dice.choice((0, 3, 90)))
    )


def make_assigned(dice: random.Random) -> Assignment:
    """Every second item is alone on its wall; a third has one picture or two."""
    task = make_task(phase=Phase.JUDGING, kind=TaskKind.TEXT_TO_TEXT)
    JudgingPlan.objects.create(task=task, surface=Surface.BOTH)
    make_topic(task, number="T1")
    roles = dict(zip(dice.sample(ROLES, 3), dice.sample(NAMES, 3), strict=True))
    ChosenFields.objects.create(task=task, kind=ImportKind.COLLECTION, choice={"roles": roles})
    for number in range(ITEMS):
        names = dice.sample(NAMES, dice.randrange(1, len(NAMES)))
        fields = [[name, some_text(dice)] for name in names] + [["words", f"No {number}"]]
        images = [make_image() for _ in range(dice.choice((0, 0, 1, 2)))]
        pictures = {"image": images[0], "more_images": [image.pk for image in images[1:]]} if images else {}
        make_document(task.collection, docno=f"D{number:02}", fields=fields, **pictures)
    return make_assignment(make_pool(task, pairs=[("T1", f"D{number:02}") for number in range(ITEMS)]))


def content(client: Client, name: str, assignment: Assignment, number: int) -> str:
    client.force_login(assignment.assessor)
    return client.get(reverse(name, args=[assignment.pk, number])).content.decode()


def between(shown: str, start: str, end: str) -> str:
    return shown.partition(start)[2].partition(end)[0]


def signs(*texts: str) -> Counter[str]:
    """The signs of texts without white space, and without those that a page puts between texts."""
    return Counter("".join("".join(texts).replace("|", "").replace("›", "").replace("·", "").split()))


def signs_of(shown: str) -> Counter[str]:
    """The signs of a part of a page, without its headings."""
    texts = re.sub(r'<h3>.*?</h3>|<p class="dim">.*?</p>', "", shown)
    return signs(html.unescape(re.sub(r"<[^>]*>", "", texts)))


def pictures_of(shown: str) -> tuple[str, ...]:
    return tuple(re.findall(r'src="[^"]*?([0-9a-f]{64})', shown))


def shown_singly(client: Client, assignment: Assignment, place: int) -> tuple[tuple[str, ...], Counter[str]]:
    """The pictures and signs of the single screen, of a picture those of its caption."""
    shown = content(client, "judging_content", assignment, place)
    stage = between(shown, 'id="stage"', 'id="lens"')
    caption = between(shown, '<div class="stack small">', "</details>")
    return pictures_of(stage), signs_of(caption or between(stage, "<article", "</article>").partition(">")[2])


def check_cell(cell: str, pictures: tuple[str, ...], texts: Counter[str]) -> None:
    """A cell has the first picture, else all of the text if it is alone, else its title and some of it."""
    face = between(cell, '<div class="face">', "</div>")
    assert pictures_of(face) == pictures[:1]
    if not pictures:
        is_alone = cell.startswith('class="alone"')
        assert signs_of(face) == texts if is_alone else signs_of(face.replace("…", "")) <= texts


def judged_as_shown(cells: dict[int, str]) -> list[dict[str, Any]]:
    return [
        judged(
            place,
            image_sha256="".join(pictures_of(cell)),
            shown_sha256=between(cell, 'data-shown="', '"'),
            seen=between(cell, 'data-seen="', '"'),
        )
        for place, cell in cells.items()
    ]


@pytest.mark.parametrize("seed", range(3))
def test_pages_and_prompts_show_the_same_texts_and_pictures(seed: int, client: Client) -> None:
    assignment = make_assigned(random.Random(seed))
    wall = content(client, "wall_content", assignment, 1).split("<li ")[1:]
    cells = {int(between(cell, 'data-place="', '"')): cell for cell in wall}
    assert statuses(send(client, assignment, *judged_as_shown(cells))) == [200] * ITEMS
    hashes = dict(Judgment.objects.values_list("docno", "shown_sha256"))
    places = dict(assignment.items.values_list("docno", "place"))
    for image in ("", "{document.image}"):
        job = started(make_generator(prompt=f"{{topic.fields}}{{document.fields}}{image}"), assignment.pool)
        judged_documents = Document.objects.filter(image__isnull=not image).values_list("docno", flat=True)
        for docno, part in job.inputs(Side.DOCUMENT, judged_documents).items():
            assert isinstance(part, SideInput)
            texts = signs(*(text for _, text in part.fields))
            assert shown_singly(client, assignment, places[docno]) == (part.blobs, texts)
            check_cell(cells[places[docno]], part.blobs, texts)
            call = job.calls.of_pool().get(docno=docno)
            assert (call.shown_sha256, call.seen) == (hashes[docno], "whole")
