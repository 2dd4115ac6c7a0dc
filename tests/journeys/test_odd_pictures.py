"""Two tasks of odd pictures with grades 0 to 3, by clicks only, on a machine that four busy loops fill."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from evaluation.models import Document, Task
from tests.browser.judging.surface import expect_item, saved
from tests.busy_loops import KILLED, busy_loops
from tests.factories import make_staff
from tests.journeys import odd_pictures
from tests.journeys import test_main_job as main_job
from tests.journeys import test_setting_up as setting_up
from tests.journeys import test_whole_track as whole_track
from tests.journeys.patience import WORKERS_PATIENCE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.whole]

SOON = timedelta(seconds=30)  # from the form to the end of the phase, beside busy loops
DOCNOS = list(odd_pictures.KINDS)
TOPICS = ("T1", "T2")
# Each document has another grade in each topic and task; each grade from 0 to 3 is given.
GRADES = {
    name: {
        topic: {docno: (place + t + 2 * n) % 4 for place, docno in enumerate(DOCNOS)}
        for t, topic in enumerate(TOPICS)
    }
    for n, name in enumerate(("Image suggestion", "Picture search"))
}


@pytest.fixture
def busy_machine() -> Iterator[None]:
    with busy_loops():
        yield


@pytest.mark.xdist_group("busy-loops")  # one after the other
@pytest.mark.timeout(1200)
def test_two_tasks_of_odd_pictures_from_an_empty_site_to_their_releases(
    busy_machine: None, workers: Path, open_browser: Callable[[], Page], tmp_path: Path
) -> None:
    organizer, team, assessor, reader = (open_browser() for _ in range(4))
    for page in (organizer, team, assessor, reader):
        page.set_default_timeout(WORKERS_PATIENCE)
    walled, single = tasks = set_up(organizer, tmp_path)
    setting_up.accept(assessor, workers, "assessor@example.org", "Attentive Reader")
    setting_up.accept(team, workers, "owner-kestrel@example.org", "R. Okafor")
    for task in tasks:
        upload_runs(team, task)
        whole_track.close(organizer, task, SOON)
        freeze_pool(organizer, task)
        main_job.assign_topics(organizer, task)
    grade_on_walls(assessor, walled)
    grade_one_by_one(assessor, single)
    for task in tasks:
        publish_grades(organizer, task)
        whole_track.release(organizer, task)
        assert released_grades(reader, task) == GRADES[task.name]
    assert not KILLED.search(workers.read_text(errors="replace"))


def set_up(page: Page, folder: Path) -> tuple[Task, Task]:
    """Two open tasks of a track with one collection: one judged on walls, the other one by one."""
    walled, single = GRADES
    setting_up.sign_in(page, make_staff())
    begin(page, walled)
    setting_up.set_dates(page)
    upload_pictures(page, folder)
    upload_topics(page, folder)
    choose_scale(page)
    setting_up.write_guidelines(page)
    setting_up.step(page, "Plan")
    page.get_by_label("Assessors see the items").select_option("wall")
    page.get_by_role("button", name="Save", exact=True).click()
    setting_up.step(page, "Assessors and organizers")
    page.get_by_label("E-mail addresses").fill("assessor@example.org")
    page.get_by_role("button", name="Send the invitations").click()
    expect(page.get_by_role("status")).to_contain_text("assessor@example.org")
    setting_up.make_teams(page)
    setting_up.open_task(page)
    add_task(page, single, like=walled)
    upload_topics(page, folder)
    setting_up.open_task(page)
    first, second = (Task.objects.get(name=name) for name in GRADES)
    return first, second


def begin(page: Page, name: str) -> None:
    page.get_by_role("link", name="Make the first one").click()
    page.get_by_label("Name of the track").fill("AToMiC")
    page.get_by_label("Name of the task").fill(name)
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Dates")


def add_task(page: Page, name: str, *, like: str) -> None:
    """A task with the settings of another one and with its collection, judged one by one."""
    page.goto("/")
    page.get_by_role("link", name="AToMiC", exact=True).first.click()
    page.get_by_role("link", name="New task").click()
    page.get_by_label("Name of the task").fill(name)
    page.get_by_label("Copy the settings of").select_option(label=f"AToMiC: {like}")
    page.get_by_role("button", name="Begin").click()
    setting_up.set_dates(page)
    chosen = str(Task.objects.get(name=like).collection)
    page.get_by_label("Collection", exact=True).select_option(label=chosen)
    page.get_by_role("button", name="Save the choice").click()
    expect(page.get_by_role("heading", name=f": {len(DOCNOS)}")).to_be_visible()
    setting_up.step(page, "Plan")
    page.get_by_label("Assessors see the items").select_option("single")
    page.get_by_role("button", name="Save", exact=True).click()


def upload_pictures(page: Page, folder: Path) -> None:
    """The first file has a GIF, which the page names; the second has it as PNG."""
    page.get_by_label("File").set_input_files(odd_pictures.write_odd_pictures(folder / "pictures.zip"))
    page.get_by_role("button", name="Upload documents").click()
    confirm = page.get_by_role("button", name="Add them")
    expect(confirm).to_be_visible(timeout=WORKERS_PATIENCE)
    expect(page.get_by_role("main")).to_contain_text("pictures/palette.gif")
    confirm.click()
    expect(page.get_by_text("confirmed by").first).to_be_visible(timeout=WORKERS_PATIENCE)
    page.get_by_role("link", name="Set up: Collection").click()
    expect(page.get_by_text("Cannot be judged, such as: palette")).to_be_visible()
    setting_up.upload(
        page, "Collection", "Upload documents", odd_pictures.write_converted(folder / "more.zip")
    )
    found = Document.objects.values_list("docno", "image__width", "image__height")
    assert sorted(found) == sorted((docno, *odd_pictures.upright(docno)) for docno in DOCNOS)


def upload_topics(page: Page, folder: Path) -> None:
    topics = setting_up.write_topics(folder / "topics.jsonl", len(TOPICS))
    setting_up.upload(page, "Topics", "Upload topics", topics)


def choose_scale(page: Page) -> None:
    setting_up.step(page, "Criteria")
    page.get_by_role("link", name="TREC, 0 to 3").click()
    page.get_by_role("button", name="Save, next: Guidelines").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Guidelines")


def upload_runs(page: Page, task: Task) -> None:
    """Two runs that rank all documents, each in its own order."""
    main_job.open_task(page, task)
    page.get_by_role("link", name="Upload a run").first.click()
    for tag, docnos in (("kestrel-up", DOCNOS), ("kestrel-down", DOCNOS[::-1])):
        lines = (
            f"{topic} Q0 {docno} {rank} {-rank} {tag}\n"
            for topic in TOPICS
            for rank, docno in enumerate(docnos, start=1)
        )
        main_job.upload(page, f"{tag}.run", "".join(lines).encode())
        expect(page.get_by_role("heading", level=1)).to_have_text(f"Accepted: {tag}")
        page.get_by_role("link", name="Upload another run").click()


def freeze_pool(page: Page, task: Task) -> None:
    """Press the row of the table whose depth takes all documents."""
    main_job.open_task(page, task)
    page.get_by_role("link", name="Pool", exact=True).click()
    # A click would meet the link's hidden words, which come first.
    page.get_by_role("link", name="Pool every run to depth").last.press("Enter")
    page.wait_for_url("**?depth=*")
    page.get_by_label("Name").fill("main")
    page.get_by_role("button", name="Freeze the pool").click()
    items = len(DOCNOS) * len(TOPICS)
    expect(page.get_by_role("status")).to_contain_text(
        f"Pool main is frozen: {items} items.", timeout=WORKERS_PATIENCE
    )


def start(page: Page, task: Task, topic: str) -> None:
    page.goto("/judging/")
    section = page.get_by_role("region", name=f": {task.name}", exact=False)
    section.get_by_role("row", name=topic).get_by_role("link", name="Start").click()


def docno_of(picture: Locator) -> str:
    """The docno of the document with the picture, whose address holds its hash."""
    return Document.objects.get(image=(picture.get_attribute("src") or "").split("/")[2]).docno


def grade_on_walls(page: Page, task: Task) -> None:
    """Grade each topic on its wall. What is too small to see there is opened first."""
    for topic in TOPICS:
        start(page, task, topic)
        on_wall = [grade_cell(page, GRADES[task.name][topic]) for _ in DOCNOS]
        saved(page)
        opened = {cell.docno for cell in on_wall if cell.is_opened}
        assert opened <= odd_pictures.MUST_BE_OPENED
        assert opened >= odd_pictures.MUST_BE_OPENED - {cell.docno for cell in on_wall if cell.is_alone}


@dataclass(frozen=True)
class Graded:
    """An item that was graded: shown alone, large, or in a cell; opened because it was too small to see."""

    docno: str
    is_alone: bool
    is_opened: bool


def grade_cell(page: Page, grades: Mapping[str, int]) -> Graded:
    """Grade the item at the cursor once its picture is decoded; open it first where that is needed."""
    cell = page.locator(".cell[aria-current=true]")
    shown = page.locator(".cell[aria-current=true]:is(:not(.unseen), :has(i:text('open it')))")
    expect(shown).to_be_focused()
    docno, place = docno_of(cell.locator("img")), cell.get_attribute("data-place")
    is_alone = page.locator(".alone").filter(has=cell).count() == 1
    is_unseen = page.locator(".cell.unseen[aria-current=true]").count() == 1
    if is_unseen:
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/items/{place}/#wall")
        expect_item(page)
    page.keyboard.press(str(grades[docno]))
    mark = page.locator(f".cell[data-place='{place}'] .mark")
    expect(mark).to_have_attribute("data-mark", str(grades[docno]))
    return Graded(docno, is_alone, is_unseen)


def grade_one_by_one(page: Page, task: Task) -> None:
    for topic in TOPICS:
        start(page, task, topic)
        for place in range(1, len(DOCNOS) + 1):
            expect(page.locator("#place")).to_have_text(f"{place} of {len(DOCNOS)}")
            expect_item(page)
            page.keyboard.press(str(GRADES[task.name][topic][docno_of(page.locator("#stage img").first)]))
        expect(page.get_by_role("main")).to_contain_text(f"All {len(DOCNOS)} items are judged.")


def publish_grades(page: Page, task: Task) -> None:
    main_job.open_judging(page, task)
    page.get_by_role("button", name="Publish people's qrels").click()
    words = f"{len(DOCNOS) * len(TOPICS)} graded"
    expect(page.get_by_role("status")).to_contain_text(words, timeout=WORKERS_PATIENCE)


def released_grades(page: Page, task: Task) -> dict[str, dict[str, int]]:
    """The file of qrels that somebody without an account downloads."""
    main_job.open_task(page, task)
    page.get_by_role("link", name="Test collection").first.click()
    with page.expect_download() as download:
        page.get_by_role("link", name="people").first.click()
    found: dict[str, dict[str, int]] = {topic: {} for topic in TOPICS}
    for line in download.value.path().read_text().splitlines():
        topic, _, docno, grade = line.split()
        found[topic][docno] = int(grade)
    return found
