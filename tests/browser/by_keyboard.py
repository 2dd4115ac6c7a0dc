"""Use pages without a mouse: Tab, Enter, Space, arrows and typing. Each stop of the focus must be visible."""

import re
from dataclasses import dataclass

from playwright.sync_api import Page

from tests.browser.firefox_relay import FOCUS

MOST_STOPS = 400  # Tab stops of a page; more is a trap
# The focused element: its name, about as a screen reader says it, and whether it is marked and in view.
FOCUSED = """() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const labels = [...(element.labels ?? [])].map((each) => each.innerText).join(" ");
    const named = element.getAttribute("aria-label") || labels || element.innerText || element.title;
    const all = (window.stops ??= []);
    if (!all.includes(element)) all.push(element);
    return {
        number: all.indexOf(element),
        name: (named ?? "").replace(/\\s+/g, " ").trim(),
        kind: `${element.tagName.toLowerCase()}${element.id && `#${element.id}`}`,
        is_marked: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1,
        is_in_view: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    };
}"""


@dataclass(frozen=True)
class Stop:
    """The element with the focus; ``number`` tells elements of one page apart."""

    number: int
    name: str
    kind: str
    is_marked: bool
    is_in_view: bool


class Keyboard:
    """The keyboard of somebody who has no mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def focused(self) -> Stop | None:
        """Return the element with the focus; None if nothing has it."""
        found = self.page.evaluate(FOCUSED)
        return Stop(**found) if found else None

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            if key.endswith("Tab"):
                self._return_to_page()

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)

    def tab_to(self, name: str, *, key: str = "Tab") -> Stop:
        """Press Tab until the name matches the regular expression; each stop must be marked and in view."""
        passed = []
        for _ in range(MOST_STOPS):
            self.press(key)
            stop = self.focused()
            if stop is None:
                continue  # the browser's own controls
            assert stop.is_marked, f"nothing marks the focus on {stop}"
            assert stop.is_in_view, f"the focus is out of view on {stop}"
            if re.search(name, stop.name):
                return stop
            passed.append(stop.name)
        raise AssertionError(f"Tab does not reach {name!r}; it stops at {passed[:60]}")

    def follow(self, name: str) -> None:
        """Tab to a link or button that opens another page, and press Enter."""
        self.tab_to(name)
        with self.page.expect_navigation():
            self.press("Enter")

    def fill(self, name: str, text: str) -> None:
        """Tab to a field and replace its text."""
        self.tab_to(name)
        self.press("Control+a")
        self.type(text)

    def stops(self) -> list[Stop]:
        """Press Tab from the beginning of the page until its last element is left."""
        self.page.evaluate("document.activeElement.blur(); window.scrollTo(0, 0)")
        found: list[Stop] = []
        for _ in range(MOST_STOPS):
            self.press("Tab")
            stop = self.focused()
            if stop is None or (found and stop.number == found[0].number):
                return found
            found.append(stop)
        raise AssertionError(f"Tab does not leave the page: {[each.name for each in found[-20:]]}")

    def _return_to_page(self) -> None:
        """Give the page the focus back if Tab has left it for the controls of Firefox's window.

        There the driver's keys still reach the page, but no element of it gets the focus.
        """
        if not self.page.evaluate("document.hasFocus()"):
            self.page.evaluate(FOCUS)
