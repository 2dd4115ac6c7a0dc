"""Adjudication: disagreements are settled on the judging screen."""

import re
import uuid

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from assessment.models import Judgment, Purpose
from evaluation.models import Document, QrelsKind
from tests.assessment.factories import adjudicate
from tests.browser.judging.modes import make_desk, open_page, settled
from tests.browser.judging.surface import expect_item, expect_place, saved
from tests.factories import make_qrels

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


COUNT_VISITS = """navigation.addEventListener("navigate", () => {
    sessionStorage.visits = Number(sessionStorage.visits ?? 0) + 1;
});"""


def open_first(context: BrowserContext, server: LiveServer) -> Page:
    """The first of the three disagreements, without the grades on record."""
    task, organizer = make_desk()
    page = open_page(context, server, organizer, "disagreement_list", task)
    expect(page.get_by_role("main")).not_to_contain_text("D1 2")
    page.get_by_role("link", name="Settle them one by one").click()
    expect(page.locator("#hint")).to_have_text("Next 2 ready")
    expect(page.locator("#record")).to_contain_text("hidden until you have graded")
    expect(page.locator("#record").get_by_role("group")).to_have_count(0)
    expect(page.locator("#graded")).to_be_hidden()
    return page


@pytest.mark.both_engines
def test_grades_on_record_are_shown_once_the_adjudicator_has_graded(
    context: BrowserContext, live_server: LiveServer
) -> None:
    page = open_first(context, live_server)
    record = page.locator("#record")
    page.keyboard.press("c")
    page.keyboard.type("a ridge")
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    expect(record).to_contain_text("D1 2")
    expect(page.locator("#announcement")).to_have_text(re.compile("on record are shown"))
    expect_place(page, 1, 3)
    expect(page.locator("#surface")).not_to_contain_text("Sentinel")
    assert sorted(page.locator("#grades em:visible").all_inner_texts()) in (["A", "B"],)
    assert settled() == [("D1", 1, "a ridge", "blind")]
    page.keyboard.press("0")  # the adjudicator thinks again
    saved(page)
    assert settled() == [("D1", 0, "a ridge", "open")]
    page.keyboard.press("z")
    saved(page)
    assert settled() == [("D1", 1, "a ridge", "blind")]
    expect_place(page, 1, 3)


@pytest.mark.both_engines
def test_disagreements_are_settled_one_by_one_offline_too(
    context: BrowserContext, live_server: LiveServer
) -> None:
    page = open_first(context, live_server)
    loaded: list[str] = []
    page.on("load", lambda _: loaded.append(page.url))
    record, graded = page.locator("#record"), page.locator("#graded")
    title = page.locator("#topic").get_attribute("data-topic")
    page.keyboard.press("1")
    expect(record).to_contain_text("D1 2")
    page.keyboard.press("0")
    saved(page)
    page.keyboard.press("z")
    saved(page)
    page.locator("#next").focus()
    page.keyboard.press("Enter")
    expect_place(page, 2, 3)
    expect(record).to_contain_text("hidden until you have graded")
    page.keyboard.press("l")
    expect_place(page, 3, 3)
    assert page.locator("#topic").get_attribute("data-topic") != title
    context.set_offline(True)
    page.keyboard.press("0")
    expect(graded).to_contain_text("shown once you are online")
    page.keyboard.press("z")
    expect_place(page, 3, 3)
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect_place(page, 2, 3)
    context.set_offline(False)
    saved(page)
    page.keyboard.press("l")
    expect_place(page, 2, 3)
    page.keyboard.press("1")
    expect(record).to_contain_text("D2 2")
    assert loaded == []
    page.keyboard.press("Enter")
    page.wait_for_url("**/disagreements/")
    expect(page.get_by_role("main")).to_contain_text("0 of them not settled")
    expect(page.get_by_role("main")).to_contain_text("blind")
    assert [each[:2] for each in settled()] == [("D1", 1), ("D2", 1), ("D3", 2)]
    for docno, mark, *_ in settled():
        shown = Judgment.objects.get(docno=docno, purpose=Purpose.ADJUDICATION, grade=mark, undo=None)
        assert shown.image_sha256 == Document.objects.get(docno=docno).image_id


