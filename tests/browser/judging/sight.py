"""Whether an assessor sees the item and the buttons of grades in windows of any size."""

from collections.abc import Sequence
from typing import Any

from playwright.sync_api import Page

# A laptop, 200 % and 400 % zoom of it, a phone on its side, phones, a tablet.
SIZES = [
    (1440, 900),
    (1280, 720),
    (1024, 768),
    (720, 450),
    (740, 360),
    (360, 640),
    (390, 844),
    (768, 1024),
    (320, 256),
]

PATIENCE = 30  # attempts before the test fails

# Names of parts that must be visible, with what is wrong. A part is hit at its middle and near its corners.
UNSEEN = """() => {
    const find = (parts) => document.querySelector(parts);
    const picture = find("#stage .strip") ?? find("#stage img:not([hidden])") ?? find(".broken");
    const parts = [picture, ...document.querySelectorAll("#grades button")];
    const wrong = {};
    for (const part of parts) {
        const { left, top, right, bottom } = part.getBoundingClientRect();
        const name = part.value ?? "picture";
        if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) wrong[name] = "outside";
        if (right - left < 30 || bottom - top < 24) wrong[name] = `${right - left} x ${bottom - top}`;
        const points = [[0.5, 0.5], [0.05, 0.1], [0.95, 0.1], [0.05, 0.9], [0.95, 0.9]];
        for (const [x, y] of points) {
            const hit = document.elementFromPoint(left + x * (right - left), top + y * (bottom - top));
            if (!part.contains(hit)) wrong[name] = `covered by ${hit?.outerHTML.slice(0, 60)}`;
        }
    }
    for (const button of document.querySelectorAll(".bar a, .acts :is(button, .btn)")) {
        const { left, right, bottom } = button.getBoundingClientRect();
        const isOutside = left < 0 || right > innerWidth || bottom > innerHeight;
        if (isOutside) wrong[button.textContent.trim()] = "outside";
    }
    const { scrollWidth, scrollHeight } = document.documentElement;
    if (scrollWidth > innerWidth || scrollHeight > innerHeight) wrong.page = "scrolls";
    const tops = parts.slice(1).map((each) => each.getBoundingClientRect().top);
    if (new Set(tops).size > 1) wrong.grades = "in several rows";
    return wrong;
}"""


def unseen(page: Page, sizes: Sequence[tuple[int, int]] = SIZES) -> dict[tuple[int, int], Any]:
    """What is wrong, by size of the window."""
    found = {}
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        wrong = page.evaluate(UNSEEN)
        for _ in range(PATIENCE):
            if not wrong:
                break
            page.wait_for_timeout(100)  # the picture follows the window a frame later
            wrong = page.evaluate(UNSEEN)
        else:
            found[width, height] = wrong
    return found


# A resize observer fits the picture between two frames: until the next one, the width may be the old one.
WIDTH = """async each => {
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
    return each.getBoundingClientRect().width;
}"""
