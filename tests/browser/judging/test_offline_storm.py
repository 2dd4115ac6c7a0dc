"""300 judgments offline, a withdrawn topic, a phase that ends and a killed browser, in every order."""

import itertools
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, Playwright, Request, Response, Route, expect
from pytest_django.live_server_helper import LiveServer

from assessment.assigning.actions import end_assignment
from assessment.models import Assignment, Judgment
from evaluation.models import Phase, Task
from tests.browser.judging.judged_item import outbox_of
from tests.browser.judging.surface import make_surface
from tests.browser.signing_in import sign_in
from tests.conftest import finish_requests
from tests.evaluation.conftest import wait_for
from tests.factories import dates_of, make_image

pytestmark = [pytest.mark.browser, pytest.mark.whole, pytest.mark.django_db(transaction=True)]

COUNT = 300
PART = 70  # judgments that are sent each time that the connection is back
PATIENCE = 120_000  # ms
GRADE_ALL = """async (count) => {
    const place = document.getElementById("place");
    for (let number = 1; number <= count; number += 1) {
        const isHere = () => place.textContent.trim() === `${number} of ${count}`;
        while (!isHere()) await new Promise((go) => setTimeout(go, 5));
        const [key, code] = [`${number % 3}`, `Digit${number % 3}`];
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key, code, bubbles: true }));
    }
}"""
KEPT = """(name) => new Promise((done, fail) => {
    const request = indexedDB.open(name, 1);
    request.onerror = () => fail(request.error);
    request.onsuccess = () => {
        const all = request.result.transaction("events").objectStore("events").getAll();
        all.onsuccess = () => {
            request.result.close();
            done(all.result.map(({ place, fields }) => ({ place, ...fields })));
        };
    };
})"""
# In local storage. A killed Chromium may have lost its last removals there: these are sent once more.
REVIVED = """(name) => Object.keys(localStorage).filter((key) => key.startsWith(`${name}-`))
    .map((key) => JSON.parse(localStorage.getItem(key)))
    .map(({ place, fields }) => [`D${place}`, Number(fields.grade)])"""


@dataclass
class Gate:
    """The connection of judgments: lets ``left`` of them through, and notes whether the site refuses them.

    ``under_way`` are the requests that were let through and are not answered yet.
    """

    left: int = 0
    is_refused: bool = False
    under_way: set[Request] = field(default_factory=set)

    def pass_or_abort(self, route: Route) -> None:
        if self.left > 0:
            self.left -= 1
            self.under_way.add(route.request)
            route.continue_()
        else:
            route.abort()

    def note(self, response: Response) -> None:
        self.is_refused |= response.status == 423

    def end(self, request: Request) -> None:
        self.under_way.discard(request)


@dataclass
class Desk:
    """An assessor at a browser with a profile on disk, which outlives the browser."""

    playwright: Playwright
    server: LiveServer
    assignment: Assignment
    profile: Path
    gate: Gate = field(default_factory=Gate)
    context: BrowserContext | None = None

    def launch(self, **options: Any) -> BrowserContext:
        args = ["--no-sandbox"] if os.geteuid() == 0 else []
        program, address = shutil.which("chromium"), self.server.url
        return self.playwright.chromium.launch_persistent_context(
            self.profile, executable_path=program, args=args, base_url=address, **options
        )

    def open(self, address: str) -> Page:
        self.context = self.launch(service_workers="block")
        self.context.route("**/judgment", self.gate.pass_or_abort)
        self.gate.under_way.clear()  # those of a killed browser
        self.context.on("response", self.gate.note)
        for end in ("requestfinished", "requestfailed"):
            self.context.on(end, self.gate.end)
        sign_in(self.context, self.assignment.assessor, self.server)
        page = self.context.new_page()
        page.goto(address)
        return page

    def kill(self) -> None:
        """Kill all processes of the browser, also those that it starts meanwhile, and wait for their end."""

        def is_gone() -> bool:
            numbers = self.processes()
            for number in numbers:
                with suppress(ProcessLookupError):
                    os.kill(number, signal.SIGKILL)
            return not numbers

        wait_for(is_gone, "the end of the killed browser")
        (self.profile / "SingletonLock").unlink(missing_ok=True)

    def processes(self) -> list[int]:
        """The numbers of the browser's processes; those that have ended have no command line."""
        numbers = []
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if str(self.profile).encode() in (folder / "cmdline").read_bytes():
                    numbers.append(int(folder.name))
        return numbers

    def close(self) -> None:
        """Close the browser, and wait for its requests: no page sends judgments to the next test."""
        if self.context:
            self.context.close()
        finish_requests(self.server)


