"""Judgments with two tabs, a lost session, or a refusal by the server."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from assessment.assigning.actions import pause_assignment
from assessment.models import Assignment, Judgment
from evaluation.models import Criteria, Document, Phase, Task
from evaluation.tracks.actions import save_criteria
from tests.browser.judging.judged_item import CLEAR, keep, outbox_of, ready
from tests.browser.judging.judged_item import assignment as assignment
from tests.browser.judging.judged_item import open_item as open_item
from tests.browser.judging.surface import expect_place, marks, saved
from tests.browser.signing_in import sign_in
from tests.factories import dates_of

Opener = Callable[..., Page]

pytestmark = [pytest.mark.browser, pytest.mark.both_engines, pytest.mark.django_db(transaction=True)]


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


@pytest.mark.whole
def test_grade_in_one_tab_keeps_the_comment_and_flag_of_another(
    assignment: Assignment, open_item: Opener
) -> None:
    one, other = ready(open_item(assignment)), ready(open_item(assignment))
    one.keyboard.press("c")
    one.keyboard.type("a moraine")
    one.keyboard.press("Escape")
    one.keyboard.press("v")
    one.keyboard.press("1")
    saved(one)
    expect(other.locator("#comment")).to_have_value("a moraine")
    expect(other.locator("#flag")).to_be_checked()
    expect(other.locator("#progress")).to_have_js_property("value", 1)
    expect(other.locator("[name=grade][value='1']")).to_have_attribute("aria-pressed", "true")
    other.keyboard.press("2")
    expect_place(other, 2)
    saved(other)
    one.keyboard.press("q")
    expect(one.locator("[name=grade][value='2']")).to_have_attribute("aria-pressed", "true")
    (judgment,) = Judgment.objects.current()
    assert (judgment.grade, judgment.comment, judgment.is_flagged) == (2, "a moraine", True)


@pytest.mark.whole
def test_page_with_older_criteria_asks_to_load_it_again(assignment: Assignment, open_item: Opener) -> None:
    page = ready(open_item(assignment))
    page.keyboard.press("1")
    saved(page)
    changed = page.locator("#changed")
    expect(changed).to_be_hidden()
    former = Criteria.objects.get()
    save_criteria(task=former.task, grades=former.grades, instructions="Look at the water.", level=1)
    page.keyboard.press("1")
    expect(changed).to_contain_text("The organizers have changed the criteria.")
    changed.get_by_role("link").click()
    expect(page.locator("#instructions")).to_contain_text("Look at the water.")
    expect_place(ready(page, 2), 3)
    page.keyboard.press("1")
    saved(page)
    expect(page.locator("#progress")).to_have_js_property("value", 3)
    expect(page.locator("#changed")).to_be_hidden()
    assert [each.criteria.version for each in Judgment.objects.all()] == [1, 1, 2]


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
    keep(page, assignment, graded(987_654, 3, 2))  # an assignment that does not exist, or was deleted
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
    for name in ("value", "max"):  # of own items
        expect(page.locator("#progress")).to_have_js_property(name, 4)
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
