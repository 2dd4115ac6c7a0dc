"""The report's pages in Chromium: heights, figures, labels within their figures, phone, dark and print."""

import gzip
import os
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect

from evaluation.models import Task
from tests.browser.axe import dark_violations, violations
from tests.browser.printing import page_count, show_as_printed
from tests.browser.report_shapes import (
    FIGURES,
    MARKS,
    MOST_MARKS,
    OUTSIDE,
    SEES_CURRENT,
    WIDE_CARDS,
    WIDE_WHISKERS,
)
from tests.browser.reported_task import JUDGES, make_reported_task

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.whole]

MOST_TABLE, FIRST_SCREEN = 1_060, 900  # px of six judges at 1,280, and to the end of the second judge
SHOTS = os.environ.get("SHOTS", "")
SMALL_LAPTOP = ViewportSize(width=1280, height=800)
LAPTOP = ViewportSize(width=1440, height=900)
WIDE = ViewportSize(width=2000, height=1200)
TABLET = ViewportSize(width=1024, height=768)
ZOOMED = ViewportSize(width=720, height=450)  # a laptop of 1,440 px at 200 %
PHONE = ViewportSize(width=360, height=640)
PAPER = ViewportSize(width=1009, height=680)  # A4 landscape, 297 mm x 210 mm, less margins of 15 mm
MOST_PRINTED = {"chromium": 80, "firefox": 95}  # pages on twelve judges; 74 and 89 with DejaVu Sans
# Labels at the ends of lines that overlap.
COVERED = """() => [...document.querySelectorAll("svg.chart")].flatMap(chart => {
  const labels = [...chart.querySelectorAll("text.h:not(.t2)")].map(text => text.getBoundingClientRect());
  return labels.filter((one, place) => labels.some((other, at) => at > place && one.right > other.left + 1
    && other.right > one.left + 1 && one.bottom > other.top + 4 && other.bottom > one.top + 4))
    .map(() => chart.querySelector("title").textContent);
})"""
# Sizes of text in figures, in px of the screen, that are hard to read or out of proportion.
ODD_TEXTS = """([least, most]) => [...document.querySelectorAll("svg.chart")].flatMap(chart => {
  const scale = chart.getBoundingClientRect().width / chart.viewBox.baseVal.width;
  const size = parseFloat(getComputedStyle(chart.querySelector("text")).fontSize) * scale;
  const isOdd = scale && (size < least || size > most);
  return isOdd ? [`${chart.querySelector("title").textContent}: ${size}`] : [];
})"""
# Tables, figures and texts that reach beyond the page's right edge.
CUT = """() => [...document.querySelectorAll("table, svg.chart, p, h1, h2, ul, dl, figcaption")]
  .filter(each => each.checkVisibility() && each.getBoundingClientRect().right > innerWidth + 1)
  .map(each => `${each.tagName} ${each.closest("[id]")?.id}: ${each.getBoundingClientRect().right}`)"""
NARROW_NAMES = """() => [...document.querySelectorAll(".scroll tbody th:first-child")]
  .filter(head => head.checkVisibility() && head.getBoundingClientRect().width < 110)
  .map(head => head.textContent)"""


def _address(name: str, task: Task, *more: str) -> str:
    return reverse(name, args=[task.track.slug, task.slug, *more])


def _shoot(page: Page, name: str) -> None:
    """Store a picture in the folder SHOTS, if it is set, for people to look at."""
    if SHOTS:
        page.screenshot(path=Path(SHOTS, f"report-{name}.png"), full_page=True)


def _sections(task: Task) -> list[str]:
    return [section["name"] for section in task.reports.latest().sections]


def _scrolls_sideways(page: Page) -> Any:
    return page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


@pytest.mark.parametrize(
    "shape", [{}, {"lifting": 6, "families": ["dense", "hybrid", "lexical", "two-stage", "weak"]}],
    ids=["one family", "six families, which all judges lift"],
)  # fmt: skip
def test_table_of_six_judges_has_a_bounded_height_and_two_stand_on_the_first_screen(
    page: Page, shape: dict[str, Any]
) -> None:
    task = make_reported_task(6, **shape)
    page.set_viewport_size(SMALL_LAPTOP)
    page.goto(_address("report_detail", task))
    _shoot(page, f"six-{len(shape)}")
    table = page.locator("#judges table")
    assert table.evaluate("each => each.getBoundingClientRect().height") <= MOST_TABLE
    second_judge = page.locator("#judges tbody tr").nth(2)
    assert second_judge.evaluate("each => each.getBoundingClientRect().bottom + scrollY") <= FIRST_SCREEN