@pytest.mark.whole
def test_grades_on_record_are_shown_on_request_and_the_mode_says_so(
    context: BrowserContext, live_server: LiveServer
) -> None:
    task, organizer = make_desk()
    page = open_page(context, live_server, organizer, "adjudication_next", task)
    expect(page.locator("#hint")).to_have_text("Next 2 ready")
    page.locator("#record").get_by_role("link", name="Show them now").click()
    expect(page.locator("#record")).to_contain_text("D1 2")
    expect(page.locator("#hint")).to_have_text("Next 2 ready")
    page.keyboard.press("1")
    expect_place(page, 2, 3)  # nothing more is to be shown
    expect(page.locator("#record")).to_contain_text("D2 2")
    saved(page)
    assert settled() == [("D1", 1, "", "open")]
    page.get_by_role("link", name="Judge blind").click()
    expect(page.locator("#record")).to_contain_text("hidden until you have graded")


@pytest.mark.whole
@pytest.mark.both_engines
def test_disagreements_with_a_judge_show_its_grade_to_organizers(
    context: BrowserContext, live_server: LiveServer
) -> None:
    task, organizer = make_desk()
    grades: dict[tuple[str, str], int | None] = {("T1", "D4"): 2, ("T1", "D1"): None}
    make_qrels(task, name="clipscore", kind=QrelsKind.MODEL, grades=grades, pool=task.pools.get())
    page = open_page(context, live_server, organizer, "disagreement_list", task)
    expect(page.locator(".cases > li")).to_have_count(3)
    page.get_by_role("link", name="People with clipscore").click()
    expect(page.locator(".cases > li")).to_have_count(1)
    expect(page.locator(".cases")).not_to_contain_text("clipscore: 2")
    page.get_by_role("link", name="Show them").click()
    expect(page.locator(".cases")).to_contain_text("clipscore: 2")
    page.get_by_role("link", name="Hide them").click()
    page.get_by_role("link", name="Settle them one by one").click()
    expect(page.locator("#record")).to_contain_text("hidden until you have graded")
    expect(page.locator("#hint")).to_have_text("Last item")
    page.evaluate(COUNT_VISITS)
    page.keyboard.press("2")
    expect(page.locator("#record")).to_contain_text("Judge clipscore: 2")
    page.keyboard.press("Enter")
    page.wait_for_url("**/disagreements/?judge=*")
    assert page.evaluate("sessionStorage.visits") == "1"
    assert settled() == [("D4", 2, "", "blind")]


@pytest.mark.parametrize("is_commented", [True, False])
def test_grades_on_record_take_space_on_the_smallest_screen_only_if_they_have_comments(
    context: BrowserContext, live_server: LiveServer, is_commented: bool
) -> None:
    task, organizer = make_desk(is_commented=is_commented)
    page = open_page(context, live_server, organizer, "disagreement_list", task)
    page.goto(f"{page.url}next?grades=shown")
    expect_item(page)
    page.set_viewport_size({"width": 320, "height": 256})
    expect(page.locator("#record")).to_be_visible(visible=is_commented)
    height = "document.getElementById('stage').getBoundingClientRect().height"
    least = 60 if is_commented else 80  # once the topic's card is closed, a frame later
    page.wait_for_function(f"() => {height} >= {least}")


def test_adjudication_is_stored_once() -> None:
    task, organizer = make_desk()
    number = uuid.uuid4()
    first, again = (adjudicate(task, "D1", 1, by=organizer, client_uuid=number) for _ in range(2))
    assert first == again
    assert len(settled()) == 1
