"""From run files to the report through the web: real pages, real workers, a real model, real keys."""

import re
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from evaluation.models import Document, Phase, Task, User
from tests.factories import PASSWORD, dates_of, make_organizer, make_team_member
from tests.journeys import second_opinion
from tests.journeys.patience import WORKERS_PATIENCE
from tests.journeys.second_opinion import Grades
from tests.journeys.small_track import (
    FAMILY,
    GRADES,
    IN_FAMILY,
    POOL_DEPTH,
    RESULTS,
    make_clip_judge,
    make_small_task,
    run_file,
)
from tests.judges.tiny_clip import save_tiny_clip

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.whole]


def test_runs_become_a_report(workers: Path, open_browser: Callable[[], Page], tmp_path: Path) -> None:
    folder = save_tiny_clip(tmp_path / "clip")
    task, team = make_small_task()
    judge = make_clip_judge(folder)
    organizer, participant, assessor = open_browser(), open_browser(), open_browser()

    sign_in(participant, make_team_member(team))
    upload_runs(participant, task)
    sign_in(organizer, make_organizer(task.track))
    name_families(organizer, task)
    invite(organizer, assessor, task, workers)
    enter(task, Phase.JUDGING)
    freeze_pool(organizer, task)
    assign_topics(organizer, task)
    grade(assessor)
    publish_grades(organizer, task)
    score_and_publish(organizer, task)

    model = second_opinion.clip_grades(folder)
    shares = Counter(each for graded in model.values() for each in graded.values())
    assert shares == {0: 7, 1: 3, 2: 4}  # grades differ, so that a wrong number would show
    open_report(organizer, task, judge)
    for measure in ("nDCG@10", "AP"):
        organizer.get_by_text("Change measure, family, runs or topics").click()
        organizer.get_by_role("combobox", name="Measure").select_option(measure)
        organizer.get_by_role("button", name="Show").first.click()
        organizer.wait_for_url(lambda url: urlencode({"measure": measure}) in url)  # noqa: B023 - called at once
        organizer.get_by_text("Downloads", exact=True).click()
        organizer.get_by_role("link", name="one page, to print").click()
        organizer.wait_for_url(lambda url: "/report/whole/" in url)
        assert paper_row(organizer, judge, measure) == expected_paper_row(model, measure)
        assert paper_deltas(organizer, judge, measure) == expected_deltas(model, measure)
        assert run_rows(organizer, judge) == expected_run_rows(model, measure)
        organizer.go_back()


def sign_in(page: Page, person: User) -> None:
    page.goto("/")
    page.get_by_role("link", name="Sign in").click()
    page.get_by_label("E-mail").fill(person.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("link", name=str(person))).to_be_visible()


def enter(task: Task, phase: Phase) -> None:
    """Set the task's dates so that it is in the phase."""
    Task.objects.filter(pk=task.pk).update(**dates_of(phase))


def open_task(page: Page, task: Task) -> None:
    page.goto("/")
    page.get_by_role("link", name=task.name).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(task.name)


def upload_runs(page: Page, task: Task) -> None:
    """The three runs; the first file has a document that the collection lacks."""
    open_task(page, task)
    page.get_by_role("link", name="Upload a run").first.click()
    upload(page, "first-try.run", run_file("kestrel-clip").replace(b" D1 ", b" D7 "))
    expect(page.get_by_role("heading", level=1)).to_have_text("Rejected: 1 kind of fault to fix")
    page.get_by_role("link", name="Upload the fixed file").click()
    for tag in RESULTS:
        upload(page, f"{tag}.run", run_file(tag))
        expect(page.get_by_role("heading", level=1)).to_have_text(f"Accepted: {tag}")
        page.get_by_role("link", name="Upload another run").click()


def upload(page: Page, name: str, content: bytes) -> None:
    """Send the form; the page then polls for the verdict."""
    page.get_by_label("Run file").set_input_files({"name": name, "mimeType": "text/plain", "buffer": content})
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_role("heading", level=2, name="Your file at a glance")).to_be_visible(
        timeout=WORKERS_PATIENCE
    )


