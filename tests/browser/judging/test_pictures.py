"""Pictures on the judging screen that cannot be shown."""

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from assessment.models import Assignment
from evaluation.models import Image
from tests.browser.axe import dark_violations, violations
from tests.browser.judging.surface import (
    expect_item,
    fail_on_script_errors,
    make_picture,
    make_surface,
    marks,
    open_place,
    saved,
)
from tests.browser.signing_in import sign_in
from tests.factories import make_image, make_organizer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BROKEN = ("missing", "undecodable")


def break_picture(image: Image, how: str) -> None:
    """Delete the blob of the displayed picture, or replace its bytes."""
    path = image.display.path
    default_storage.delete(path)
    if how == "undecodable":
        default_storage.save(path, ContentFile(b"RIFF\x10\0\0\0WEBPVP8 no picture"))


@pytest.fixture(params=BROKEN)
def assignment(request: pytest.FixtureRequest) -> Assignment:
    """Four items; the picture of the second cannot be shown."""
    broken = make_image()
    break_picture(broken, request.param)
    return make_surface([None, broken, None, None])


def expect_panel_at_two(page: Page) -> None:
    """Wait for the second item, with the panel instead of its picture."""
    expect(page.locator("#place")).to_contain_text("2 of 4")
    panel = page.get_by_role("region", name="The picture cannot be shown")
    expect(panel).to_be_visible()
    expect(panel.get_by_label("Image does not show or is cut off")).to_be_checked()
    expect(page.locator("#stage img")).to_be_hidden()
    expect(page.locator("#grades button").first).to_be_disabled()


@pytest.mark.whole
@pytest.mark.both_engines
def test_broken_picture_is_an_item_like_others(
    assignment: Assignment, context: BrowserContext, live_server: LiveServer
) -> None:
    page = open_place(context, live_server, assignment)
    page.keyboard.press("1")
    expect_panel_at_two(page)
    page.keyboard.press("1")  # a picture that is not shown cannot be graded
    page.keyboard.press("q")
    expect(page.locator("#place")).to_contain_text("1 of 4")
    expect(page.locator("#grades button").first).to_be_enabled()
    page.keyboard.press("1")
    expect_panel_at_two(page)
    page.reload()
    expect_panel_at_two(page)
    assert violations(page) == []
    assert dark_violations(page) == []
    page.keyboard.press("x")
    expect(page.locator("#place")).to_contain_text("3 of 4")
    page.keyboard.press("2")
    expect(page.locator("#place")).to_contain_text("4 of 4")
    saved(page)
    assert marks() == [("D1", 1), ("D2", "image"), ("D3", 2)]


@pytest.mark.whole
def test_another_reason_is_chosen_beside_a_broken_picture(
    assignment: Assignment, context: BrowserContext, live_server: LiveServer
) -> None:
    page = open_place(context, live_server, assignment, 2)
    expect_panel_at_two(page)
    page.get_by_label("Image does not show or is cut off").focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_label("Topic cannot be understood")).to_be_checked()
    page.get_by_role("button", name="Save and continue").click()
    expect(page.locator("#place")).to_contain_text("3 of 4")
    saved(page)
    assert marks() == [("D2", "topic")]


@pytest.mark.whole
def test_repaired_picture_is_shown_after_a_retry(context: BrowserContext, live_server: LiveServer) -> None:
    image = make_image()
    content = image.display.read()
    break_picture(image, "undecodable")
    assignment = make_surface([None, image, None, None])
    page = open_place(context, live_server, assignment)
    page.keyboard.press("1")
    expect_panel_at_two(page)
    default_storage.delete(image.display.path)
    default_storage.save(image.display.path, ContentFile(content))
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#stage img")).to_be_visible()
    expect(page.locator(".broken")).to_have_count(0)
    page.keyboard.press("0")
    saved(page)
    assert marks() == [("D1", 1), ("D2", 0)]


def test_nothing_is_graded_before_its_picture_is_there_and_large_enough(
    context: BrowserContext, live_server: LiveServer
) -> None:
    held: list[Route] = []
    context.route("**/images/**", lambda route: held.append(route))
    assignment = make_surface([make_picture(1200, 800), None])
    sign_in(context, assignment.assessor, live_server)
    page = context.new_page()
    fail_on_script_errors(page)
    page.goto(reverse("judging_item", args=[assignment.pk, 1]), wait_until="commit")
    hint = page.locator("#hint")
    expect(page.locator("#keys")).to_be_visible()
    expect(page.locator("#grades")).to_be_enabled()
    page.keyboard.press("1")
    expect(hint).to_have_text("The picture of item 1 has not loaded yet.")
    for route in held:
        route.continue_()
    context.unroute("**/images/**")
    expect_item(page)
    picture = page.locator("#stage img").first
    picture.evaluate("each => each.style.setProperty('max-height', '39px', 'important')")
    page.keyboard.press("1")
    expect(hint).to_have_text("The picture of item 1 is too small to see. Make room for it first.")
    assert marks() == []
    picture.evaluate("each => each.style.removeProperty('max-height')")
    page.keyboard.press("1")
    saved(page)
    assert marks() == [("D1", 1)]


@pytest.mark.both_engines
@pytest.mark.whole
def test_picture_that_waits_for_the_connection_is_not_called_broken(
    context: BrowserContext, live_server: LiveServer
) -> None:
    assignment = make_surface([None] * 4)
    page = open_place(context, live_server, assignment, 4)
    context.set_offline(True)
    page.keyboard.press("q")
    page.wait_for_timeout(300)
    expect(page.locator(".broken")).to_have_count(0)
    context.set_offline(False)
    expect(page.locator("#place")).to_contain_text("3 of 4")
    expect(page.locator("#stage img")).to_be_visible()


@pytest.mark.whole
def test_organizers_see_pictures_that_do_not_show(
    assignment: Assignment, context: BrowserContext, live_server: LiveServer
) -> None:
    page = open_place(context, live_server, assignment, 2)
    expect_panel_at_two(page)
    page.keyboard.press("x")
    saved(page)
    task = assignment.pool.task
    sign_in(context, make_organizer(task.track), live_server)
    page.goto(reverse("judging_progress", args=[task.track.slug, task.slug]))
    page.get_by_role("link", name="Assessors report a picture that does not show").click()
    expect(page.get_by_role("main")).to_contain_text("D2")
    expect(page.get_by_role("main")).to_contain_text("Image does not show or is cut off")
