// Marking of the topic's words in the item, on demand.

import { highlight } from "./highlight.js";

export class Terms {
  #button;
  #title;
  #parts;
  #isOn = false; // until the key is pressed again
  #canMark = "Highlight" in window;

  /** `parts()` returns the elements to mark words in; those that are not there are null. */
  constructor(button, title, parts) {
    [this.#button, this.#title, this.#parts] = [button, title, parts];
    button.hidden = !this.#canMark;
  }

  toggle() {
    this.#isOn = !this.#isOn;
    this.#button.ariaPressed = this.#isOn;
    this.paint();
  }

  paint() {
    if (!this.#canMark) return;
    const parts = this.#parts().filter((part) => part);
    highlight(this.#isOn ? this.#title.textContent : "", parts);
  }
}