def name_families(page: Page, task: Task) -> None:
    open_task(page, task)
    page.get_by_role("link", name="Runs", exact=True).first.click()
    page.get_by_role("link", name="Families and pooling").click()
    for tag in IN_FAMILY:
        page.get_by_role("row", name=tag).get_by_label(FAMILY).check()
    page.get_by_role("button", name="Save all").click()
    expect(page.get_by_role("status")).to_be_visible()


def invite(organizer: Page, assessor: Page, task: Task, log: Path) -> None:
    organizer.goto("/")
    organizer.get_by_role("link", name=task.track.name, exact=True).click()
    organizer.get_by_role("link", name="Invite people").first.click()
    organizer.get_by_label("E-mail").fill("reader@example.org")
    organizer.get_by_role("button", name="Send the invitations").click()
    expect(organizer.get_by_role("status")).to_contain_text("on its way to reader@example.org")
    assessor.goto(link_of_mail(log))
    assessor.get_by_label("Name").fill("Attentive Reader")
    assessor.get_by_label("Password").fill(PASSWORD)
    assessor.get_by_role("button", name="Make the account").click()
    expect(assessor.get_by_role("link", name="Attentive Reader")).to_be_visible()


def link_of_mail(log: Path) -> str:
    """The path of the invitation, from the mail that a worker prints; no page shows it."""
    deadline = time.monotonic() + WORKERS_PATIENCE / 1000
    while not (link := re.search(r"/invitations/\S+", log.read_text(errors="replace"))):
        assert time.monotonic() < deadline, "no invitation was mailed"
        time.sleep(0.1)
    return link[0]


def fill_number(page: Page, label: str, number: int) -> None:
    """Type over the number in a field: Playwright's ``fill`` leaves the old one there in Firefox."""
    field = page.get_by_label(label)
    field.click()  # a field that nobody sees would leave the keys to another one
    field.press("ControlOrMeta+a")
    field.press_sequentially(str(number))


def freeze_pool(page: Page, task: Task) -> None:
    open_task(page, task)
    page.get_by_role("link", name="Pool", exact=True).click()
    page.get_by_label("Name").fill("main")
    page.get_by_text("depth of single runs").click()
    for tag in RESULTS:
        fill_number(page, f"Depth of {tag}", POOL_DEPTH)
    page.get_by_role("button", name="Freeze the pool").click()
    pairs = {
        (topic, docno)
        for of_topics in RESULTS.values()
        for topic, docnos in of_topics.items()
        for docno in docnos.split()[:POOL_DEPTH]
    }
    assert pairs == {(topic, docno) for topic, graded in GRADES.items() for docno in graded}
    expect(page.get_by_role("status")).to_contain_text(
        f"Pool main is frozen: {len(pairs)} items.", timeout=WORKERS_PATIENCE
    )


def assign_topics(page: Page, task: Task) -> None:
    open_judging(page, task)
    page.get_by_role("link", name="Assign topics").click()
    fill_number(page, "Topics graded more than once, per cent", 0)
    page.get_by_role("button", name="Assign the topics").click()
    page.get_by_role("link", name="Progress of judging").click(timeout=WORKERS_PATIENCE)
    expect(page.get_by_role("region", name="Table: judging by topic")).to_contain_text("Attentive Reader")


def open_judging(page: Page, task: Task) -> None:
    open_task(page, task)
    page.get_by_role("link", name="Assign, follow, publish").click()


def grade(page: Page) -> None:
    """Grade every topic by what its pictures show; the very first grade is a slip, which is undone."""
    docnos = dict(Document.objects.values_list("image_id", "docno"))
    page.goto("/judging/")
    for topic in GRADES:
        page.get_by_role("row", name=topic).get_by_role("link", name="Start").click()
        expect(page.locator("#hint")).to_contain_text("ready")
        if topic == "T1":
            page.keyboard.press("0")
            expect(page.locator("#place")).to_have_text(f"2 of {len(GRADES[topic])}")
            page.keyboard.press("u")
        for place in range(1, len(GRADES[topic]) + 1):
            expect(page.locator("#place")).to_have_text(f"{place} of {len(GRADES[topic])}")
            picture = page.locator("#stage img").get_attribute("src") or ""
            page.keyboard.press(str(GRADES[topic][docnos[picture.split("/")[2]]]))
        expect(page.get_by_role("main")).to_contain_text(f"All {len(GRADES[topic])} items are judged.")
        page.get_by_role("link", name="take the next topic").click()


