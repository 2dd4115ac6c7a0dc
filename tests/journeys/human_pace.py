"""How long a person would take for what a test does in a browser: waiting, reading, pointing and typing."""

import time

from playwright.sync_api import Page

# Keystroke-level model, Card, Moran and Newell (1980): decide, move the hand, point, press and release.
ACT = 1.35 + 0.4 + 1.1 + 2 * 0.1  # seconds a click, a choice or a field
CHARACTER = 0.28  # seconds, an average typist
WORD = 60 / 240  # seconds a word, reading silently at 240 words a minute (Brysbaert 2019: 238)
WATCH = """
addEventListener("click", () => acted(0), true);
addEventListener("input", ({ target }) => {
  const isTyped = target.matches("textarea, input:not([type=file], [type=radio], [type=checkbox])");
  acted(isTyped ? target.value.length : 0);
}, true);
addEventListener("load", () => {
  const words = (part) => part.innerText.split(/\\s+/).length;
  const main = document.querySelector("main");
  const choices = [...main.querySelectorAll("select")].map(words);
  shown(location.pathname, words(main) - choices.reduce((sum, each) => sum + each, 0));
});
"""


class HumanPace:
    """Counts what happens on a page: acts, typed characters, and the words of each page the first time."""

    def __init__(self, page: Page) -> None:
        self._begun = time.monotonic()
        self.acts, self.characters, self.words = 0, 0, dict[str, int]()
        page.expose_function("acted", self._act)
        page.expose_function("shown", self._show)
        page.add_init_script(WATCH)

    def _act(self, characters: int) -> None:
        self.acts += 1
        self.characters += characters

    def _show(self, path: str, words: int) -> None:
        self.words.setdefault(path, words)

    @property
    def waited(self) -> float:
        """Minutes so far of the browser and the server."""
        return (time.monotonic() - self._begun) / 60

    @property
    def worked(self) -> float:
        """Minutes that a person would read, point and type."""
        read = sum(self.words.values()) * WORD
        return (read + self.acts * ACT + self.characters * CHARACTER) / 60

    def __str__(self) -> str:
        counts = f"{self.acts} acts, {self.characters} characters, {sum(self.words.values())} words"
        return f"{self.worked:.1f} min of work ({counts}), {self.waited:.1f} min of the browser and the site"
