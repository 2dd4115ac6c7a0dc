"""The judging screen: its keys, questions, texts, and judging without scripts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from assessment.models import Assignment, ExtraQuestion, Judgment, Remark
from evaluation.models import Document, TaskKind, Topic
from tests.assessment.factories import make_assignment, make_judging_pool
from tests.browser.judging.judged_item import assignment as assignment
from tests.browser.judging.judged_item import double_click, press, ready
from tests.browser.judging.judged_item import open_item as open_item
from tests.browser.judging.surface import expect_place, marks, saved

Opener = Callable[..., Page]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.both_engines
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
@pytest.mark.both_engines
def test_own_judgments_are_shown_changed_flagged_and_undone(
    assignment: Assignment, open_item: Opener
) -> None:
    page = ready(open_item(assignment))
    double_click(page.locator("[name=grade][value='1']"))
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


@pytest.mark.whole
@pytest.mark.both_engines
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
@pytest.mark.both_engines
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


@pytest.mark.both_engines
def test_arrow_keys_scroll_long_texts(open_item: Opener) -> None:
    assignment = make_assignment(make_judging_pool(kind=TaskKind.IMAGE_TO_TEXT))
    long = "Water lies in a hollow. " * 1_000
    Topic.objects.filter(number="T1").update(fields=[["page_title", "Lakes"], ["text", long]])
    Document.objects.update(fields=[["title", "Lakes"], ["text", long]])
    page = ready(open_item(assignment), 2)
    page.keyboard.press("f")
    # The text lies on its white page to the end.
    assert page.locator("#stage .text").evaluate("each => each.scrollHeight <= each.offsetHeight")
    for region, text in (("#stage", "#stage .text"), ("#topic .body", "#topic .body > :first-child")):
        top = f"document.querySelector('{text}').getBoundingClientRect().top"
        before = page.evaluate(top)
        page.locator(region).focus()
        page.keyboard.press("ArrowDown")
        page.wait_for_function(f"() => {top} < {before}")


@pytest.mark.whole
@pytest.mark.both_engines
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
    assignment: Assignment, browser: Browser, live_server: LiveServer, open_item: Opener
) -> None:
    with browser.new_context(base_url=live_server.url, java_script_enabled=False) as context:
        page = open_item(assignment, context=context)
        page.locator("[name=grade][value='2']").click()
        expect(page.locator("#place")).to_have_text("2 of 5")
        page.locator("#cannot summary").click()
        page.locator("[name=reason][value=upset]").click()
        expect(page.locator("#place")).to_have_text("3 of 5")
        page.locator("#undo-last").click()
        expect(page.locator("#place")).to_have_text("2 of 5")
        assert marks() == [("D1", 2)]