def publish_grades(page: Page, task: Task) -> None:
    open_judging(page, task)
    page.get_by_role("button", name="Publish people's qrels").click()
    expect(page.get_by_role("status")).to_contain_text("14 graded", timeout=WORKERS_PATIENCE)


def score_and_publish(page: Page, task: Task) -> None:
    open_task(page, task)
    page.get_by_role("link", name="New job").click()
    page.get_by_role("button", name="Start the job").click()
    page.get_by_role("button", name="Freeze this rule").click(timeout=WORKERS_PATIENCE)
    page.get_by_role("button", name="Publish the grades").click()
    expect(page.get_by_role("status")).to_contain_text("14 pairs with a grade", timeout=WORKERS_PATIENCE)


def open_report(page: Page, task: Task, judge: str) -> None:
    """A worker computes it when both are published; before, the page names what is missing, and polls."""
    open_task(page, task)
    page.get_by_role("link", name="Report", exact=True).first.click()
    expect(page.get_by_role("main")).to_contain_text(judge, timeout=WORKERS_PATIENCE)


def rows_of(page: Page, name: str) -> list[list[str]]:
    """The words in each cell of a table, its head first."""
    cells = "rows => rows.map(row => [...row.cells].map(cell => cell.innerText.trim()))"
    rows: list[list[str]] = (
        page.get_by_role("region", name=f"Table: {name}", exact=True).locator("tr").evaluate_all(cells)
    )
    return rows


def table_row(page: Page, name: str, first: str) -> dict[str, str]:
    """The row of a table with this first cell, by column."""
    head, *rows = rows_of(page, name)
    (row,) = (row for row in rows if row[0] == first)
    return dict(zip(head, row, strict=True))


def paper_row(page: Page, judge: str, measure: str) -> dict[str, str]:
    """The judge's numbers in Table 2 of the paper."""
    row = table_row(page, "paper-table-2", judge)
    return {name: row[f"{measure}, {name}"] for name in ("tau", "rho", "r")} | {"kappa": row["kappa"]}


def expected_paper_row(model: Grades, measure: str) -> dict[str, str]:
    peoples, judges = (second_opinion.means(grades, measure) for grades in (GRADES, model))
    tau, rho, r = second_opinion.correlations(peoples, judges)
    values = {"tau": tau, "rho": rho, "r": r, "kappa": second_opinion.kappa(GRADES, model)}
    return {name: written(value, ".2f") for name, value in values.items()}


def paper_deltas(page: Page, judge: str, measure: str) -> list[str]:
    """Relative Delta of the family by the judge and by people, in Table 3 of the paper."""
    rows = (table_row(page, "paper-table-3", name) for name in (judge, "people"))
    return [row[f"Delta {measure}, %"] for row in rows]


def expected_deltas(model: Grades, measure: str) -> list[str]:
    means = (second_opinion.means(grades, measure) for grades in (model, GRADES))
    return [written(second_opinion.relative_delta(by_tag), "+.1f") for by_tag in means]


def run_rows(page: Page, judge: str) -> dict[str, tuple[str, str]]:
    """Means by tag: under people without their interval, under the judge."""
    rows = (table_row(page, "means", tag) for tag in RESULTS)
    return {row["run"]: (row["people"].split()[0], row[judge]) for row in rows}


def expected_run_rows(model: Grades, measure: str) -> dict[str, tuple[str, str]]:
    peoples, own = (second_opinion.means(grades, measure) for grades in (GRADES, model))
    return {tag: (written(peoples[tag], ".4f"), written(own[tag], ".4f")) for tag in RESULTS}


def written(value: float, form: str) -> str:
    """A number as the pages write it, with a true minus."""
    return format(value, form).replace("-", "−")
