"""The judging screen in Chromium: its keys, and judgments that outlive a lost connection."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import expect

from assessment.models import Assignment, ExtraQuestion, Judgment
from evaluation.models import Document, Phase, Task, TaskKind, Topic
from tests.assessment.factories import judge, make_assignment, make_judging_pool
from tests.browser.signing_in import sign_in
from tests.factories import dates_of, make_document, make_image, make_pool, make_task, make_topic

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, BrowserContext, Page, Route
    from pytest_django.live_server_helper import LiveServer

    Opener = Callable[..., Page]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DOCNOS = ["D1", "D2", "D3", "D4", "D5"]


@pytest.fixture
def assignment() -> Assignment:
    """Topic T1 with five images, shown as D1 to D5."""
    task = make_task(phase=Phase.JUDGING)
    make_topic(task, number="T1")
    for docno in DOCNOS:
        make_document(task.collection, docno=docno, image=make_image())
    return make_assignment(make_pool(task, pairs=[("T1", docno) for docno in DOCNOS]))


@pytest.fixture
def open_item(context: BrowserContext, live_server: LiveServer) -> Opener:
    """Opens an item's page as its assessor sees it; a script's error or blocked content fails the test."""

    def open_item(assignment: Assignment, place: int = 1, *, context: BrowserContext = context) -> Page:
        sign_in(context, assignment.assessor, live_server)
        page = context.new_page()
        page.on("pageerror", lambda error: pytest.fail(f"script error: {error}"))
        page.goto(reverse("judging_item", args=[assignment.pk, place]))
        return page

    return open_item


def ready(page: Page, count: int = 3) -> Page:
    """Wait until the next items are there."""
    expect(page.locator("#hint")).to_have_text(f"Next {count} ready")
    return page


def marks() -> list[tuple[str, int | str]]:
    """Docno and mark of the current judgments."""
    return sorted((judgment.docno, judgment.mark) for judgment in Judgment.objects.current())


def saved(page: Page) -> None:
    """Wait until the screen says that everything is saved."""
    expect(page.locator("#saved")).to_contain_text("Saved")


def test_keys_grade_and_go_on_to_the_list_at_the_end(assignment: Assignment, open_item: Opener) -> None:
    page = ready(open_item(assignment))
    for place, key in enumerate(["0", "1", "2", "a", "d"], start=1):
        expect(page.locator("#place")).to_have_text(f"{place} of 5")
        page.keyboard.press(key)
    page.wait_for_url("**/items/")
    expect(page.get_by_role("main")).to_contain_text("All 5 items are judged.")
    assert marks() == [("D1", 0), ("D2", 1), ("D3", 2), ("D4", 0), ("D5", 2)]
    for judgment in Judgment.objects.all():
        assert judgment.image_sha256 == Document.objects.get(docno=judgment.docno).image_id
        assert judgment.active_seconds is not None


def test_undo_takes_the_last_judgment_back(assignment: Assignment, open_item: Opener) -> None:
    page = ready(open_item(assignment))
    page.keyboard.press("2")
    page.keyboard.press("1")
    page.keyboard.press("z")
    expect(page.locator("#place")).to_have_text("2 of 5")
    expect(page.locator("#undo-last")).to_contain_text("Undo last: 2")
    page.keyboard.press("u")
    expect(page.locator("#place")).to_have_text("1 of 5")
    expect(page.locator("#undo-last")).to_be_disabled()
    saved(page)
    expect(page.locator("#progress")).to_have_js_property("value", 0)
    assert marks() == []
    assert Judgment.objects.count() == 4


def test_going_back_shows_the_own_grade_and_the_same_grade_again_is_no_event(
    assignment: Assignment, open_item: Opener
) -> None:
    judge(assignment, "D1", 1)
    page = ready(open_item(assignment, 2))
    page.keyboard.press("q")
    expect(page.locator("[name=grade][value='1']")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("1")
    expect(page.locator("#place")).to_have_text("2 of 5")
    page.keyboard.press("q")
    expect(page.locator("#place")).to_have_text("1 of 5")
    page.keyboard.press("0")
    saved(page)
    expect(page.locator("#place")).to_have_text("2 of 5")
    assert [judgment.mark for judgment in Judgment.objects.all()] == [1, 0]


def test_reason_is_given_by_keys(assignment: Assignment, open_item: Opener) -> None:
    page = ready(open_item(assignment))
    page.keyboard.press("x")
    page.keyboard.press("3")
    expect(page.locator("#place")).to_have_text("2 of 5")
    saved(page)
    assert marks() == [("D1", "language")]


def test_comment_is_typed_in_peace_and_kept_with_the_grade(assignment: Assignment, open_item: Opener) -> None:
    page = ready(open_item(assignment))
    page.keyboard.press("c")
    page.keyboard.type("012 asd z")
    page.keyboard.press("Escape")
    expect(page.locator("#place")).to_have_text("1 of 5")
    page.keyboard.press("2")
    expect(page.locator("#comment")).to_have_value("")
    saved(page)
    assert [judgment.comment for judgment in Judgment.objects.all()] == ["012 asd z"]


def test_double_click_and_held_key_are_one_judgment(assignment: Assignment, open_item: Opener) -> None:
    page = ready(open_item(assignment))
    page.locator("[name=grade][value='1']").dblclick()
    expect(page.locator("#place")).to_have_text("2 of 5")
    page.keyboard.down("2")
    page.keyboard.down("2")
    expect(page.locator("#place")).to_have_text("3 of 5")
    saved(page)
    assert marks() == [("D1", 1), ("D2", 2)]


def test_judging_goes_on_offline_and_catches_up(
    assignment: Assignment, context: BrowserContext, open_item: Opener
) -> None:
    page = ready(open_item(assignment))
    context.set_offline(True)
    page.keyboard.press("0")
    page.keyboard.press("1")
    expect(page.locator("#saved")).to_contain_text("2 kept here, no connection")
    expect(page.locator("#place")).to_have_text("3 of 5")
    assert marks() == []
    context.set_offline(False)
    saved(page)
    assert marks() == [("D1", 0), ("D2", 1)]


def test_judgment_kept_in_the_browser_is_sent_when_the_screen_opens_again(
    assignment: Assignment, context: BrowserContext, open_item: Opener
) -> None:
    page = ready(open_item(assignment))
    context.set_offline(True)
    page.keyboard.press("2")
    expect(page.locator("#saved")).to_contain_text("1 kept here")
    page.close()
    context.set_offline(False)
    saved(open_item(assignment, 2))
    assert marks() == [("D1", 2)]


def test_judgment_kept_in_the_browser_is_sent_from_the_list_of_topics_too(
    assignment: Assignment, context: BrowserContext, open_item: Opener
) -> None:
    page = ready(open_item(assignment))
    context.set_offline(True)
    page.keyboard.press("2")
    expect(page.locator("#saved")).to_contain_text("1 kept here")
    context.set_offline(False)
    page.goto(reverse("judging_list"))
    expect(page.get_by_role("main")).to_contain_text("1 of 5 items judged.")
    assert marks() == [("D1", 2)]


def test_dropped_reply_is_one_judgment(assignment: Assignment, open_item: Opener) -> None:
    page = ready(open_item(assignment))
    tries = []

    def drop_first_reply(route: Route) -> None:
        tries.append(route.request.url)
        answer = route.fetch()
        if len(tries) == 1:
            route.abort()
        else:
            route.fulfill(response=answer)

    page.route("**/judgment", drop_first_reply)
    page.keyboard.press("2")
    expect(page.locator("#saved")).to_contain_text("1 kept here")
    saved(page)
    assert len(tries) == 2
    assert Judgment.objects.count() == 1


def test_server_in_trouble_loses_nothing(assignment: Assignment, open_item: Opener) -> None:
    page = ready(open_item(assignment))
    page.route("**/judgment", lambda route: route.fulfill(status=502, body="down"), times=1)
    page.keyboard.press("1")
    expect(page.locator("#saved")).to_contain_text("1 kept here")
    saved(page)
    assert marks() == [("D1", 1)]


def test_two_tabs_with_one_item_keep_the_later_grade(assignment: Assignment, open_item: Opener) -> None:
    one, other = ready(open_item(assignment)), ready(open_item(assignment))
    one.keyboard.press("0")
    saved(one)
    other.keyboard.press("2")
    saved(other)
    assert marks() == [("D1", 2)]


def test_signed_out_assessor_is_told_and_loses_nothing(
    assignment: Assignment, context: BrowserContext, open_item: Opener
) -> None:
    page = ready(open_item(assignment))
    context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    page.keyboard.press("1")
    expect(page.locator("#saved")).to_contain_text("Not saved: 1 kept here")
    saved(open_item(assignment, 2))
    assert marks() == [("D1", 1)]


def test_image_that_is_not_the_items_is_refused(assignment: Assignment, open_item: Opener) -> None:
    page = ready(open_item(assignment))
    other = Document.objects.get(docno="D4").image_id
    page.evaluate(
        "sha256 => { const image = document.querySelector('#stage img');"
        "image.src = image.src.replace(/[0-9a-f]{64}/, sha256); }",
        other,
    )
    page.keyboard.press("2")
    expect(page.locator("#saved")).to_contain_text("Not saved: item 1")
    expect(page.locator("#progress")).to_have_js_property("value", 0)
    assert not Judgment.objects.exists()


def test_deadline_in_mid_judgment_is_told(assignment: Assignment, open_item: Opener) -> None:
    page = ready(open_item(assignment))
    Task.objects.update(**dates_of(Phase.RELEASED))
    page.keyboard.press("2")
    expect(page.locator("#saved")).to_contain_text("is not open for judging now")
    assert not Judgment.objects.exists()


def test_zoom_caption_and_full_text_have_keys(assignment: Assignment, open_item: Opener) -> None:
    page = ready(open_item(assignment))
    page.keyboard.press("g")
    expect(page.locator("#caption")).to_contain_text("Caption of D1")
    page.keyboard.press("e")
    expect(page.locator("#stage.zoom")).to_be_focused()
    page.keyboard.press("e")
    expect(page.locator("#stage.zoom")).to_have_count(0)


def test_questions_are_answered_by_keys_before_the_grade(assignment: Assignment, open_item: Opener) -> None:
    ask = ExtraQuestion.objects.create
    ask(task=assignment.pool.task, name="sure", text="How sure?", choices="low\nmiddle\nhigh")
    ask(task=assignment.pool.task, name="why", text="Why?", is_required=False, place=2)
    page = ready(open_item(assignment))
    page.keyboard.press("2")
    expect(page.locator("#hint")).to_have_text("Reply to the question first")
    page.keyboard.press("3")  # the focus is on the choices: high
    page.keyboard.type("the 2 lakes")
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    expect(page.locator("#place")).to_have_text("2 of 5")
    expect(page.get_by_label("high")).not_to_be_checked()
    saved(page)
    assert marks() == [("D1", 2)]
    assert Judgment.objects.get().replies == {"sure": "high", "why": "the 2 lakes"}
    page.keyboard.press("q")
    expect(page.get_by_label("high")).to_be_checked()
    expect(page.get_by_label("Why?")).to_have_value("the 2 lakes")


def test_keys_change_places_and_stay_so(assignment: Assignment, open_item: Opener) -> None:
    page = ready(open_item(assignment))
    page.keyboard.press("v")
    page.locator("#move-key").click()
    page.keyboard.press("3")  # digits stay where they are
    expect(page.locator("#key-hint")).to_contain_text("Only letters")
    page.keyboard.press("d")
    page.keyboard.press("j")
    expect(page.locator("#grades kbd").last).to_have_text("J")
    page.keyboard.press("Escape")
    page.keyboard.press("d")
    expect(page.locator("#place")).to_have_text("1 of 5")
    page.keyboard.press("j")
    expect(page.locator("#place")).to_have_text("2 of 5")
    saved(page)
    assert marks() == [("D1", 2)]
    page = ready(open_item(assignment, 2))
    expect(page.locator("#grades kbd").last).to_have_text("J")
    page.locator("#keys summary").click()
    page.locator("#reset-keys").click()
    expect(page.locator("#grades kbd").last).to_have_text("D")


def test_terms_of_the_topic_are_marked_on_demand_and_on_the_next_item(open_item: Opener) -> None:
    assignment = make_assignment(make_judging_pool(kind=TaskKind.IMAGE_TO_TEXT))  # D2, D1, D3
    Topic.objects.filter(number="T1").update(fields=[["page_title", "The Caption of it all"]])
    page = ready(open_item(assignment), 2)
    marked = "() => [...(CSS.highlights.get('terms') ?? [])].map(String)"
    assert page.evaluate(marked) == []
    page.keyboard.press("w")
    assert page.evaluate(marked) == ["Caption"]  # of "Caption of D2": short words are not marked
    page.keyboard.press("1")
    expect(page.get_by_label("Text to judge, item 2 of 3")).to_contain_text("Caption of D1")
    assert page.evaluate(marked) == ["Caption"]
    page.locator("#terms").click()
    assert page.evaluate(marked) == []
    saved(ready(page, 1))


def test_text_documents_are_judged_too(open_item: Opener) -> None:
    assignment = make_assignment(make_judging_pool(kind=TaskKind.IMAGE_TO_TEXT))  # D2, D1, D3
    page = ready(open_item(assignment), 2)
    expect(page.get_by_label("Text to judge, item 1 of 3")).to_contain_text("Caption of D2")
    page.keyboard.press("2")
    expect(page.get_by_label("Text to judge, item 2 of 3")).to_contain_text("Caption of D1")
    saved(page)
    assert marks() == [("D2", 2)]


def test_judging_works_without_scripts(
    assignment: Assignment, chromium: Browser, live_server: LiveServer, open_item: Opener
) -> None:
    with chromium.new_context(base_url=live_server.url, java_script_enabled=False) as context:
        page = open_item(assignment, context=context)
        page.locator("[name=grade][value='2']").click()
        expect(page.locator("#place")).to_have_text("2 of 5")
        page.locator("#cannot summary").click()
        page.locator("[name=reason][value=upset]").click()
        expect(page.locator("#place")).to_have_text("3 of 5")
        page.locator("#undo-last").click()
        expect(page.locator("#place")).to_have_text("2 of 5")
        assert marks() == [("D1", 2)]
