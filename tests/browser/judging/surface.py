"""Helpers of the judging screen's tests."""

from collections.abc import Sequence
from io import BytesIO

import pytest
from django.urls import reverse
from PIL import Image as Picture
from playwright.sync_api import BrowserContext, Error, Page, expect
from pytest_django.live_server_helper import LiveServer

from assessment.models import Assignment, Judgment
from evaluation.models import Image, Phase
from tests.assessment.factories import make_assignment
from tests.browser.signing_in import sign_in
from tests.factories import make_blob, make_document, make_image, make_pool, make_task, make_topic
from trackside.images import derivatives


def make_surface(images: Sequence[Image | None]) -> Assignment:
    """Topic T1 with D1, D2 ... in this order; each without an image gets a new one."""
    task = make_task(phase=Phase.JUDGING)
    make_topic(task, number="T1")
    docnos = [f"D{number}" for number in range(1, len(images) + 1)]
    for docno, image in zip(docnos, images, strict=True):
        make_document(task.collection, docno=docno, image=image or make_image())
    return make_assignment(make_pool(task, pairs=[("T1", docno) for docno in docnos]))


def make_picture(width: int, height: int) -> Image:
    """A striped picture of that size, with its copies as an import makes them."""
    with BytesIO() as file:
        stripes = Picture.linear_gradient("L").resize((width, height)).convert("RGB")
        stripes.save(file, "PNG")
        content = file.getvalue()
    made = derivatives(content)
    original, display, small, thumbnail = map(make_blob, (content, made.display, made.small, made.thumbnail))
    return Image.objects.create(
        sha256=original.sha256,
        original=original,
        display=display,
        small=small,
        thumbnail=thumbnail,
        width=made.width,
        height=made.height,
    )


def open_place(
    context: BrowserContext, live_server: LiveServer, assignment: Assignment, place: int = 1
) -> Page:
    """Open an item as its assessor; a script's error fails the test."""
    sign_in(context, assignment.assessor, live_server)
    page = context.new_page()
    fail_on_script_errors(page)
    page.goto(reverse("judging_item", args=[assignment.pk, place]))
    expect_item(page)
    return page


def expect_item(page: Page) -> None:
    """Wait until the page of an item takes keys and its pictures are decoded: none is graded unseen."""
    expect(page.locator("#hint")).not_to_be_empty()
    pictures = page.locator("#stage img")
    pictures.evaluate_all("all => Promise.allSettled(all.map((each) => each.decode()))")


def fail_on_script_errors(page: Page) -> None:
    """Fail the test if a script fails."""

    def note(error: Error) -> None:
        # Firefox also reports requests that the service worker cannot answer without a connection.
        if "ServiceWorker" not in (error.stack or ""):
            print(f"script error: {error}")  # the failure itself only ends Playwright's connection
            pytest.fail(str(error))

    page.on("pageerror", note)


def saved(page: Page) -> None:
    """Wait until the screen shows that everything is saved."""
    expect(page.locator("#saved")).to_contain_text("Saved")


def marks() -> list[tuple[str, int | str]]:
    """Docno and mark of the current judgments."""
    return sorted((judgment.docno, judgment.mark) for judgment in Judgment.objects.current())


def expect_place(page: Page, place: int, total: int = 5) -> None:
    """Wait until the item is shown."""
    expect(page.locator("#place")).to_have_text(f"{place} of {total}")