def test_first_page_has_people_first_and_aligned_panels(page: Page) -> None:
    task = make_reported_task(4)
    page.set_viewport_size(LAPTOP)
    page.goto(_address("report_detail", task))
    _shoot(page, "first-5")
    figures = page.evaluate(FIGURES)
    assert len(figures) == 4
    assert len({tuple(each) for each in figures}) == 1, "one top, one height, one width"
    assert page.evaluate(OUTSIDE) == page.evaluate(COVERED) == []
    assert max(page.evaluate(MARKS)) <= MOST_MARKS
    assert not _scrolls_sideways(page)
    rows = page.locator("#judges tbody tr").all_inner_texts()
    assert rows[0].startswith("Yardstick")
    few = next(row for row in rows if row.startswith("gpt4v-after-2024"))
    assert "As people" not in few, "the judge with eight topics has no closed use"
    assert len(page.locator("h1").inner_text()) <= 240
    assert violations(page) == dark_violations(page) == []
    page.emulate_media(color_scheme="dark")
    _shoot(page, "first-5-dark")
    page.emulate_media(color_scheme="light")
    for size in (WIDE, SMALL_LAPTOP, TABLET, ZOOMED, PHONE):
        page.set_viewport_size(size)
        assert not _scrolls_sideways(page)
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate(WIDE_WHISKERS) == 0
    assert page.evaluate(WIDE_CARDS) == []
    assert violations(page) == []
    _shoot(page, "first-5-phone")
    page.emulate_media(media="print")
    page.set_viewport_size(ViewportSize(width=1100, height=800))
    assert page.locator(".menu").is_hidden()
    assert page.locator("#judges table").is_visible()
    _shoot(page, "first-5-print")


def test_first_page_on_a_phone_says_the_verdict_below_the_judge_s_name(page: Page) -> None:
    task = make_reported_task(1)
    page.set_viewport_size(PHONE)
    page.goto(_address("report_detail", task))
    row = page.locator("#judges tbody tr").last
    paragraph = page.locator("#paragraph")
    assert paragraph.evaluate("each => each.scrollHeight <= each.clientHeight"), "the whole text"
    tops = [
        row.locator(name).first.evaluate("each => each.getBoundingClientRect().top")
        for name in ("th", "td b", "td small", "td .wk")
    ]
    assert tops == sorted(tops)


@pytest.mark.both_engines
def test_paragraph_is_copied_as_it_stands(page: Page) -> None:
    task = make_reported_task(1)
    page.goto(_address("report_detail", task))
    page.evaluate("navigator.clipboard.writeText = async text => { window.copied = text; }")
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("window.copied") == page.locator("#paragraph").inner_text()


@pytest.mark.parametrize("judge_count", [0, 1, 12])
def test_pages_of_any_number_of_judges_keep_labels_within_figures(page: Page, judge_count: int) -> None:
    task = make_reported_task(judge_count)
    page.set_viewport_size(LAPTOP)
    page.goto(_address("report_detail", task))
    _shoot(page, f"first-{judge_count}")
    assert page.evaluate(OUTSIDE) == page.evaluate(COVERED) == []
    assert len(page.evaluate(FIGURES)) == min(judge_count, 4)
    page.goto(_address("report_whole", task))
    _shoot(page, f"whole-{judge_count}")
    assert page.evaluate(OUTSIDE) == page.evaluate(COVERED) == []
    assert page.evaluate(ODD_TEXTS, [11, 15]) == []
    page.set_viewport_size(PHONE)
    assert page.evaluate(ODD_TEXTS, [10, 16]) == []
    assert page.evaluate(NARROW_NAMES) == []
    assert page.evaluate(WIDE_CARDS) == []
    assert not _scrolls_sideways(page)


def test_all_tables_are_found_by_their_words(page: Page) -> None:
    task = make_reported_task(1)
    page.goto(_address("report_tables", task))
    assert violations(page) == dark_violations(page) == []
    for size in (WIDE, TABLET, PHONE):
        page.set_viewport_size(size)
        assert not _scrolls_sideways(page)
    page.get_by_role("searchbox").fill("no such words")
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_text("No table has all these words.")).to_be_visible()


