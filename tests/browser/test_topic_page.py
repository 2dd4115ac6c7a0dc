"""The topic page in Chromium: keys step through topics, and what is chosen stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from evaluation.models import Topic
from tests.browser.sample_task import DOCNOS, TOPICS, make_sample
from tests.browser.signing_in import sign_in
from tests.factories import make_document, make_image, make_topic

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.whole]


def test_keys_step_through_topics_and_keep_the_choice(
    context: BrowserContext, live_server: LiveServer
) -> None:
    sample = make_sample()
    task = sample.task
    for number in TOPICS[:3]:
        make_topic(task, number=number)
    image = make_image()
    for docno in DOCNOS:
        make_document(task.collection, docno=docno, image=image)
    sign_in(context, sample.organizer, live_server)
    page = context.new_page()
    first = Topic.objects.get(task=task, number=TOPICS[0])
    page.goto(reverse("topic_detail", args=[task.track.slug, task.slug, first.pk]) + "?b=none")
    page.get_by_role("link", name="Not judged").click()
    expect(page.get_by_role("link", name="Not judged")).to_have_attribute("aria-current", "true")
    page.wait_for_load_state()
    page.keyboard.press("n")
    expect(page.locator("nav ol li").last).to_have_text("2 of 3")
    page.wait_for_load_state()
    assert "b=none" in page.url
    assert "show=unjudged" in page.url
    page.keyboard.press("p")
    expect(page.locator("nav ol li").last).to_have_text("1 of 3")
    page.locator("select[name=a]").focus()
    page.keyboard.press("n")  # a letter in a field is no key
    expect(page.locator("nav ol li").last).to_have_text("1 of 3")
