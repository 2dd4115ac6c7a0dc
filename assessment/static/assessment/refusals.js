// Judgments that the server refused or stored otherwise than intended, shown until the assessor dismisses the list.

import { nameOf } from "./outbox.js";
import { say } from "./texts.js";

export class Refusals {
  #note;
  #lines;

  /** `onRead` is called when the list is dismissed. */
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

  /** Shows the refusal or the note of an event, once even if two pages report it; `base` as for `nameOf`. */
  add({ event, error, receipt }, base) {
    const { client_uuid: id } = event.fields;
    if ([...this.#lines.children].some((line) => line.dataset.event === id)) return;
    const line = document.createElement("p");
    line.dataset.event = id;
    const values = { item: nameOf(event, base), error: error ?? receipt.note };
    line.textContent = say(receipt ? "not_counted" : "refused", values);
    this.#lines.append(line);
    this.#note.hidden = false;
  }
}
