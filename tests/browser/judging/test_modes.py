"""Practice and exam: the judging screen with its keys, outbox and layouts."""

import pytest
from playwright.sync_api import BrowserContext, expect
from pytest_django.live_server_helper import LiveServer

from assessment.models import GoldItem, GoldUse, JudgingPlan, TrainingReply
from evaluation.models import Document, Task, User
from tests.browser.axe import dark_violations, violations
from tests.browser.judging.modes import SIZES, make_desk, make_pictures, open_page
from tests.browser.judging.sight import unseen
from tests.browser.judging.surface import expect_item, expect_place, make_picture
from tests.factories import make_assessor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# What covers an element near its corners.
COVERED = """(selector) => {
    const part = document.querySelector(selector);
    const { left, top, width, height } = part.getBoundingClientRect();
    return [[0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9]]
        .map(([x, y]) => document.elementFromPoint(left + x * width, top + y * height))
        .filter((hit) => !part.contains(hit))
        .map((hit) => hit?.outerHTML.slice(0, 60));
}"""


@pytest.fixture
def trainee() -> tuple[Task, User]:
    """An assessor with two practice items and two exam items, on topics that alternate."""
    task = make_pictures(4)
    JudgingPlan.objects.create(task=task, pass_percent=50)
    uses = (GoldUse.PRACTICE, GoldUse.PRACTICE, GoldUse.EXAM, GoldUse.EXAM)
    for place, use in enumerate(uses):
        words = {"explanation": "The water lies in a hollow."} if use == GoldUse.PRACTICE else {}
        topic, docno = f"T{place % 2 + 1}", f"D{place + 1}"
        GoldItem.objects.create(task=task, topic=topic, docno=docno, grade=2, use=use, **words)
    return task, make_assessor(task.track)


@pytest.mark.both_engines
def test_practice_shows_the_grade_and_the_exam_only_its_end(
    trainee: tuple[Task, User], context: BrowserContext, live_server: LiveServer
) -> None:
    task, person = trainee
    page = open_page(context, live_server, person, "training", task)
    page.get_by_role("link", name="Start").click()
    expect(page.locator("#band")).to_contain_text("Practice")
    expect(page.locator("#hint")).to_have_text("Next 3 ready")
    page.keyboard.press("s")
    shown = page.locator("#expected")
    expect(shown).to_contain_text("Not as expected. You gave 1; expected is 2. The water lies in a hollow.")
    expect(page.locator("#announcement")).to_contain_text("expected is 2")
    expect(page.locator("#grades em:visible")).to_have_text(["yours", "expected"])
    expect_place(page, 1, 4)
    page.set_viewport_size({"width": 320, "height": 256})
    assert page.evaluate(COVERED, "#next") == []
    page.set_viewport_size({"width": 1440, "height": 900})
    page.keyboard.press("2")  # the first grade counts
    expect(page.locator("#hint")).to_contain_text("the first grade counts")
    page.locator("#next").focus()
    page.keyboard.press("Enter")
    expect_place(page, 2, 4)
    expect(shown).to_be_hidden()
    context.set_offline(True)
    page.keyboard.press("2")
    expect(shown).to_contain_text("The expected grade is shown once you are online.")
    context.set_offline(False)
    expect(shown).to_contain_text("As expected. You gave 2; expected is 2.")
    page.keyboard.press("Enter")
    expect_place(page, 3, 4)
    expect(page.locator("#band")).to_contain_text("50 % must be right")
    page.keyboard.press("2")
    expect_place(page, 4, 4)  # no answer is expected
    expect(page.locator("#grades em:visible")).to_have_count(0)
    page.keyboard.press("q")
    expect_place(page, 3, 4)
    expect(page.locator("[name=grade][value='2']")).to_have_attribute("aria-pressed", "true")
    expect(shown).to_be_hidden()
    page.keyboard.press("0")
    page.keyboard.press("l")
    expect_place(page, 4, 4)
    page.keyboard.press("0")
    page.wait_for_url("**/training/")
    expect(page.get_by_role("main")).to_contain_text("1 of 2 exam items right. You have passed.")
    assert [each.grade for each in TrainingReply.objects.order_by("item")] == [1, 2, 2, 0]


@pytest.mark.whole
@pytest.mark.both_engines
def test_modes_are_visible_and_accessible_at_every_size(
    trainee: tuple[Task, User], context: BrowserContext, live_server: LiveServer
) -> None:
    task, person = trainee
    Document.objects.filter(docno="D1").update(image=make_picture(1200, 800))
    page = open_page(context, live_server, person, "training_next", task)
    expect_item(page)
    assert unseen(page, SIZES) == {}
    page.keyboard.press("1")
    expect(page.locator("#expected")).to_contain_text("expected is 2")
    assert unseen(page, SIZES) == {}
    assert [*violations(page), *dark_violations(page)] == []
    task, organizer = make_desk()
    page = open_page(context, live_server, organizer, "adjudication_next", task)
    expect_item(page)
    assert unseen(page, SIZES) == {}
    page.keyboard.press("1")
    expect(page.locator("#record")).to_contain_text("D1 2")
    assert unseen(page, SIZES) == {}
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert [*violations(page), *dark_violations(page)] == [], (width, height)
