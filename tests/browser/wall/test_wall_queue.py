"""A pool judged item by item on walls: a lease that is extended fills up the last wall."""

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, expect
from pytest_django.live_server_helper import LiveServer

from assessment.assigning.actions import open_queue
from assessment.models import JudgingPlan, Judgment, Surface
from evaluation.models import Phase
from tests.browser.judging.surface import fail_on_script_errors
from tests.browser.signing_in import sign_in
from tests.browser.wall.walls import expect_pictures
from tests.factories import make_assessor, make_document, make_image, make_pool, make_task, make_topic

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ITEMS = 60


@pytest.mark.whole
@pytest.mark.parametrize(
    "context",
    [{"service_workers": "allow"}, {"service_workers": "block"}],
    indirect=True,
    ids=["kept", "asked"],
)
def test_walls_that_grow_are_judged_to_the_last_item(
    context: BrowserContext, live_server: LiveServer
) -> None:
    task = make_task(phase=Phase.JUDGING)
    make_topic(task, number="T1")
    docnos = [f"D{number}" for number in range(ITEMS)]
    for docno in docnos:
        make_document(task.collection, docno=docno, image=make_image())
    pool = make_pool(task, pairs=[("T1", docno) for docno in docnos])
    JudgingPlan.objects.create(task=task, surface=Surface.WALL)
    person = make_assessor(task.track)
    open_queue(pool=pool, percent=0, seed=1, assessor_count=1)
    sign_in(context, person, live_server)
    page = context.new_page()
    fail_on_script_errors(page)
    page.goto(reverse("judging_list"))
    page.get_by_role("button", name="Take the next items").click()
    page.wait_for_url("**/walls/1/")
    for count in range(1, ITEMS + 1):
        expect(page.locator(".cell[aria-current=true] .mark")).to_have_attribute("data-mark", "")
        expect_pictures(page)
        page.keyboard.press("1")
        if count < ITEMS:
            expect(page.locator("#place")).to_have_text(f"{count} of {ITEMS}")
        if page.locator("#next").is_enabled():
            page.keyboard.press("n")
    page.wait_for_url(lambda url: "/walls/" not in url)
    assert (Judgment.objects.count(), len(set(Judgment.objects.values_list("docno")))) == (ITEMS, ITEMS)
