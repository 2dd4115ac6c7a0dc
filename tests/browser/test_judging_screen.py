"""The judging screen in Chromium: its keys, and judgments that survive a lost connection."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import expect

from assessment.assigning.changes import pause_assignment
from assessment.models import Assignment, ExtraQuestion, Judgment, Remark
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
    """Wait until the next items are loaded."""
    expect(page.locator("#hint")).to_have_text(f"Next {count} ready")
    return page


def marks() -> list[tuple[str, int | str]]:
    """Docno and mark of the current judgments."""
    return sorted((judgment.docno, judgment.mark) for judgment in Judgment.objects.current())


def saved(page: Page) -> None:
    """Wait until the screen shows that everything is saved."""
    expect(page.locator("#saved")).to_contain_text("Saved")


def expect_place(page: Page, place: int) -> None:
    """Wait until the item at the place, of five, is shown."""
    expect(page.locator("#place")).to_have_text(f"{place} of 5")


PRESS = """(key) => document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", {...key, bubbles: true, cancelable: true}))"""


def press(page: Page, key: str, code: str) -> None:
    """Press the key at the place ``code`` of a keyboard on which it gives ``key``."""
    page.evaluate(PRESS, {"key": key, "code": code})


KEEP = """([name, events]) => new Promise((done) => {
    const request = indexedDB.open(name, 1);
    request.onsuccess = () => {
        const transaction = request.result.transaction("events", "readwrite");
        events.forEach((event) => transaction.objectStore("events").add(event));
        transaction.oncomplete = () => done(request.result.close());
    };
})"""


def outbox_of(assignment: Assignment) -> str:
    """The name of the assessor's database in the browser."""
    return f"trackside-outbox-{assignment.assessor_id}"


def keep(page: Page, assignment: Assignment, *events: dict[str, Any]) -> None:
    """Put events in the assessor's outbox, as the screen does."""
    page.evaluate(KEEP, [outbox_of(assignment), events])


def graded(assignment: int, place: int, grade: int, image: str | None = None) -> dict[str, Any]:
    """The event of a grade that waits in the outbox."""
    fields = {
        "client_uuid": str(uuid.uuid4()),
        "criteria_version": "1",
        "image_sha256": image or "",
        "shown_at": "2026-09-01T12:00:00Z",
        "grade": str(grade),
    }
    url = reverse("judgment_record", args=[assignment, place])
    return {"url": url, "place": place, "topic": "Alpine lakes", "fields": fields}


def test_keys_grade_and_continue_to_the_list_at_the_end(assignment: Assignment, open_item: Opener) -> None:
    page = ready(open_item(assignment))
    page.keyboard.press("0")
    expect_place(page, 2)
    page.keyboard.press("c")
    page.keyboard.type("012 asd z")
    page.keyboard.press("Escape")
    expect_place(page, 2)
    page.keyboard.press("2")
    expect_place(page, 3)
    expect(page.locator("#comment")).to_have_value("")
    page.keyboard.press("x")
    page.keyboard.press("3")
    expect_place(page, 4)
    page.keyboard.press("v")
    page.keyboard.press("a")
    expect_place(page, 5)
    expect(page.locator("#flag")).not_to_be_checked()
    page.keyboard.press("d")
    page.wait_for_url("**/items/")
    expect(page.get_by_role("main")).to_contain_text("All 5 items are judged.")
    assert marks() == [("D1", 0), ("D2", 2), ("D3", "language"), ("D4", 0), ("D5", 2)]
    judgments = Judgment.objects.order_by("docno")
    assert [each.comment for each in judgments] == ["", "012 asd z", "", "", ""]
    assert [each.is_flagged for each in judgments] == [False, False, False, True, False]
    for judgment in judgments:
        assert judgment.image_sha256 == Document.objects.get(docno=judgment.docno).image_id
        assert judgment.active_seconds is not None
    page.get_by_role("link", name="Flagged: 1").click()
    expect(page.locator("ol.shelf li")).to_have_text(["Item 4 My grade 0 flagged"])


