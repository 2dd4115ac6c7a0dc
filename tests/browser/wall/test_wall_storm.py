"""Many items on walls by real keys, with undo, opened items, no connection and a killed browser."""

import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, Playwright, expect
from pytest_django.live_server_helper import LiveServer

from assessment.assigning.lookups import walls_of
from assessment.models import Judgment
from tests.browser.judging.judged_item import outbox_of
from tests.browser.judging.surface import expect_item
from tests.browser.judging.test_offline_storm import KEPT, PATIENCE
from tests.browser.wall.walls import CELLS, WallDesk, expect_pictures, make_walled_surface, wait_for_walls

pytestmark = [pytest.mark.browser, pytest.mark.whole, pytest.mark.django_db(transaction=True)]

WALL = 24
FULL = 1_000
REASONS = ("image", "text", "topic", "other")
MOST_REQUESTS = 0.09  # an item
SEED = 7


@pytest.fixture(autouse=True)
def no_singles() -> None:
    """One item in ten is alone."""


@pytest.fixture
def desk(playwright: Playwright, live_server: LiveServer, tmp_path: Path, count: int) -> Iterator[WallDesk]:
    made = WallDesk(playwright, live_server, make_walled_surface(count), tmp_path)
    yield made
    made.close()


@dataclass(frozen=True)
class Act:
    """The marks that one act gave, by place, and whether it was on the item's page or the rest's key."""

    marks: dict[int, int | str]
    is_opened: bool = False
    is_by_rest: bool = False


