"""An organizer, a participant and an assessor do their work with the keyboard alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect

from assessment.models import Assignment, Judgment, Remark
from evaluation import tasks
from evaluation.models import Announcement, Phase, Pool, Run, RunState, Topic, User
from tests.browser.by_keyboard import Keyboard
from tests.browser.judging.surface import expect_item, make_surface, marks, saved
from tests.browser.sample_task import DOCNOS, TOPICS, make_sample
from tests.factories import (
    PASSWORD,
    make_assessor,
    make_document,
    make_image,
    make_organizer,
    make_run,
    make_task,
    make_team,
    make_team_member,
    make_topic,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.whole]

RUN_FILE = b"T1 Q0 D1 1 2.5 kestrel-1\nT1 Q0 D2 2 1.5 kestrel-1\n"


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page on which no script may fail and nothing may be blocked."""
    faults: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    yield page
    assert faults == []


def sign_in(page: Page, person: User) -> Keyboard:
    """From the home page, by its link."""
    keyboard = Keyboard(page)
    page.goto("/")
    keyboard.follow("^Sign in$")
    keyboard.fill("E-mail", person.email)
    keyboard.press("Tab")
    keyboard.type(PASSWORD)
    with page.expect_navigation():
        keyboard.press("Enter")
    return keyboard


def skip_to_content(keyboard: Keyboard) -> None:
    """The first stop of each page leads past its head: the next one is in the content."""
    keyboard.press("Tab")
    first = keyboard.focused()
    assert first
    assert first.name == "Skip to content"
    keyboard.press("Enter", "Tab")
    assert keyboard.page.evaluate("document.activeElement.matches('#main *')")
    keyboard.press("Shift+Tab")


@pytest.mark.both_engines
def test_participant_uploads_a_run_and_reads_its_verdict(page: Page, tmp_path: Path) -> None:
    task = make_task(name="Suggestion", phase=Phase.OPEN, topic_count=1, document_count=2)
    member = make_team_member(make_team(task.track, name="Kestrel"), name="M. Lindqvist")
    file = tmp_path / "kestrel-1.run"
    file.write_bytes(RUN_FILE)
    page.on("filechooser", lambda _: None)  # asks for the event long before the key
    keyboard = sign_in(page, member)
    page.goto("/")
    skip_to_content(keyboard)
    keyboard.follow("^Suggestion$")
    keyboard.follow("^Upload")
    skip_to_content(keyboard)
    keyboard.tab_to("^Run file")
    with page.expect_file_chooser() as chooser:
        keyboard.press("Space")
    chooser.value.set_files(file)
    keyboard.tab_to("^Run type")
    keyboard.press("ArrowDown")
    keyboard.fill("^Description", "A dense retriever over captions.")
    keyboard.follow("^Upload$")
    expect(page.get_by_role("heading", level=1)).to_contain_text("kestrel-1")
    tasks.check(Run.objects.get().pk)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Accepted")
    run = Run.objects.get()
    assert (run.state, run.type, run.description) == (
        RunState.ACCEPTED,
        "automatic",
        "A dense retriever over captions.",
    )
    keyboard.tab_to("^More$")
    keyboard.press("Enter")
    keyboard.follow("^Edit")
    keyboard.fill("^Description", "Reranked.")
    keyboard.follow("^Save")
    assert Run.objects.get().description == "Reranked."


@pytest.mark.both_engines
def test_organizer_announces_freezes_a_pool_assigns_it_and_publishes(page: Page) -> None:
    task = make_task(name="Suggestion", phase=Phase.JUDGING, topic_count=1, document_count=2)
    organizer = make_organizer(task.track, name="O. Ortega")
    make_run(task, tag="bm25", results={"T1": ["D1", "D2"]})
    assessors = [make_assessor(task.track) for _ in range(2)]
    keyboard = sign_in(page, organizer)
    page.goto(f"/tracks/{task.track.slug}/")
    skip_to_content(keyboard)
    keyboard.follow("^Announce$")
    keyboard.tab_to("^Who reads it")
    keyboard.press("ArrowDown")
    keyboard.fill("^Subject", "Judging begins")
    keyboard.fill("^Text", "The pool is *frozen* soon.")
    keyboard.follow("^Preview$")
    expect(page.get_by_role("main")).to_contain_text("frozen soon")
    keyboard.follow("^Publish|^Send|^Announce it")
    assert Announcement.objects.get().subject == "Judging begins"
    page.goto(f"/tracks/{task.track.slug}/tasks/{task.slug}/")
    keyboard.follow("^Pool$")
    skip_to_content(keyboard)
    keyboard.fill("^Name$", "main")
    keyboard.follow("^Freeze the pool$")
    tasks.run_operations()
    assert Pool.objects.get().name == "main"
    page.goto(f"/tracks/{task.track.slug}/tasks/{task.slug}/")
    keyboard.follow("^Progress$")
    keyboard.follow("^Assign topics$")
    keyboard.follow("^Assign the topics$")
    tasks.run_operations()
    assert {each.assessor for each in Assignment.objects.all()} == set(assessors)
    page.reload()
    keyboard.follow("^Steps$")
    keyboard.follow("^Guidelines")
    keyboard.fill("^Guidelines of the task", "Read the section first.")
    keyboard.follow("^Save, next")
    task.refresh_from_db()
    assert task.guidelines == "Read the section first."


@pytest.mark.both_engines
def test_assessor_judges_by_buttons_and_closes_what_opens(page: Page) -> None:
    assignment = make_surface([None] * 3)
    keyboard = sign_in(page, assignment.assessor)
    page.goto("/")
    keyboard.follow("^My topics$")
    skip_to_content(keyboard)
    keyboard.follow("^Start$")
    expect_item(page)
    keyboard.tab_to("^Comment")
    keyboard.press("Enter")
    keyboard.press("Tab")
    keyboard.type("no moraine")
    keyboard.press("Escape")
    expect(page.locator("#remark > summary")).to_be_focused()
    keyboard.tab_to("^Keys")
    keyboard.press("Enter")
    expect(page.locator("#all-keys")).to_be_visible()
    for _ in range(60):  # the focus stays in the dialog, or goes to the browser's controls
        keyboard.press("Tab")
        assert page.evaluate("document.activeElement.matches('#all-keys *, #all-keys, body')")
    keyboard.press("Escape")
    expect(page.locator("#all-keys")).to_be_hidden()
    expect(page.locator("#keys")).to_be_focused()
    for place, key in ((1, "Enter"), (2, "Space")):
        expect(page.locator("#place")).to_contain_text(f"{place} of 3")
        keyboard.tab_to("^2 [A-Z]")
        keyboard.press(key)
        expect(page.locator("#place")).to_contain_text(f"{place + 1} of 3")
        assert keyboard.focused()  # not lost with the replaced item
    keyboard.tab_to("^Undo")
    keyboard.press("Enter")
    expect(page.locator("#place")).to_contain_text("2 of 3")
    keyboard.tab_to("^0 [A-Z]")
    keyboard.press("Enter")
    expect(page.locator("#place")).to_contain_text("3 of 3")
    saved(page)
    assert marks() == [("D1", 2), ("D2", 0)]
    assert Judgment.objects.filter(undoes__isnull=False).count() == 1
    assert Remark.objects.get().comment == "no moraine"


def test_keys_step_through_topics_and_keep_the_choice(page: Page) -> None:
    sample = make_sample()
    task = sample.task
    for number in TOPICS[:3]:
        make_topic(task, number=number)
    image = make_image()
    for docno in DOCNOS:
        make_document(task.collection, docno=docno, image=image)
    sign_in(page, sample.organizer)
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
