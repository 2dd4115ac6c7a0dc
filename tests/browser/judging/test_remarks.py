"""Comments and flags on the judging screen: each is stored and sent at once, with or without a grade."""

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from assessment.models import Assignment, Judgment, Remark
from tests.browser.judging.surface import make_surface, marks, open_place, saved
from tests.browser.signing_in import sign_in
from tests.evaluation.conftest import wait_for
from tests.factories import make_organizer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def assignment() -> Assignment:
    """Four items."""
    return make_surface([None] * 4)


@pytest.fixture
def page(assignment: Assignment, context: BrowserContext, live_server: LiveServer) -> Page:
    """The first item."""
    return open_place(context, live_server, assignment)


def write(page: Page, words: str) -> None:
    """Write a comment, with the focus still in its field."""
    page.evaluate("window.setTimeout = () => 0")  # a slow test is no pause, after which it would be sent
    page.keyboard.press("c")
    expect(page.locator("#comment")).to_be_focused()
    page.keyboard.type(words)


def remarks() -> list[tuple[str, str, bool]]:
    """Docno, comment and flag of the current remarks."""
    return [(each.docno, each.comment, each.is_flagged) for each in Remark.objects.current()]


@pytest.mark.both_engines
def test_comment_on_an_ungraded_item_is_saved_when_its_writer_goes_back(page: Page) -> None:
    page.keyboard.press("0")
    expect(page.locator("#place")).to_contain_text("2 of 4")
    saved(page)
    write(page, "Moraine or scree?")
    expect(page.locator("#saved")).not_to_contain_text("Saved")
    page.locator("#back").click()
    expect(page.locator("#place")).to_contain_text("1 of 4")
    expect(page.locator("#comment")).to_have_value("")
    saved(page)
    assert remarks() == [("D2", "Moraine or scree?", False)]
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    expect(page.locator("#place")).to_contain_text("2 of 4")
    expect(page.locator("#comment")).to_have_value("Moraine or scree?")
    page.keyboard.press("2")
    saved(page)
    assert Judgment.objects.get(docno="D2").comment == "Moraine or scree?"


@pytest.mark.both_engines
@pytest.mark.whole
def test_comment_and_flag_outlive_a_reload_in_mid_word(page: Page) -> None:
    page.keyboard.press("v")
    write(page, "Half a wo")
    page.reload()
    expect(page.locator("#comment")).to_have_value("Half a wo")
    expect(page.locator("#flag")).to_be_checked()
    saved(page)
    assert remarks() == [("D1", "Half a wo", True)]
    assert marks() == []


def test_comment_on_a_graded_item_is_saved_without_another_grade(page: Page) -> None:
    page.keyboard.press("2")
    page.keyboard.press("q")
    expect(page.locator("#place")).to_contain_text("1 of 4")
    page.keyboard.press("c")
    page.keyboard.type("On second thought")
    saved(page)  # after a pause
    page.keyboard.press("Escape")
    assert remarks() == [("D1", "On second thought", False)]
    assert Judgment.objects.count() == 1
    page.keyboard.press("z")  # the grade is removed, the remark on the item stays
    expect(page.locator("#comment")).to_have_value("On second thought")
    saved(page)
    page.reload()
    expect(page.locator("#comment")).to_have_value("On second thought")
    assert marks() == []


@pytest.mark.both_engines
@pytest.mark.whole
def test_remark_written_offline_is_kept_and_sent_from_another_page(
    page: Page, assignment: Assignment, context: BrowserContext
) -> None:
    context.set_offline(True)
    write(page, "No connection")
    page.keyboard.press("Escape")
    expect(page.locator("#saved")).to_contain_text("1 stored here")
    page.keyboard.press("c")
    page.keyboard.type(" at all")
    page.close()
    context.set_offline(False)
    page = context.new_page()
    page.goto(reverse("judging_list"))  # it reloads once everything is sent
    wait_for(lambda: remarks() == [("D1", "No connection at all", False)], "the remark")
    other = context.new_page()
    other.goto(reverse("judging_item", args=[assignment.pk, 1]))
    expect(other.locator("#comment")).to_have_value("No connection at all")


@pytest.mark.whole
def test_organizers_read_a_flag_on_an_item_that_is_not_judged(
    page: Page, assignment: Assignment, context: BrowserContext, live_server: LiveServer
) -> None:
    page.keyboard.press("v")
    write(page, "Is this allowed?")
    page.keyboard.press("Escape")
    saved(page)
    page.locator("#list").click()
    expect(page.get_by_role("link", name="Flagged: 1")).to_be_visible()
    task = assignment.pool.task
    sign_in(context, make_organizer(task.track), live_server)
    page.goto(reverse("disagreement_list", args=[task.track.slug, task.slug]))
    expect(page.get_by_role("main")).to_contain_text("not judged yet flagged Is this allowed?")