@dataclass
class Assessor:
    """Presses keys on walls, and notes what the cells should have; ``acts`` are those that are not undone."""

    desk: WallDesk
    page: Page
    random: random.Random
    acts: list[Act] = field(default_factory=list)
    images: dict[int, str] = field(default_factory=dict)
    undone: int = 0
    page_count: int = 0  # opened since the first

    @property
    def expected(self) -> dict[int, int | str]:
        return {place: mark for act in self.acts for place, mark in act.marks.items()}

    @property
    def event_count(self) -> int:
        """Of all keys: an undone judgment and its undo are events, too."""
        return sum(len(act.marks) for act in self.acts) + 2 * self.undone

    def cells(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.page.evaluate(CELLS)
        self.images |= {cell["place"]: cell["image"] for cell in found}
        return found

    def open_places(self, *, is_alone: bool | None = None) -> list[int]:
        """The places without a mark, of all cells, of those that are alone, or of the others."""
        cells = [cell for cell in self.cells() if is_alone in (None, cell["isAlone"])]
        return [cell["place"] for cell in cells if not cell["mark"]]

    def current(self) -> dict[str, Any]:
        """The cell at the cursor."""
        return next(cell for cell in self.cells() if cell["isCurrent"])

    def grade(self) -> None:
        cell, grade = self.current(), self.random.randrange(3)
        self.page.keyboard.press(str(grade))
        self.note({cell["place"]: grade} if cell["mark"] != str(grade) else {})

    def note(self, marks: dict[int, int | str], **kind: bool) -> None:
        """Note an act; a key that changes no mark is none."""
        if marks:
            self.acts.append(Act(marks, **kind))

    def grade_range(self) -> None:
        """Mark cells to the right, or a row; those that have a mark get the new one, too."""
        for _ in range(self.random.randrange(1, 4)):
            self.page.keyboard.press(
                self.random.choice(("Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowDown"))
            )
        marked = [cell for cell in self.cells() if cell["isMarked"]]
        grade = self.random.randrange(3)
        if not marked:  # no cell follows the cursor
            self.grade()
            return
        self.page.keyboard.press(f"Shift+Digit{grade}")
        self.note({cell["place"]: grade for cell in marked if cell["mark"] != str(grade)})

    def give_reason(self) -> None:
        cell, number = self.current(), self.random.randrange(1, 4)
        if cell["mark"]:
            return
        self.page.keyboard.press("x")
        reason = self.page.locator("[name=reason]").nth(number - 1).get_attribute("value")
        assert reason
        self.page.keyboard.press(str(number))
        self.note({cell["place"]: reason})

    def undo(self) -> None:
        self.page.keyboard.press("z")
        self.undone += len(self.acts.pop().marks)

    def open_item(self) -> None:
        """Grade an item on its own page, which leads back to the wall."""
        cell, grade = self.current(), self.random.randrange(3)
        if cell["mark"]:
            return
        place = cell["place"]
        self.page.keyboard.press("Enter")
        self.page.wait_for_url(f"**/items/{place}/#wall")
        expect(self.page.locator("#place")).to_contain_text(f"{place} of")
        expect_item(self.page)
        self.page.keyboard.press(str(grade))
        self.page.wait_for_url("**/walls/*/")
        self.note({place: grade}, is_opened=True)
        self.page_count += 1
        expect(self.page.locator(f".cell[data-place='{place}'] .mark")).to_have_attribute(
            "data-mark", str(grade)
        )
        expect(
            self.page.locator(".cell[aria-current=true], #cells:not(:has([aria-current]))")
        ).to_be_focused()
        expect_pictures(self.page)

    def rest(self) -> None:
        """Give the rest; undo that once in five times, and give it again. Items alone have no rest."""
        places = self.open_places(is_alone=False)
        while self.current()["isAlone"]:
            self.page.keyboard.press("ArrowLeft")
        for is_last in (self.random.random() > 1 / 5, True):
            self.page.keyboard.press("r")
            self.note(dict.fromkeys(places, 0), is_by_rest=True)
            if len(places) > 1:
                expect(self.page.locator("#undo-last span")).to_have_text(f"Undo, items: {len(places)}")
            if is_last:
                break
            self.undo()
            assert self.open_places(is_alone=False) == places

    def expect_wall(self, number: int) -> None:
        expect(self.page.locator(f"#cells[data-wall='{number}'] .cell[aria-current=true]")).to_be_focused()
        expect_pictures(self.page)

    def kill_and_return(self, number: int) -> None:
        """Kill the browser once all keys are in its database, and open the wall again."""
        self.wait_until_kept()
        self.desk.kill()
        self.page = self.desk.open(reverse("judging_wall", args=[self.desk.assignment.pk, number]))
        self.page_count += 1
        self.expect_wall(number)
        expected = self.expected
        shown = {cell["place"]: cell["mark"] for cell in self.cells() if cell["mark"]}
        marks = {place: expected.get(place, "") for place in shown}
        assert shown == {
            place: str(mark) if isinstance(mark, int) else "none" for place, mark in marks.items()
        }

    def wait_until_kept(self) -> None:
        """Wait until each event is in the browser's database or on the site."""
        for _ in range(PATIENCE // 100):
            events = self.page.evaluate(KEPT, outbox_of(self.desk.assignment))
            kept_here = {event["client_uuid"] for event in events}
            stored = set(map(str, Judgment.objects.values_list("client_uuid", flat=True)))
            if len(kept_here | stored) == self.event_count:
                return
            self.page.wait_for_timeout(100)
        pytest.fail(f"{len(kept_here | stored)} of {self.event_count} events are kept")

    def judge_wall(self, number: int, walls: int) -> None:
        is_online = number % 4 != 3
        if not is_online:
            wait_for_walls(self.page, self.desk.assignment, {number, min(number + 1, walls)})
            expect(self.page.locator("#saved")).to_contain_text("Saved")
        self.desk.set_offline(is_offline=not is_online)
        if not is_online:
            expect(self.page.locator("#saved")).to_contain_text(re.compile(r"Offline \d+ items ready here"))
        self.judge_some(is_online=is_online)
        if not is_online:
            self.look_offline(number)
        if number % 3 == 2 and self.open_places():
            self.kill_and_return(number)
            self.judge_some(is_online=is_online)
        if self.open_places(is_alone=False):
            self.rest()
        while self.open_places():
            self.grade()

    def look_offline(self, number: int) -> None:
        """Without a connection no item opens, but the page comes back after a reload."""
        self.page.keyboard.press("Enter")
        words = f"Item {self.current()['place']} opens once you are online. Grade it here."
        expect(self.page.locator("#hint")).to_have_text(words)
        self.wait_until_kept()
        self.page.reload()
        self.page_count += 1
        self.expect_wall(number)

    def judge_some(self, *, is_online: bool) -> None:
        """Marks by every key, up to a third of the wall at least; some of them undone and given again."""
        acts = [*[self.grade] * 12, *[self.grade_range] * 2, self.give_reason]
        if is_online:
            acts.append(self.open_item)
        for _ in range(6):
            if not self.open_places():
                return
            act_count = len(self.acts)
            self.random.choice(acts)()
            if len(self.acts) > act_count and self.random.random() < 0.2:
                self.undo()


@pytest.mark.timeout(3600)  # seconds; a thousand items take ten minutes on a quiet machine
@pytest.mark.parametrize("count", [4 * WALL + 4, pytest.param(FULL, marks=pytest.mark.long)])
def test_nothing_is_wrong_or_lost_and_requests_are_few(
    desk: WallDesk, requests: Counter[str], count: int
) -> None:
    """One wall in four is judged without a connection, and the browser is killed on one in three.

    Expected: at most a request for ten items on the walls where no page is loaded.
    """
    page = desk.open(reverse("judging_wall", args=[desk.assignment.pk, 1]))
    assessor = Assessor(desk, page, random.Random(SEED))
    walls = -(-count // WALL)
    begun, quiet = time.monotonic(), Counter[str]()
    for number in range(1, walls + 1):
        assessor.expect_wall(number)
        before, page_count = requests.copy(), assessor.page_count
        assessor.judge_wall(number, walls)
        if number < walls:
            assessor.page.keyboard.press("n")
        if assessor.page_count == page_count and number > 1:
            quiet += Counter({"items": WALL, "requests": (requests - before).total()})
    desk.set_offline(is_offline=False)
    expect(assessor.page.locator("#saved")).to_contain_text("Saved", timeout=PATIENCE)
    assessor.page.keyboard.press("n")
    assessor.page.wait_for_url("**/items/")
    expect(assessor.page.get_by_role("main")).to_contain_text(f"All {count:,} items are judged.")
    minutes = (time.monotonic() - begun) / 60
    print(
        f"{count} items, {minutes:.1f} min, {requests.total()} requests {dict(requests)}, {quiet}"
    )  # pytest -s
    check(assessor, count)
    if count == FULL:  # a few walls ask for those that follow
        assert quiet["requests"] <= MOST_REQUESTS * quiet["items"]


def check(assessor: Assessor, count: int) -> None:
    """Every key's judgment is stored once, with the picture that its cell showed."""
    found = {each.docno: each for each in Judgment.objects.current()}
    assert {docno: each.mark for docno, each in found.items()} == {
        f"D{place}": mark for place, mark in assessor.expected.items()
    }
    assert len(found) == count
    assert {docno: each.image_sha256 for docno, each in found.items()} == {
        f"D{place}": image for place, image in assessor.images.items()
    }
    last = {place: act for act in assessor.acts for place in act.marks}
    singles = set(assessor.desk.assignment.items.filter(is_single=True).values_list("place", flat=True))
    assert len(singles) in (count // 10, count // 10 + 1)
    cells = {
        place: (wall, cell)
        for wall, places in enumerate(walls_of(assessor.desk.assignment), start=1)
        for cell, place in enumerate(places, start=1)
        if place not in singles
    }
    for place, act in last.items():
        event = found[f"D{place}"]
        assert (event.wall, event.cell) == cells.get(place, (None, None))
        assert event.is_by_rest == act.is_by_rest
        assert event.is_opened or not act.is_opened or place in singles
    assert Judgment.objects.count() == assessor.event_count
