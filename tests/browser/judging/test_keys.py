"""Shortcuts of the judging screen: moved, with a modifier, off, and listed."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.judging.surface import expect_item, expect_place, make_surface, marks, open_place, saved

pytestmark = [pytest.mark.browser, pytest.mark.both_engines, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def page(context: BrowserContext, live_server: LiveServer) -> Page:
    """The first of four items."""
    return open_place(context, live_server, make_surface([None] * 4))


def choose(page: Page, words: str) -> None:
    """Choose how shortcuts work."""
    page.locator("#keys").click()
    page.get_by_role("radio", name=words).check()
    page.locator("#close-keys").click()
    expect(page.locator("#all-keys")).to_be_hidden()


def test_shortcuts_stay_switched_off(page: Page) -> None:
    choose(page, "Off")
    for key in ("1", "a", "x", "z", "?"):
        page.keyboard.press(key)
    page.wait_for_timeout(200)
    expect_place(page, 1, 4)
    expect(page.locator("#all-keys")).to_be_hidden()
    expect(page.locator("#grades kbd").first).to_be_hidden()
    page.reload()
    expect_item(page)
    page.keyboard.press("1")
    page.wait_for_timeout(200)
    expect_place(page, 1, 4)
    page.locator("#grades button").first.focus()
    page.keyboard.press("Enter")
    expect_place(page, 2, 4)
    choose(page, "Letters and digits")
    page.keyboard.press("1")
    expect_place(page, 3, 4)
    saved(page)
    assert marks() == [("D1", 0), ("D2", 1)]


@pytest.mark.whole
def test_shortcuts_have_a_modifier(page: Page) -> None:
    choose(page, "With Alt Alt and the key")
    expect(page.locator("#grades kbd").last).to_have_text("Alt+D")
    page.keyboard.press("2")
    page.wait_for_timeout(200)
    expect_place(page, 1, 4)
    page.keyboard.press("Alt+2")
    expect_place(page, 2, 4)
    choose(page, "With Alt and Shift")
    page.keyboard.press("Alt+a")
    page.wait_for_timeout(200)
    expect_place(page, 2, 4)
    page.keyboard.press("Alt+Shift+a")
    expect_place(page, 3, 4)
    saved(page)
    assert marks() == [("D1", 2), ("D2", 0)]


@pytest.mark.whole
def test_digits_are_moved_too(page: Page) -> None:
    page.keyboard.press("?")
    page.locator("#all-keys").get_by_role("button", name="Move the key of Relevant: 2").click()
    page.keyboard.press("9")
    expect(page.locator("#key-hint")).to_have_text("Moved: 2 and 9 have changed places.")
    page.locator("#all-keys").get_by_role("button", name="Move the key of Non-relevant: 0").click()
    page.keyboard.press("Escape")  # changes no key, and the list stays open
    expect(page.locator("#all-keys")).to_be_visible()
    page.locator("#all-keys").get_by_role("button", name="Move the key of Non-relevant: 0").click()
    page.keyboard.press("k")
    page.locator("#close-keys").click()
    expect(page.locator("#all-keys")).to_be_hidden()
    page.keyboard.press("2")
    page.wait_for_timeout(200)
    expect_place(page, 1, 4)
    page.keyboard.press("0")  # K's former shortcut
    expect(page.locator("#all-keys")).to_be_visible()
    page.locator("#close-keys").click()
    expect(page.locator("#all-keys")).to_be_hidden()
    page.keyboard.press("9")
    expect_place(page, 2, 4)
    page.keyboard.press("k")
    expect_place(page, 3, 4)
    saved(page)
    assert marks() == [("D1", 2), ("D2", 0)]


def test_question_mark_lists_every_key(page: Page) -> None:
    page.keyboard.press("?")
    listed = page.locator("#all-keys")
    expect(listed).to_be_visible()
    shown = set(page.locator("#surface kbd").evaluate_all("all => all.map((each) => each.dataset.key)"))
    named = set(listed.locator("kbd").evaluate_all("all => all.map((each) => each.dataset.key)"))
    assert shown - {"3", "4"} <= named  # the reasons' digits are beside these
    page.keyboard.press("1")  # the list is open: nothing is graded
    page.keyboard.press("Escape")
    expect(listed).to_be_hidden()
    expect_place(page, 1, 4)


@pytest.mark.whole
def test_keys_type_letters_in_text_fields(page: Page) -> None:
    page.keyboard.press("c")
    page.keyboard.type("012 asd x?")
    expect(page.locator("#comment")).to_have_value("012 asd x?")
    expect_place(page, 1, 4)
