"""The judging screen in Chromium: from the key to the next item painted."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from evaluation.running.hosting.addresses import socket_folder
from tests.benchmarks.measuring import Row
from tests.benchmarks.sites.separate import made_judging_site
from tests.faults.web_site import WebSite

JUDGMENTS = 500
PAUSE = 200  # ms from the next item to the next key: far faster than people judge
LIMIT = 50  # ms that 95 of 100 may take
# From the key's time stamp to the first task after the frame that shows another item.
WATCH = """
window.taken = [];
addEventListener("keydown", (event) => {
  const stage = document.getElementById("stage");
  const look = () => {
    if (document.getElementById("stage") === stage) return requestAnimationFrame(look);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      const image = document.querySelector("#stage img");
      taken.push([performance.now() - event.timeStamp, image.complete && image.naturalWidth > 0]);
    };
    port2.postMessage(0);
  };
  requestAnimationFrame(look);
}, true);
"""


def rows(folder: Path, *, is_full: bool) -> Iterator[Row]:
    """Five hundred judgments by key on one item after the other, each another picture of 800 x 600."""
    try:
        with made_judging_site(folder, people=1, items=JUDGMENTS + 2, has_pictures=True) as site:
            taken = _judge(site)
    finally:
        shutil.rmtree(socket_folder(folder), ignore_errors=True)
    times = np.array([each for each, _ in taken])
    median, most = np.percentile(times, [50, 95])
    shown = sum(is_shown for _, is_shown in taken)
    beside = f"median {median:.0f} ms, longest {times.max():.0f} ms; picture complete in {shown}"
    what = f"judging screen, from key to next item painted, {len(taken)} judgments"
    is_met = bool(most < LIMIT) and shown == JUDGMENTS
    yield Row(what, f"p95 {most:.0f} ms", f"under {LIMIT} ms", beside, is_met)


def _judge(site: WebSite) -> list[tuple[float, bool]]:
    """Milliseconds of each judgment, and whether the next picture was loaded when painted."""
    from playwright.sync_api import expect, sync_playwright

    [work] = site.works
    name, _, value = work["cookie"].partition("=")
    address = f"http://127.0.0.1:{site.port}"
    args = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium has none for root
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=shutil.which("chromium"), args=args) as browser,
        browser.new_context(base_url=address, viewport={"width": 1440, "height": 900}) as context,
    ):
        context.add_cookies([{"name": name, "value": value, "url": address}])
        context.add_init_script(WATCH)
        page = context.new_page()
        page.goto(f"/judging/{work['assignment']}/items/1/")
        expect(page.locator("#hint")).to_have_text("Next 3 ready")
        for step in range(JUDGMENTS):
            page.keyboard.press(str(step % 3))
            expect(page.locator("#place")).to_have_text(f"{step + 2} of {JUDGMENTS + 2}")
            page.wait_for_timeout(PAUSE)
        taken: list[tuple[float, bool]] = page.evaluate("taken")
        expect(page.locator("#saved")).to_contain_text("Saved")
        return taken