def test_each_section_page_shows_its_figures_first_and_one_open_table(page: Page) -> None:
    task = make_reported_task(4)
    for section in _sections(task):
        page.set_viewport_size(LAPTOP)
        page.goto(_address("report_section", task, section))
        _shoot(page, f"section-{section}")
        assert page.locator(".rows > details[open]").count() <= 1
        figure, table = page.locator("figure").first, page.locator(".rows").first
        if figure.count() and table.count():
            boxes = figure.bounding_box(), table.bounding_box()
            assert boxes[0]
            assert boxes[1]
            assert boxes[0]["y"] < boxes[1]["y"]
        assert page.evaluate(OUTSIDE) == page.evaluate(COVERED) == [], section
        assert page.locator(".side [aria-current]").count() == 1
        page.evaluate("document.querySelectorAll('.rows > details').forEach(each => { each.open = true; })")
        for size in (LAPTOP, TABLET, ZOOMED, PHONE):
            page.set_viewport_size(size)
            assert not _scrolls_sideways(page), section
        assert page.evaluate(WIDE_CARDS) == [], section
        assert page.evaluate(SEES_CURRENT), section
        if section in ("order", "grades"):
            assert violations(page) == dark_violations(page) == []
            _shoot(page, f"section-{section}-phone")


def test_a_judge_looks_the_same_in_every_figure_and_table(page: Page) -> None:
    task = make_reported_task(4)
    page.goto(_address("report_whole", task))
    # The class of each mark beside a judge's name, in tables and findings; and the class of hovered lines.
    beside = page.evaluate("""() => [...document.querySelectorAll("svg.mkey")].map(sign => [
      sign.nextSibling?.textContent.trim() || sign.nextElementSibling.textContent.trim(),
      sign.querySelector("path, circle").getAttribute("class").split(" ")[0]])""")
    lines = page.evaluate("""() => [...document.querySelectorAll("svg.chart g > title")].map(title => [
      title.textContent, title.parentElement.querySelector("path")?.getAttribute("class").split(" ")[0]])""")
    classes: dict[str, set[str]] = {name: set() for name in ("people", "second assessor", *JUDGES[:4])}
    for name, kind in [*beside, *lines]:
        if name in classes and kind not in ("grd", "band"):
            classes[name].add(kind)
    assert classes.pop("people") <= {"p1"}
    assert classes.pop("second assessor") == {"p2"}
    assert classes == {name: {f"j{place}"} for place, name in enumerate(JUDGES[:4], 1)}, "as they joined"


def test_first_page_and_its_style_sheets_are_light(page: Page) -> None:
    task = make_reported_task(4)
    answer = page.request.get(_address("report_detail", task))
    html = answer.text()
    sheets = re.findall(r'href="/static/(trackside/[^"]+\.css)"', html)
    assert len(sheets) > 5
    texts = [html, *(Path(str(finders.find(sheet))).read_text() for sheet in sheets)]
    assert sum(len(gzip.compress(text.encode())) for text in texts) < 60_000


@pytest.mark.both_engines
def test_print_view_shows_every_open_table(page: Page) -> None:
    task = make_reported_task(1)
    page.goto(_address("report_whole", task))
    show_as_printed(page)
    shown = page.locator(".rows > details").count()
    assert page.locator(".rows > details table:visible, .rows > details p:visible").count() >= shown
    assert page.locator(".menu").is_hidden()


@pytest.mark.both_engines
@pytest.mark.parametrize("judge_count", [4, 12])
def test_nothing_is_cut_on_paper(page: Page, tmp_path: Path, judge_count: int) -> None:
    task = make_reported_task(judge_count)
    file = tmp_path / "report.html"
    file.write_bytes(page.request.get(_address("report_file", task)).body())
    page.set_viewport_size(PAPER)
    for address in (_address("report_detail", task), _address("report_whole", task), file.as_uri()):
        page.goto(address)
        show_as_printed(page)
        assert page.evaluate(CUT) == [], address


@pytest.mark.both_engines
def test_report_of_twelve_judges_prints_to_a_bounded_number_of_pages(page: Page) -> None:
    task = make_reported_task(12)
    page.goto(_address("report_whole", task))
    printed = page.pdf(prefer_css_page_size=True)
    assert page.context.browser
    assert 1 < page_count(printed) <= MOST_PRINTED[page.context.browser.browser_type.name]


@pytest.mark.both_engines
def test_file_opens_without_a_server(page: Page, tmp_path: Path) -> None:
    task = make_reported_task(1)
    content = page.request.get(_address("report_file", task)).body()
    place = tmp_path / "report.html"
    place.write_bytes(content)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(place.as_uri())
    assert page.evaluate(OUTSIDE) == []
    assert page.context.browser
    is_chromium = page.context.browser.browser_type.name == "chromium"
    assert asked == ([place.as_uri()] if is_chromium else [])  # Firefox does not report files
    assert page.locator(".panels svg").count() == 1
    assert page.evaluate("getComputedStyle(document.querySelector('.j1.si')).stroke") == "rgb(0, 114, 178)"
    # The rules for paper, which shrink texts and hide what opens a table, are not for the screen.
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "16px"
    assert page.locator(".rows summary").first.is_visible()
    page.set_viewport_size(PHONE)
    assert not _scrolls_sideways(page)
