"""Practice, exam and adjudication: the judging screen with its keys, outbox and layouts."""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from assessment.models import AssignmentKind, GoldItem, GoldUse, JudgingPlan, Judgment, Purpose, TrainingReply
from evaluation.models import Document, Phase, QrelsKind
from tests.assessment.factories import adjudicate, judge, make_assignment
from tests.browser.axe import dark_violations, violations
from tests.browser.judging.sight import UNSEEN
from tests.browser.judging.surface import fail_on_script_errors, make_picture, saved
from tests.browser.signing_in import sign_in
from tests.factories import (
    make_assessor,
    make_document,
    make_image,
    make_organizer,
    make_pool,
    make_qrels,
    make_task,
    make_topic,
)

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page
    from pytest_django.live_server_helper import LiveServer

    from evaluation.models import Task, User

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SIZES = [(1440, 900), (720, 450), (360, 640), (320, 256)]
# What covers an element near its corners.
COVERED = """(selector) => {
    const part = document.querySelector(selector);
    const { left, top, width, height } = part.getBoundingClientRect();
    return [[0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9]]
        .map(([x, y]) => document.elementFromPoint(left + x * width, top + y * height))
        .filter((hit) => !part.contains(hit))
        .map((hit) => hit?.outerHTML.slice(0, 60));
}"""

COUNT_VISITS = """navigation.addEventListener("navigate", () => {
    sessionStorage.visits = Number(sessionStorage.visits ?? 0) + 1;
});"""


def make_pictures(count: int) -> Task:
    """Topics T1 and T2, and documents D1, D2 ... each with another picture."""
    task = make_task(phase=Phase.JUDGING)
    for number in ("T1", "T2"):
        make_topic(task, number=number)
    for place in range(1, count + 1):
        make_document(task.collection, docno=f"D{place}", image=make_image())
    return task


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


def open_page(context: BrowserContext, server: LiveServer, person: User, name: str, task: Task) -> Page:
    """The page as the person sees it; a script's error fails the test."""
    sign_in(context, person, server)
    page = context.new_page()
    fail_on_script_errors(page)
    page.goto(reverse(name, args=[task.track.slug, task.slug]))
    return page


def expect_place(page: Page, place: int, total: int) -> None:
    """Wait until the item is shown."""
    expect(page.locator("#place")).to_have_text(f"{place} of {total}")


def unseen(page: Page) -> dict[tuple[int, int], object]:
    """What is wrong, by size of the window."""
    found = {}
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for _ in range(30):
            if not (wrong := page.evaluate(UNSEEN)):
                break
            page.wait_for_timeout(100)
        if wrong:
            found[width, height] = wrong
    page.set_viewport_size({"width": 1440, "height": 900})
    return found


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


def make_desk(*, is_commented: bool = True) -> tuple[Task, User]:
    """Three items on which two people disagree, the second of another topic."""
    task = make_pictures(4)
    pairs = [("T1", "D1"), ("T1", "D2"), ("T2", "D3"), ("T1", "D4")]
    pool = make_pool(task, pairs=pairs)
    people = [make_assessor(task.track, name=name) for name in ("Ann Sentinel", "Ben Sentinel")]
    for topic in ("T1", "T2"):
        for person, kind in zip(people, (AssignmentKind.OWNER, AssignmentKind.SECOND), strict=True):
            assignment = make_assignment(pool, topic=topic, assessor=person, kind=kind)
            for of, docno in pairs:
                if of == topic:
                    grade = 1 if docno == "D4" else 0 if kind == AssignmentKind.OWNER else 2
                    judge(assignment, docno, grade, comment=f"{docno} {grade}" if is_commented else "")
    return task, make_organizer(task.track)


def settled() -> list[tuple[str, int | str, str, str]]:
    """The current adjudications."""
    found = Judgment.objects.filter(purpose=Purpose.ADJUDICATION).current()
    return sorted((each.docno, each.mark, each.comment, each.mode) for each in found)


@pytest.mark.both_engines
def test_disagreements_are_settled_one_by_one_offline_too(
    context: BrowserContext, live_server: LiveServer
) -> None:
    task, organizer = make_desk()
    page = open_page(context, live_server, organizer, "disagreement_list", task)
    expect(page.get_by_role("main")).not_to_contain_text("D1 2")
    page.get_by_role("link", name="Settle them one by one").click()
    expect(page.locator("#hint")).to_have_text("Next 2 ready")
    loaded: list[str] = []
    page.on("load", lambda _: loaded.append(page.url))
    record, graded = page.locator("#record"), page.locator("#graded")
    expect(record).to_contain_text("hidden until you have graded")
    expect(record.get_by_role("group")).to_have_count(0)
    expect(graded).to_be_hidden()
    title = page.locator("#topic").get_attribute("data-topic")
    page.keyboard.press("c")
    page.keyboard.type("a ridge")
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    expect(record).to_contain_text("D1 2")
    expect(page.locator("#announcement")).to_have_text(re.compile("on record are shown"))
    expect_place(page, 1, 3)
    expect(page.locator("#surface")).not_to_contain_text("Sentinel")
    assert sorted(page.locator("#grades em:visible").all_inner_texts()) in (["A", "B"],)
    assert settled() == [("D1", 1, "a ridge", "blind")]
    page.keyboard.press("0")  # the adjudicator thinks again
    saved(page)
    assert settled() == [("D1", 0, "a ridge", "open")]
    page.keyboard.press("z")
    saved(page)
    page.locator("#next").focus()
    page.keyboard.press("Enter")
    expect_place(page, 2, 3)
    expect(record).to_contain_text("hidden until you have graded")
    page.keyboard.press("l")
    expect_place(page, 3, 3)
    assert page.locator("#topic").get_attribute("data-topic") != title
    context.set_offline(True)
    page.keyboard.press("0")
    expect(graded).to_contain_text("shown once you are online")
    page.keyboard.press("z")
    expect_place(page, 3, 3)
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect_place(page, 2, 3)
    context.set_offline(False)
    saved(page)
    page.keyboard.press("l")
    expect_place(page, 2, 3)
    page.keyboard.press("1")
    expect(record).to_contain_text("D2 2")
    assert loaded == []
    page.keyboard.press("Enter")
    page.wait_for_url("**/disagreements/")
    expect(page.get_by_role("main")).to_contain_text("0 of them not settled")
    expect(page.get_by_role("main")).to_contain_text("blind")
    assert [each[:2] for each in settled()] == [("D1", 1), ("D2", 1), ("D3", 2)]
    for docno, mark, *_ in settled():
        shown = Judgment.objects.get(docno=docno, purpose=Purpose.ADJUDICATION, grade=mark, undo=None)
        assert shown.image_sha256 == Document.objects.get(docno=docno).image_id