@pytest.fixture
def desk(playwright: Playwright, live_server: LiveServer, tmp_path: Path) -> Iterator[Desk]:
    """The desk of an assignment with COUNT items."""
    made = Desk(playwright, live_server, make_surface([make_image()] * COUNT), tmp_path)
    yield made
    made.close()


def stored() -> list[tuple[str, int | str]]:
    return [(each.docno, each.mark) for each in Judgment.objects.all()]


def send_some(page: Page, gate: Gate) -> None:
    """Bring the connection back until a part of the judgments is answered, or the site refuses them."""
    gate.left, gate.is_refused = PART, False
    page.evaluate("dispatchEvent(new Event('online'))")
    for _ in range(PATIENCE // 100):
        if gate.left == 0 or gate.is_refused:
            gate.left = 0
            if not gate.under_way:
                break
        page.wait_for_timeout(100)
    gate.left = 0


def kept_once(page: Page, assignment: Assignment, given: list[Any]) -> list[Any]:
    """The judgments in the browser, once it has removed those that the site has stored.

    Until then a judgment is in both; none may be in neither.
    """
    for _ in range(PATIENCE // 100):
        events = page.evaluate(KEPT, outbox_of(assignment))
        kept: list[Any] = [[f"D{event['place']}", int(event["grade"])] for event in events]
        both = [*map(list, stored()), *kept]  # read last: a judgment is stored before it leaves the browser
        assert [each for each in given if each not in both] == []
        if len(both) == len(given):
            break
        page.wait_for_timeout(100)
    assert sorted(both) == given
    return kept


FIRST, *OTHERS = itertools.permutations(("withdrawn", "over", "killed"))
ORDERS = [FIRST, *(pytest.param(order, marks=pytest.mark.long) for order in OTHERS)]


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_every_judgment_is_stored_or_shown_as_kept(desk: Desk, order: tuple[str, ...]) -> None:
    assignment = desk.assignment
    page = desk.open(reverse("judging_item", args=[assignment.pk, 1]))
    expect(page.locator("#hint")).to_have_text("Next 3 ready")
    page.evaluate(GRADE_ALL, COUNT)
    line = page.locator("#saved")
    expect(line).to_contain_text(f"{COUNT} stored here, no connection", timeout=PATIENCE)
    given: list[Any] = sorted([f"D{place}", place % 3] for place in range(1, COUNT + 1))
    for happening in order:
        if happening == "withdrawn":
            end_assignment(assignment=assignment, by=assignment.pool.created_by)
        elif happening == "over":
            Task.objects.update(**dates_of(Phase.RELEASED))
        else:
            desk.kill()
            page = desk.open(reverse("judging_list"))
        send_some(page, desk.gate)
        kept = kept_once(page, assignment, given)
        if kept:
            waiting = {*map(tuple, kept), *map(tuple, page.evaluate(REVIVED, outbox_of(assignment)))}
            shown = page.locator("#catch-up, #saved")
            expect(shown).to_contain_text(f"{len(waiting)} stored")
    assert kept  # the phase was over before all were sent
    Task.objects.update(**dates_of(Phase.JUDGING))  # the organizers open judging again
    desk.gate.left = COUNT
    page.reload()
    for _ in range(PATIENCE // 100):
        if len(stored()) == COUNT:
            break
        page.wait_for_timeout(100)
    assert sorted(map(list, stored())) == given
