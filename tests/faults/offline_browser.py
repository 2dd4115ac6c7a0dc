"""An assessor in Chromium who judges for an hour without a connection."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

AHEAD = 70  # items to judge that the browser stores
PATIENCE = 300_000  # ms, on a machine that may do other work
MINUTE = 60_000  # ms
STORED = """async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith("trackside-kept-"));
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return keys.flat().filter(({ url }) => url.endsWith("/content")).length;
}"""


@dataclass
class OfflineHour:
    """A page whose outbox holds an hour of judgments; ``given`` has the grade of each docno."""

    page: Page
    given: dict[str, int]

    def return_online(self) -> None:
        """The outbox sends by itself from now on."""
        self.page.context.set_offline(False)

    def wait_until_saved(self) -> None:
        from playwright.sync_api import expect

        expect(self.page.locator("#saved")).to_contain_text("Saved", timeout=PATIENCE)


@contextmanager
def offline_hour(port: int, work: dict[str, Any]) -> Iterator[OfflineHour]:
    """Judge the stored items, one a minute by the browser's clock, without a connection."""
    from playwright.sync_api import sync_playwright

    name, _, value = work["cookie"].partition("=")
    address = f"http://127.0.0.1:{port}"
    args = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium has none for root
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=shutil.which("chromium"), args=args) as browser,
        browser.new_context(base_url=address) as context,
    ):
        context.add_cookies([{"name": name, "value": value, "url": address}])
        page = context.new_page()
        page.clock.install()
        page.goto(f"/judging/{work['assignment']}/items/1/")
        yield OfflineHour(page, _judge(page, work["items"]))


def _judge(page: Page, items: list[Any]) -> dict[str, int]:
    from playwright.sync_api import expect

    count = min(AHEAD - 10, len(items) - 2)
    for _ in range(PATIENCE // 100):
        if page.evaluate(STORED) >= min(AHEAD, len(items)):
            break
        page.wait_for_timeout(100)
    page.context.set_offline(True)
    given = {}
    for place, docno, _image in items[:count]:
        expect(page.locator("#place")).to_have_text(f"{place} of {len(items)}", timeout=PATIENCE)
        page.clock.fast_forward(MINUTE)
        page.keyboard.press(str(place % 3))
        given[docno] = place % 3
    expect(page.locator("#saved")).to_contain_text(f"{count} stored here, no connection", timeout=PATIENCE)
    return given