@pytest.mark.whole
def test_own_judgments_are_shown_changed_flagged_and_undone(
    assignment: Assignment, open_item: Opener
) -> None:
    page = ready(open_item(assignment))
    page.locator("[name=grade][value='1']").dblclick()
    expect_place(page, 2)
    page.keyboard.down("2")
    page.keyboard.down("2")
    page.keyboard.up("2")
    expect_place(page, 3)
    saved(page)
    assert marks() == [("D1", 1), ("D2", 2)]
    page.keyboard.press("q")
    expect(page.locator("[name=grade][value='2']")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("2")  # the same again is no event
    expect_place(page, 3)
    page.keyboard.press("q")
    expect_place(page, 2)
    page.locator("label", has=page.locator("#flag")).click()  # on the current grade
    page.keyboard.press("q")
    expect_place(page, 1)
    page.keyboard.press("0")
    expect_place(page, 3)
    saved(page)
    given = [(each.docno, each.mark, each.is_flagged) for each in Judgment.objects.order_by("pk")]
    assert given == [("D1", 1, False), ("D2", 2, False), ("D1", 0, False)]
    assert [(each.docno, each.is_flagged) for each in Remark.objects.all()] == [("D2", True)]
    for key, words in (("z", "Undo: 2"), ("u", "Undo: 1"), ("z", "Undo")):
        page.keyboard.press(key)
        expect(page.locator("#undo-last span")).to_have_text(words)
    expect_place(page, 1)
    expect(page.locator("#undo-last")).to_be_disabled()
    expect(page.locator("#progress")).to_have_js_property("value", 0)
    saved(page)
    assert marks() == []
    assert Judgment.objects.count() == 6


def test_judging_continues_offline_and_catches_up_on_any_page(
    assignment: Assignment, context: BrowserContext, open_item: Opener
) -> None:
    page = ready(open_item(assignment))
    context.set_offline(True)
    page.keyboard.press("0")
    page.keyboard.press("1")
    expect(page.locator("#saved")).to_contain_text("2 stored here, no connection")
    expect_place(page, 3)
    assert marks() == []
    context.set_offline(False)
    saved(page)
    context.set_offline(True)
    page.keyboard.press("2")
    expect(page.locator("#saved")).to_contain_text("1 stored here")
    page.close()
    context.set_offline(False)
    page = open_item(assignment, 4)
    saved(page)
    assert marks() == [("D1", 0), ("D2", 1), ("D3", 2)]
    context.set_offline(True)
    page.keyboard.press("0")
    expect(page.locator("#saved")).to_contain_text("1 stored here")
    page.close()
    context.set_offline(False)
    page = context.new_page()
    page.goto(reverse("judging_list"))
    expect(page.get_by_role("main")).to_contain_text("4 of 5 items judged.")
    assert marks() == [("D1", 0), ("D2", 1), ("D3", 2), ("D4", 0)]


@pytest.mark.whole
def test_last_item_is_judged_undone_and_judged_again_offline(
    assignment: Assignment, context: BrowserContext, open_item: Opener
) -> None:
    for docno in DOCNOS[:4]:
        judge(assignment, docno, 1)
    page = open_item(assignment, 5)
    expect(page.locator("#hint")).to_have_text("Last item")
    context.set_offline(True)
    page.keyboard.press("2")
    expect(page.locator("#saved")).to_contain_text("1 stored here")
    page.keyboard.press("z")
    page.keyboard.press("0")
    expect(page.locator("#saved")).to_contain_text("3 stored here")
    context.set_offline(False)
    page.wait_for_url("**/items/")
    assert marks() == [("D1", 1), ("D2", 1), ("D3", 1), ("D4", 1), ("D5", 0)]


FULL = """() => {
    IDBObjectStore.prototype.keep = IDBObjectStore.prototype.add;
    IDBObjectStore.prototype.add = function () { this.transaction.abort(); };
}"""

EMPTY = "() => { IDBObjectStore.prototype.add = IDBObjectStore.prototype.keep; }"

CLEAR = "name => new Promise((done) => { indexedDB.deleteDatabase(name).onsuccess = () => done(); })"


@pytest.mark.whole
def test_judgments_that_the_browser_does_not_store_are_sent(
    assignment: Assignment, context: BrowserContext, open_item: Opener
) -> None:
    page = ready(open_item(assignment))
    line, leaving = page.locator("#saved"), "do not close or leave this page"
    page.evaluate(FULL)
    page.keyboard.press("0")
    saved(page)
    context.set_offline(True)
    page.keyboard.press("1")
    expect(line).to_contain_text("1 stored here, no connection")
    expect(line).to_contain_text(leaving)
    page.evaluate(EMPTY)
    page.keyboard.press("2")
    expect(line).to_contain_text("2 stored here, no connection")
    expect(line).not_to_contain_text(leaving)  # it keeps the one before, too
    page.evaluate(CLEAR, outbox_of(assignment))  # as when the user clears the data of sites
    page.keyboard.press("z")
    expect(line).to_contain_text("3 stored here, no connection")
    expect(line).not_to_contain_text(leaving)
    context.set_offline(False)
    saved(page)
    assert marks() == [("D1", 0), ("D2", 1)]


ONLINE_WHILE_COUNTED = """() => {
    const [send, count] = [fetch, IDBObjectStore.prototype.getAll];
    let hasFailed = false;
    window.fetch = (url, ...more) => {
        if (hasFailed || !url.endsWith("/judgment")) return send(url, ...more);
        hasFailed = true;
        return Promise.reject(new TypeError("connection lost"));
    };
    IDBObjectStore.prototype.getAll = function () {
        if (hasFailed) {
            IDBObjectStore.prototype.getAll = count;
            dispatchEvent(new Event("online"));
        }
        return count.call(this);
    };
}"""


@pytest.mark.whole
def test_connection_that_returns_during_a_count_is_used(assignment: Assignment, open_item: Opener) -> None:
    page = ready(open_item(assignment))
    page.evaluate(ONLINE_WHILE_COUNTED)
    page.keyboard.press("1")
    saved(page)
    assert marks() == [("D1", 1)]


def test_dropped_reply_and_server_in_trouble_are_one_judgment(
    assignment: Assignment, open_item: Opener
) -> None:
    page = ready(open_item(assignment))
    tries = []

    def drop_first_reply(route: Route) -> None:
        tries.append(route.request.url)
        if len(tries) == 1:
            route.fetch()
            route.abort()
        elif len(tries) == 2:
            route.fulfill(status=502, body="down")
        else:
            route.continue_()

    page.route("**/judgment", drop_first_reply)
    page.keyboard.press("2")
    expect(page.locator("#saved")).to_contain_text("1 stored here")
    saved(page)
    assert len(tries) == 3
    assert [judgment.mark for judgment in Judgment.objects.all()] == [2]


PRESS_WHILE_COUNTED = """() => {
    window.said = [];
    const line = document.getElementById("saved");
    const note = () => said.push(line.textContent.trim().slice(0, 5));
    new MutationObserver(note).observe(line, {childList: true});
    const count = IDBObjectStore.prototype.getAll;
    IDBObjectStore.prototype.getAll = function () {
        const request = count.call(this);
        request.addEventListener("success", () => {
            if (request.result.length || said.length < 2) return;
            IDBObjectStore.prototype.getAll = count;
            document.querySelector("[name=grade][value='2']").click();
        });
        return request;
    };
}"""


@pytest.mark.whole
def test_saved_is_not_shown_for_a_judgment_given_while_the_one_before_is_confirmed(
    assignment: Assignment, open_item: Opener
) -> None:
    page = ready(open_item(assignment))
    page.evaluate(PRESS_WHILE_COUNTED)
    page.keyboard.press("1")
    expect_place(page, 3)
    saved(page)
    assert marks() == [("D1", 1), ("D2", 2)]
    said = page.evaluate("said")
    assert said.count("Saved") == 1
    assert said[-1] == "Saved"


@pytest.mark.whole
def test_two_tabs_with_one_item_keep_the_later_grade(assignment: Assignment, open_item: Opener) -> None:
    one, other = ready(open_item(assignment)), ready(open_item(assignment))
    one.keyboard.press("0")
    saved(one)
    other.keyboard.press("2")
    saved(other)
    assert marks() == [("D1", 2)]


@pytest.mark.whole
def test_what_one_tab_sends_for_another_is_saved_in_both(assignment: Assignment, open_item: Opener) -> None:
    one, other = ready(open_item(assignment)), ready(open_item(assignment))
    one.route("**/judgment", lambda route: route.abort())
    one.keyboard.press("0")
    expect(one.locator("#saved")).to_contain_text("1 stored here")
    other.keyboard.press("2")
    saved(other)
    saved(one)
    assert marks() == [("D1", 2)]


@pytest.mark.whole
def test_signed_out_assessor_is_asked_to_sign_in_and_loses_nothing(
    assignment: Assignment, context: BrowserContext, open_item: Opener
) -> None:
    page = ready(open_item(assignment))
    context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    page.keyboard.press("1")
    expect(page.locator("#saved")).to_contain_text("Not saved: 1 stored here")
    page.close()  # it would retry, too
    saved(open_item(assignment, 2))
    assert marks() == [("D1", 1)]


@pytest.mark.whole
def test_screen_continues_once_its_assessor_has_signed_in_again_elsewhere(
    assignment: Assignment, context: BrowserContext, live_server: LiveServer, open_item: Opener
) -> None:
    page = ready(open_item(assignment))
    context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    page.keyboard.press("1")
    expect(page.locator("#saved")).to_contain_text("Sign in again")
    sign_in(context, assignment.assessor, live_server)
    token = "a" * 32  # a new one, as after every sign-in
    context.add_cookies([{"name": settings.CSRF_COOKIE_NAME, "value": token, "url": live_server.url}])
    saved(page)
    assert marks() == [("D1", 1)]


@pytest.mark.whole
def test_waiting_judgments_stop_no_other_topic_and_are_sent_later(
    assignment: Assignment, open_item: Opener
) -> None:
    page = ready(open_item(assignment))
    keep(page, assignment, graded(987_654, 3, 2))  # no such assignment, or not any more
    page.keyboard.press("2")
    line = page.locator("#saved")
    expect(line).to_contain_text("Not saved: 1 stored here item 3 of Alpine lakes: This item is no longer")
    assert marks() == [("D1", 2)]
    page.evaluate(CLEAR, outbox_of(assignment))
    pause_assignment(assignment=assignment, is_paused=True)
    page.keyboard.press("1")
    expect(line).to_contain_text("Not saved: 1 stored here item 2: The organizers have paused topic T1.")
    pause_assignment(assignment=assignment, is_paused=False)
    saved(page)
    assert marks() == [("D1", 2), ("D2", 1)]


@pytest.mark.whole
def test_item_that_somebody_else_has_now_is_reported_and_not_shown_again(
    assignment: Assignment, open_item: Opener
) -> None:
    page = ready(open_item(assignment))
    answer = {"error": "Somebody else has it now.", "is_lost": True}
    page.route("**/items/1/judgment", lambda route: route.fulfill(status=409, json=answer))
    page.keyboard.press("2")
    expect(page.locator("#refused")).to_contain_text("Not saved: item 1. Somebody else has it now.")
    for place in (2, 3, 4, 5):
        expect_place(page, place)
        page.keyboard.press("1")
    saved(page)
    expect(page.locator("#progress")).to_have_js_property("value", 5)
    page.get_by_role("button", name="Dismiss").click()
    page.wait_for_url("**/items/")
    assert marks() == [("D2", 1), ("D3", 1), ("D4", 1), ("D5", 1)]


@pytest.mark.whole
def test_refusals_are_shown_until_the_list_is_reloaded(assignment: Assignment, open_item: Opener) -> None:
    page = ready(open_item(assignment))
    first, second = (Document.objects.get(docno=docno).image_id for docno in ("D1", "D2"))
    keep(page, assignment, graded(assignment.pk, 1, 7, first), graded(assignment.pk, 2, 1, second))
    page.goto(reverse("judging_list"))
    refused = page.locator("#refused")
    expect(refused).to_contain_text("Not saved: item 1 of Alpine lakes. Grade 7 is not on the scale")
    expect(page.locator("#catch-up")).to_be_hidden()
    expect(page.get_by_role("main")).to_contain_text("0 of 5 items judged.")
    refused.get_by_role("button", name="Dismiss").click()
    expect(page.get_by_role("main")).to_contain_text("1 of 5 items judged.")
    expect(refused).to_be_hidden()


@pytest.mark.whole
def test_wrong_image_and_deadline_while_judging_are_reported(
    assignment: Assignment, open_item: Opener
) -> None:
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
    expect_place(page, 2)
    Task.objects.update(**dates_of(Phase.RELEASED))
    page.keyboard.press("2")
    expect(page.locator("#saved")).to_contain_text("is not open for judging now")
    assert not Judgment.objects.exists()


@pytest.mark.whole
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


@pytest.mark.whole
def test_choices_are_selected_by_the_digits_beside_them(assignment: Assignment, open_item: Opener) -> None:
    ask = ExtraQuestion.objects.create
    ask(task=assignment.pool.task, name="sure", text="How sure?", choices="0\n1\n2")
    ask(task=assignment.pool.task, name="why", text="Why?", choices="shore\nlight", place=2)
    page = ready(open_item(assignment))
    expect(page.locator("#questions label kbd")).to_have_text(["0", "1", "2", "1", "2"])
    page.keyboard.press("r")
    press(page, "&", "Digit1")  # a French keyboard
    expect(page.locator("[name=reply_sure]:checked")).to_have_value("1")
    press(page, "٢", "Digit2")  # an Arabic one
    expect(page.locator("[name=reply_why]:checked")).to_have_value("light")


@pytest.mark.whole
def test_letters_are_those_on_the_caps_in_browsers_without_layout(
    assignment: Assignment, context: BrowserContext, open_item: Opener
) -> None:
    context.add_init_script("delete Navigator.prototype.keyboard;")
    page = ready(open_item(assignment, 2))
    press(page, "q", "KeyA")  # a French keyboard: back
    expect_place(page, 1)
    press(page, "a", "KeyQ")
    expect_place(page, 2)
    press(page, "ы", "KeyS")  # a Russian one, with no Latin letters: the place decides
    expect_place(page, 3)
    saved(page)
    assert marks() == [("D1", 0), ("D2", 1)]


@pytest.mark.whole
def test_keys_zoom_and_caption_and_change_places_for_good(assignment: Assignment, open_item: Opener) -> None:
    page = ready(open_item(assignment))
    page.keyboard.press("g")
    expect(page.locator("#caption")).to_contain_text("Caption of D1")
    page.keyboard.press("e")
    expect(page.locator("#stage.zoom")).to_be_focused()
    page.keyboard.press("e")
    expect(page.locator("#stage.zoom")).to_have_count(0)
    page.keyboard.press("k")
    page.locator("#all-keys [data-usual=D]").click()
    page.keyboard.press("F2")
    expect(page.locator("#key-hint")).to_contain_text("Only letters and digits")
    page.keyboard.press("j")
    expect(page.locator("#grades kbd").last).to_have_text("J")
    page.locator("#close-keys").click()
    page.keyboard.press("d")
    expect_place(page, 1)
    page.keyboard.press("j")
    expect_place(page, 2)
    saved(page)
    assert marks() == [("D1", 2)]
    page = open_item(assignment, 2)
    expect(page.locator("#grades kbd").last).to_have_text("J")
    page.locator("#keys").click()
    page.locator("#reset-keys").click()
    expect(page.locator("#grades kbd").last).to_have_text("D")


@pytest.mark.whole
def test_texts_are_judged_with_terms_marked_on_demand(open_item: Opener) -> None:
    assignment = make_assignment(make_judging_pool(kind=TaskKind.IMAGE_TO_TEXT))  # D2, D1, D3
    Topic.objects.filter(number="T1").update(fields=[["page_title", "The Caption of it all"]])
    page = ready(open_item(assignment), 2)
    expect(page.get_by_label("Text to judge, item 1")).to_contain_text("Caption of D2")
    marked = "() => [...(CSS.highlights.get('terms') ?? [])].map(String)"
    assert page.evaluate(marked) == []
    page.keyboard.press("w")
    assert page.evaluate(marked) == ["Caption"]  # of "Caption of D2": short words are not marked
    page.locator("#stage").focus()
    page.keyboard.press("2")
    expect(page.get_by_label("Text to judge, item 2")).to_contain_text("Caption of D1")
    expect(page.locator("#stage")).to_be_focused()
    assert page.evaluate(marked) == ["Caption"]
    page.locator("#terms").click()
    assert page.evaluate(marked) == []
    saved(page)
    assert marks() == [("D2", 2)]


@pytest.mark.whole
def test_topics_from_right_to_left_have_their_direction(open_item: Opener) -> None:
    assignment = make_assignment(make_judging_pool(kind=TaskKind.IMAGE_TO_TEXT))
    words = "بحيرة جبلية صغيرة"
    Topic.objects.filter(number="T1").update(fields=[["page_title", words], ["text", f"{words}. {words}."]])
    Document.objects.update(fields=[["title", words], ["text", f"{words}."]])
    page = open_item(assignment)
    direction = "each => getComputedStyle(each).direction"
    for part in ("#topic-title", ".digest", "#stage h2", "#stage p"):
        assert page.locator(part).evaluate(direction) == "rtl", part
    assert page.locator("#grades").evaluate(direction) == "ltr"  # the page around them keeps its own


@pytest.mark.whole
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
