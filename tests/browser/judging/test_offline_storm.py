"""300 judgments offline, a withdrawn topic, a phase that ends and a killed browser, in every order."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from assessment.assigning.changes import end_assignment
from assessment.models import Judgment
from evaluation.models import Phase, Task
from tests.browser.judging.judged_item import outbox_of
from tests.browser.judging.surface import make_surface
from tests.browser.signing_in import sign_in
from tests.factories import dates_of, make_image

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Playwright, Response, Route
    from pytest_django.live_server_helper import LiveServer

    from assessment.models import Assignment

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
KEPT = """(name) => new Promise((done) => {
    const request = indexedDB.open(name, 1);
    request.onsuccess = () => {
        const all = request.result.transaction("events").objectStore("events").getAll();
        all.onsuccess = () => {
            request.result.close();
            done(all.result.map(({ place, fields }) => [`D${place}`, Number(fields.grade)]));
        };
    };
})"""


@dataclass
class Gate:
    """The connection of judgments: lets ``left`` of them through, and notes whether the site refuses them."""

    left: int = 0
    is_refused: bool = False

    def pass_or_abort(self, route: Route) -> None:
        if self.left > 0:
            self.left -= 1
            route.continue_()
        else:
            route.abort()

    def note(self, response: Response) -> None:
        self.is_refused |= response.status == 423


@dataclass
class Desk:
    """An assessor at a browser with a profile on disk, which outlives the browser."""

    playwright: Playwright
    server: LiveServer
    assignment: Assignment
    profile: Path
    gate: Gate = field(default_factory=Gate)
    context: BrowserContext | None = None

    def open(self, address: str) -> Page:
        args = ["--no-sandbox"] if os.geteuid() == 0 else []
        self.context = self.playwright.chromium.launch_persistent_context(
            self.profile,
            executable_path=shutil.which("chromium"),
            args=args,
            base_url=self.server.url,
            service_workers="block",
        )
        self.context.route("**/judgment", self.gate.pass_or_abort)
        self.context.on("response", self.gate.note)
        sign_in(self.context, self.assignment.assessor, self.server)
        page = self.context.new_page()
        page.goto(address)
        return page

    def kill(self) -> None:
        """Kill all processes of the browser."""
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if str(self.profile).encode() in (folder / "cmdline").read_bytes():
                    os.kill(int(folder.name), signal.SIGKILL)
        (self.profile / "SingletonLock").unlink(missing_ok=True)


def stored() -> list[tuple[str, int | str]]:
    return [(each.docno, each.mark) for each in Judgment.objects.all()]


def send_some(page: Page, gate: Gate) -> None:
    """Bring the connection back until a part of the judgments is sent, or the site refuses them."""
    gate.left, gate.is_refused = PART, False
    page.evaluate("dispatchEvent(new Event('online'))")
    for _ in range(PATIENCE // 100):
        if gate.left == 0 or gate.is_refused:
            break
        page.wait_for_timeout(100)
    gate.left = 0
    page.wait_for_timeout(500)  # the answers that are under way arrive


FIRST, *OTHERS = itertools.permutations(("withdrawn", "over", "killed"))
ORDERS = [FIRST, *(pytest.param(order, marks=pytest.mark.long) for order in OTHERS)]


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_every_judgment_is_stored_or_shown_as_kept(
    playwright: Playwright, live_server: LiveServer, tmp_path: Path, order: tuple[str, ...]
) -> None:
    assignment = make_surface([make_image()] * COUNT)
    desk = Desk(playwright, live_server, assignment, tmp_path)
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
        kept = page.evaluate(KEPT, outbox_of(assignment))
        assert sorted([*map(list, stored()), *kept]) == given
        if kept:
            shown = page.locator("#catch-up, #saved")
            expect(shown).to_contain_text(f"{len(kept)} stored")
    assert kept  # the phase was over before all were sent
    Task.objects.update(**dates_of(Phase.JUDGING))  # the organizers open judging again
    desk.gate.left = COUNT
    page.reload()
    for _ in range(PATIENCE // 100):
        if len(stored()) == COUNT:
            break
        page.wait_for_timeout(100)
    assert sorted(map(list, stored())) == given
    assert desk.context
    desk.context.close()
