// What the server would not take, in sight until its reader has put it away.

import { nameOf } from "./outbox.js";

export class Refusals {
  #note;
  #lines;

  /** `onRead` is called when the reader has put them away. */
  constructor(note, onRead) {
    this.#note = note;
    this.#lines = note.querySelector("div");
    note.querySelector("button").addEventListener("click", () => {
      note.hidden = true;
      this.#lines.replaceChildren();
      onRead();
    });
  }

  get areRead() {
    return this.#note.hidden;
  }

  /** Shows the refusal of an event, once if two pages have met it; `base` as for `nameOf`. */
  add({ event, error }, base) {
    const { client_uuid: id } = event.fields;
    if ([...this.#lines.children].some((line) => line.dataset.event === id)) return;
    const line = document.createElement("p");
    line.dataset.event = id;
    line.textContent = `Not saved: ${nameOf(event, base)}. ${error}`;
    this.#lines.append(line);
    this.#note.hidden = false;
  }
}
