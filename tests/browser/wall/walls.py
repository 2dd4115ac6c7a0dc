"""Helpers of the wall's tests."""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from assessment.models import Assignment, JudgingPlan, Surface
from tests.browser.judging.surface import fail_on_script_errors, make_surface
from tests.browser.judging.test_offline import set_offline, wait_until_kept
from tests.browser.judging.test_offline_storm import Desk
from tests.browser.signing_in import sign_in

# The number of pictures of the stored walls that are not stored.
LACKING = """async (walls) => {
    const stored = (path) => caches.match(path, { ignoreSearch: true, ignoreVary: true });
    const texts = await Promise.all(walls.map(async (wall) => (await stored(wall)).text()));
    const pictures = texts.flatMap((text) => text.match(/\\/images\\/[0-9a-f]{64}\\/\\w+/g) ?? []);
    return (await Promise.all(pictures.map(stored))).filter((each) => !each).length;
}"""
CELLS = """() => [...document.querySelectorAll(".cell")].map((cell) => ({
    place: Number(cell.dataset.place),
    mark: cell.querySelector(".mark").dataset.mark,
    image: cell.querySelector("img").getAttribute("src").split("/")[2],
    isMarked: cell.classList.contains("marked"),
    isCurrent: cell.ariaCurrent === "true",
    isAlone: cell.parentElement.classList.contains("alone"),
}))"""


class WallDesk(Desk):
    """An assessor at a browser with service workers, and a window that shows a whole wall."""

    is_offline = False
    cookies: Sequence[Any] = ()  # that a browser has on disk soon after signing in

    def kill(self) -> None:
        assert self.context is not None
        self.cookies = self.context.cookies()
        super().kill()

    def open(self, address: str) -> Page:
        self.context = self.launch(viewport={"width": 1440, "height": 900})
        self.context.set_offline(self.is_offline)
        self.context.add_cookies(self.cookies)
        sign_in(self.context, self.assignment.assessor, self.server)
        page = self.context.new_page()
        fail_on_script_errors(page)
        page.goto(address)
        return page

    def set_offline(self, *, is_offline: bool) -> None:
        if self.context and is_offline != self.is_offline:
            set_offline(self.context, self.server, is_offline=is_offline)
            self.is_offline = is_offline


def make_walled_surface(count: int, *, surface: Surface = Surface.WALL) -> Assignment:
    """Topic T1 with D1, D2 ... in this order, in a task with walls; each has an image of its own."""
    assignment = make_surface([None] * count)
    JudgingPlan.objects.create(task=assignment.pool.task, surface=surface)
    return assignment


def open_wall(
    context: BrowserContext, live_server: LiveServer, assignment: Assignment, wall: int = 1
) -> Page:
    """Open a wall as its assessor; a script's error fails the test."""
    sign_in(context, assignment.assessor, live_server)
    page = context.new_page()
    fail_on_script_errors(page)
    page.goto(reverse("judging_wall", args=[assignment.pk, wall]))
    expect_cursor(page, 24 * wall - 23)
    return page


def wait_for_walls(page: Page, assignment: Assignment, numbers: set[int]) -> None:
    """Wait until the browser has stored these walls with their pictures for work without a connection."""
    wanted = {reverse("wall_content", args=[assignment.pk, number]) for number in numbers}
    wait_until_kept(page, lambda urls: wanted <= set(urls))
    wait_until_kept(page, lambda _: page.evaluate(LACKING, sorted(wanted)) == 0)


def expect_cursor(page: Page, place: int) -> None:
    """Wait until the cursor is at the place, which has the focus, too, and shows its picture."""
    cell = page.locator(".cell[aria-current=true]")
    expect(cell).to_have_attribute("data-place", str(place))
    expect(cell).to_be_focused()
    expect_pictures(page)


def expect_pictures(page: Page) -> None:
    """Wait until the pictures of the wall are decoded: a cell without its picture is not graded."""
    expect(page.locator(".cell.unseen:not(:has(.broken)) >> visible=true")).to_have_count(0)


def expect_complete(page: Page) -> None:
    """Wait until the wall has no open cell, and so no cursor."""
    expect(page.locator("#cells[aria-busy=false]")).to_be_focused()
    expect(page.locator(".cell[aria-current=true]")).to_have_count(0)


def expect_done(page: Page, words: str) -> None:
    """Wait until the bar says how many items are judged, such as "24 of 100"."""
    expect(page.locator("#place")).to_have_text(words)


def grades(page: Page) -> list[str]:
    """The marks of the cells, empty for those without one."""
    shown: list[str] = page.locator(".cell .mark").evaluate_all("all => all.map(each => each.dataset.mark)")
    return shown
