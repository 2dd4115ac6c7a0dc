// Marks words in the item: the topic's on demand, and the reader's own, which this browser stores by topic.

import { highlight, ownWordsOf, wordsOf } from "./highlight.js";
import { say } from "./texts.js";

const byId = (id) => document.getElementById(id);

export class Terms {
  #assessor;
  #parts;
  #isOn = false; // whether the topic's words are marked
  #canMark = "Highlight" in window;

  /** `parts()` returns the elements in which to mark words, null for those that do not exist. */
  constructor(assessor, parts) {
    [this.#assessor, this.#parts] = [assessor, parts];
    byId("terms").hidden = byId("words").hidden = !this.#canMark;
    byId("own-words").addEventListener("input", () => {
      localStorage.setItem(this.#name, byId("own-words").value);
      this.paint();
    });
  }

  get #name() {
    return `trackside-words-${this.#assessor}-${byId("topic").dataset.topic}`;
  }

  toggle() {
    this.#isOn = !this.#isOn;
    byId("terms").ariaPressed = this.#isOn;
    this.paint();
  }

  paint() {
    if (!this.#canMark) return;
    const parts = this.#parts().filter((part) => part);
    highlight("terms", wordsOf(this.#isOn ? byId("topic-title").textContent : ""), parts);
    const own = localStorage.getItem(this.#name) ?? "";
    if (document.activeElement !== byId("own-words")) byId("own-words").value = own;
    const count = highlight("own", ownWordsOf(own), parts);
    byId("own-count").textContent = own.trim() ? say("count_found", { count }) : "";
  }
}