@pytest.mark.whole
def test_grades_on_record_are_shown_on_request_and_the_mode_says_so(
    context: BrowserContext, live_server: LiveServer
) -> None:
    task, organizer = make_desk()
    page = open_page(context, live_server, organizer, "adjudication_next", task)
    expect(page.locator("#hint")).to_have_text("Next 2 ready")
    page.locator("#record").get_by_role("link", name="Show them now").click()
    expect(page.locator("#record")).to_contain_text("D1 2")
    expect(page.locator("#hint")).to_have_text("Next 2 ready")
    page.keyboard.press("1")
    expect_place(page, 2, 3)  # nothing more is to be shown
    expect(page.locator("#record")).to_contain_text("D2 2")
    saved(page)
    assert settled() == [("D1", 1, "", "open")]
    page.get_by_role("link", name="Judge blind").click()
    expect(page.locator("#record")).to_contain_text("hidden until you have graded")


@pytest.mark.whole
@pytest.mark.both_engines
def test_disagreements_with_a_judge_show_its_grade_to_organizers(
    context: BrowserContext, live_server: LiveServer
) -> None:
    task, organizer = make_desk()
    grades: dict[tuple[str, str], int | None] = {("T1", "D4"): 2, ("T1", "D1"): None}
    make_qrels(task, name="clipscore", kind=QrelsKind.MODEL, grades=grades, pool=task.pools.get())
    page = open_page(context, live_server, organizer, "disagreement_list", task)
    expect(page.locator("tbody tr")).to_have_count(3)
    page.get_by_role("link", name="People with clipscore").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator("tbody")).not_to_contain_text("clipscore: 2")
    page.get_by_role("link", name="Show them").click()
    expect(page.locator("tbody")).to_contain_text("clipscore: 2")
    page.get_by_role("link", name="Hide them").click()
    page.get_by_role("link", name="Settle them one by one").click()
    expect(page.locator("#record")).to_contain_text("hidden until you have graded")
    expect(page.locator("#hint")).to_have_text("Last item")
    page.evaluate(COUNT_VISITS)
    page.keyboard.press("2")
    expect(page.locator("#record")).to_contain_text("Judge clipscore: 2")
    page.keyboard.press("Enter")
    page.wait_for_url("**/disagreements/?judge=*")
    assert page.evaluate("sessionStorage.visits") == "1"
    assert settled() == [("D4", 2, "", "blind")]


@pytest.mark.whole
@pytest.mark.both_engines
def test_modes_are_visible_and_accessible_at_every_size(
    trainee: tuple[Task, User], context: BrowserContext, live_server: LiveServer
) -> None:
    task, person = trainee
    Document.objects.filter(docno="D1").update(image=make_picture(1200, 800))
    page = open_page(context, live_server, person, "training_next", task)
    expect(page.locator("#hint")).not_to_be_empty()
    assert unseen(page) == {}
    page.keyboard.press("1")
    expect(page.locator("#expected")).to_contain_text("expected is 2")
    assert unseen(page) == {}
    assert [*violations(page), *dark_violations(page)] == []
    task, organizer = make_desk()
    page = open_page(context, live_server, organizer, "adjudication_next", task)
    expect(page.locator("#hint")).not_to_be_empty()
    assert unseen(page) == {}
    page.keyboard.press("1")
    expect(page.locator("#record")).to_contain_text("D1 2")
    assert unseen(page) == {}
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert [*violations(page), *dark_violations(page)] == [], (width, height)


@pytest.mark.parametrize("is_commented", [True, False])
def test_grades_on_record_take_space_on_the_smallest_screen_only_if_they_have_comments(
    context: BrowserContext, live_server: LiveServer, is_commented: bool
) -> None:
    task, organizer = make_desk(is_commented=is_commented)
    page = open_page(context, live_server, organizer, "disagreement_list", task)
    page.goto(f"{page.url}next?grades=shown")
    expect(page.locator("#hint")).not_to_be_empty()
    page.set_viewport_size({"width": 320, "height": 256})
    expect(page.locator("#record")).to_be_visible(visible=is_commented)
    box = page.locator("#stage").bounding_box()
    assert box
    assert box["height"] >= (60 if is_commented else 80)


def test_adjudication_is_stored_once() -> None:
    task, organizer = make_desk()
    number = uuid.uuid4()
    first, again = (adjudicate(task, "D1", 1, by=organizer, client_uuid=number) for _ in range(2))
    assert first == again
    assert len(settled()) == 1
