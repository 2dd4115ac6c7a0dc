"""Words marked on the judging screen: the topic's in every script, and a reader's own."""

import pytest
from playwright.sync_api import BrowserContext, expect
from pytest_django.live_server_helper import LiveServer

from evaluation.models import Document, TaskKind, Topic
from tests.assessment.factories import make_assignment, make_judging_pool
from tests.browser.judging.surface import expect_item, open_place

pytestmark = [pytest.mark.browser, pytest.mark.both_engines, pytest.mark.django_db(transaction=True)]

MARKED = "name => [...(CSS.highlights.get(name) ?? [])].map(String)"

# Title and text -> what is marked of the text.
SCRIPTS = {
    "Lakes of glacial origin": ("A lake and LAKES, of ice-age origins. Origin.", ["LAKES", "Origin"]),
    "高山湖泊的形成": ("冰川形成了许多高山湖泊。湖泊很深。", ["形成", "高山", "湖泊", "湖泊"]),
    "氷河湖のでき方 カール": ("カール湖は氷河のあとにできる。", ["カール", "氷河"]),
    "بحيرة جبلية": ("تقع بحيرة صغيرة هنا", ["بحيرة"]),
    "हिन्दी झील": ("यह हिन्दी में है", ["हिन्दी"]),
}


@pytest.mark.whole
def test_terms_are_marked_in_every_script(context: BrowserContext, live_server: LiveServer) -> None:
    assignment = make_assignment(make_judging_pool(kind=TaskKind.IMAGE_TO_TEXT))
    page = open_place(context, live_server, assignment)
    for title, (text, marked) in SCRIPTS.items():
        Topic.objects.filter(number="T1").update(fields=[["page_title", title]])
        Document.objects.update(fields=[["text", text]])
        page.reload()
        expect_item(page)
        page.keyboard.press("w")
        assert sorted(page.evaluate(MARKED, "terms")) == sorted(marked), title


@pytest.mark.whole
def test_own_words_are_marked_and_kept_by_topic(context: BrowserContext, live_server: LiveServer) -> None:
    assignment = make_assignment(make_judging_pool(kind=TaskKind.IMAGE_TO_TEXT))
    Document.objects.update(fields=[["text", "A lake among lakes, flaked. 湖泊很深。"]])
    page = open_place(context, live_server, assignment)
    page.keyboard.press("m")
    page.keyboard.type("Lake 湖")
    assert page.evaluate(MARKED, "own") == ["lake", "lake", "湖"]
    expect(page.locator("#own-count")).to_have_text("Found 3 times in this item.")
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    expect(page.locator("#place")).to_have_text("2 of 3")
    assert page.evaluate(MARKED, "own") == ["lake", "lake", "湖"]
    page.reload()
    expect_item(page)
    assert page.evaluate(MARKED, "own") == ["lake", "lake", "湖"]
    assert page.evaluate(MARKED, "terms") == []
