"""A pool judged item by item in Chromium: leases follow each other without a pause, and counts are true."""

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, expect
from pytest_django.live_server_helper import LiveServer

from assessment.assigning.actions import open_queue
from assessment.models import Judgment, Slot
from evaluation.models import Phase
from tests.browser.judging.surface import expect_item, saved
from tests.browser.signing_in import sign_in
from tests.factories import (
    make_assessor,
    make_document,
    make_image,
    make_organizer,
    make_pool,
    make_task,
    make_topic,
)

pytestmark = [pytest.mark.browser, pytest.mark.both_engines, pytest.mark.django_db(transaction=True)]

ITEMS = 46  # of the first topic; the second has 3


@pytest.mark.whole
def test_queue_continues_across_leases_and_counts_what_is_left(
    context: BrowserContext, live_server: LiveServer
) -> None:
    task = make_task(phase=Phase.JUDGING)
    for number in ("T1", "T2"):
        make_topic(task, number=number)
    docnos = [f"D{number}" for number in range(ITEMS)]
    for docno in docnos:
        make_document(task.collection, docno=docno, image=make_image())
    pairs = [("T1", docno) for docno in docnos] + [("T2", docno) for docno in docnos[:3]]
    pool = make_pool(task, pairs=pairs)
    person, _ = make_assessor(task.track), make_assessor(task.track)
    open_queue(pool=pool, percent=0, seed=1, assessor_count=2)
    sign_in(context, person, live_server)
    page = context.new_page()
    page.goto(reverse("judging_list"))
    expect(page.get_by_role("main")).to_contain_text("0 of 49 items judged.")
    page.get_by_role("button", name="Take the next items").click()
    expect_item(page)
    total = int(page.locator("#place").inner_text().split()[-1])
    assert total in (ITEMS, 3)
    loaded = []
    page.on("load", lambda _: loaded.append(page.url))
    for step in range(1, total):
        page.keyboard.press("1")
        expect(page.locator("#place")).to_have_text(f"{step + 1} of {total}")
    assert loaded == []
    page.keyboard.press("1")
    page.wait_for_url(lambda url: "/items/" in url)
    expect(page.locator("#place")).to_have_text(f"1 of {ITEMS + 3 - total}")
    saved_count = Judgment.objects.count()
    assert saved_count == total
    expect_item(page)  # the script handles keys
    page.keyboard.press("2")
    saved(page)
    sign_in(context, make_organizer(task.track), live_server)
    page.goto(reverse("judging_progress", args=[task.track.slug, task.slug]))
    left = ITEMS + 3 - total - 1
    leased = Slot.objects.leased().count()
    words = f"{total + 1} of 49 judgments given, {left} left, {leased} of them now with an assessor."
    expect(page.get_by_role("main")).to_contain_text(words)
