"""Judgments say which item was shown, and how much of it was seen; qrels take it over."""

import re

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from assessment.core.consolidation import ConsolidationRule
from assessment.models import AssignmentKind, Judgment, Surface
from assessment.publishing.actions import publish_judgments
from evaluation.collections.chosen_fields import ChosenFields, ImportKind
from evaluation.models import Document
from tests.assessment.assigning.sent_judgments import post, sent
from tests.assessment.factories import judge, make_assignment, make_judging_pool, page
from tests.assessment.wall.walled import judged, make_walled, send, statuses
from tests.factories import make_image
from trackside.text.items_shown import show_item

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_singles")]
FIRST, OTHER = "1" * 64, "2" * 64


def test_wall_and_single_screen_name_one_hash_by_the_roles(client: Client) -> None:
    assignment = make_walled(3, surface=Surface.BOTH)
    roles = {"title": "heading", "description": "words"}
    task = assignment.pool.task
    ChosenFields.objects.create(task=task, kind=ImportKind.COLLECTION, choice={"roles": roles})
    fields = [["words", "A tarn."], ["heading", "Formation"]]
    Document.objects.update(fields=fields)
    sha256 = show_item(fields, roles).sha256
    for name in ("judging_wall", "wall_content", "judging_item", "judging_content"):
        assert set(re.findall(r'data-shown="(\w*)"', page(client, name, assignment, 1))) == {sha256}
    assert f'name="shown_sha256" value="{sha256}"' in page(client, "judging_item", assignment, 1)
    assert set(re.findall(r'data-seen="(\w*)"', page(client, "judging_wall", assignment, 1))) == {"part"}


def test_cell_with_nothing_but_its_picture_shows_the_whole_item(client: Client) -> None:
    assignment = make_walled(2)
    Document.objects.update(image=make_image(), fields=[])
    Document.objects.filter(docno="D2").update(fields=[["caption", "A tarn."]])
    seen = re.findall(r'data-seen="(\w*)"', page(client, "judging_wall", assignment, 1))
    docnos = assignment.items.order_by("place").values_list("docno", flat=True)
    assert dict(zip(docnos, seen, strict=True)) == {"D1": "whole", "D2": "part"}


def test_judgments_keep_what_the_page_says_was_seen(client: Client) -> None:
    """Half of it, or nothing from a page of an earlier release, is not known; no grade is refused for it."""
    assignment = make_walled(4)
    events = [
        judged(1, shown_sha256=FIRST, seen="part"),
        judged(2, shown_sha256=FIRST, seen="whole", is_opened="on"),
        judged(3, seen="whole"),
        judged(4),
    ]
    assert statuses(send(client, assignment, *events)) == [200] * 4
    rows = Judgment.objects.order_by("pk").values_list("shown_sha256", "seen")
    assert list(rows) == [(FIRST, "part"), (FIRST, "whole"), ("", ""), ("", "")]


def test_plain_form_says_that_the_whole_item_was_seen(client: Client) -> None:
    assignment = make_assignment()
    fields = sent(shown_sha256=FIRST, seen="whole")
    assert post(client, "judgment_record", assignment, 1, fields, by_script=False).status_code == 302
    event = Judgment.objects.get()
    assert (event.shown_sha256, event.seen) == (FIRST, "whole")


@pytest.mark.parametrize(("sha256", "seen"), [(FIRST, ""), ("", "whole"), ("D1.jpg", "whole"), (FIRST, "x")])
def test_database_refuses_half_of_it(sha256: str, seen: str) -> None:
    assignment = make_assignment()
    with pytest.raises(IntegrityError, match="judgment_seen_iff_shown"), transaction.atomic():
        judge(assignment, "D1", 2, shown_sha256=sha256, seen=seen)


def test_qrels_have_what_all_graders_of_a_pair_saw() -> None:
    pool = make_judging_pool()
    first, second = make_assignment(pool), make_assignment(pool, kind=AssignmentKind.SECOND)
    seen = {
        "D1": ((FIRST, "whole"), (FIRST, "part")),
        "D2": ((FIRST, "whole"), (OTHER, "whole")),
        "D3": ((FIRST, "whole"), ("", "")),
    }
    for docno, views in seen.items():
        for assignment, (sha256, extent) in zip((first, second), views, strict=True):
            judge(assignment, docno, 1, shown_sha256=sha256, seen=extent)
    owners, _ = publish_judgments(task=pool.task, by=pool.created_by)
    assert set(owners.pairs.graded().values_list("shown_sha256", "seen")) == {(FIRST, "whole")}
    both, _ = publish_judgments(task=pool.task, by=pool.created_by, rule=ConsolidationRule.MAJORITY)
    rows = both.pairs.filter(topic="T1").order_by("docno").values_list("docno", "shown_sha256", "seen")
    assert list(rows) == [("D1", FIRST, "part"), ("D2", "", ""), ("D3", "", "")]
