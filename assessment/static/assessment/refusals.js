// Judgments that the server refused or stored otherwise than intended, shown until the assessor dismisses the list.

import { baseOf } from "./addresses.js";
import { markOf } from "./marks.js";
import { nameOf } from "./outbox.js";
import { say } from "./texts.js";

/** What the assessor gave in an event: the grade and the comment. */
function contentOf({ fields }) {
  const mark = "grade" in fields || "reason" in fields ? markOf(fields) : undefined;
  const grade = mark === undefined ? "" : say("given", { mark: typeof mark === "number" ? mark : say("no_grade") });
  return `${grade} ${fields.comment ? `“${fields.comment}”` : ""}`.trim();
}

export class Refusals {
  #note;
  #lines;
  #onRead;
  #events = new Map(); // id -> event
  #groups = new Map(); // surface and reason -> {line, events}

  /** `onRead(events)` is called with the events of the list when it is dismissed. */
  constructor(note, onRead) {
    [this.#note, this.#onRead] = [note, onRead];
    this.#lines = note.querySelector("div");
    note.querySelector("button").addEventListener("click", () => this.#dismiss());
  }

  get areRead() {
    return this.#note.hidden;
  }

  /** Shows events that were refused before the page was loaded; `base` as for `nameOf`. */
  addKept(events, base) {
    for (const event of events) this.add({ event, error: event.refused }, base);
  }

  /** Shows the refusal or the note of an event, once even if two pages report it. */
  add({ event, error, receipt }, base) {
    const { client_uuid: id } = event.fields;
    if (this.#events.has(id)) return;
    this.#events.set(id, event);
    const words = error ?? receipt.note;
    const name = receipt ? "not_counted" : "refused";
    const group = this.#groupOf(`${name} ${baseOf(event)} ${words}`);
    group.events.push(event);
    group.line.replaceChildren(linesOf(group.events, name, words, base));
    this.#note.hidden = false;
  }

  #groupOf(key) {
    if (!this.#groups.has(key)) {
      const line = document.createElement("div");
      this.#lines.append(line);
      this.#groups.set(key, { line, events: [] });
    }
    return this.#groups.get(key);
  }

  #dismiss() {
    const events = [...this.#events.values()];
    this.#note.hidden = true;
    this.#lines.replaceChildren();
    this.#events.clear();
    this.#groups.clear();
    this.#onRead(events);
  }
}

/** One line for events of one topic and reason; it opens the list of them if there are several. */
function linesOf(events, name, error, base) {
  const [event] = events;
  if (events.length === 1) {
    const line = document.createElement("p");
    line.textContent = `${say(name, { item: nameOf(event, base), error })} ${contentOf(event)}`.trim();
    return line;
  }
  const [group, line] = [document.createElement("details"), document.createElement("summary")];
  const item = say("judgments_of", { count: events.length, topic: event.topic ?? say("other_topic") });
  line.textContent = say(name, { item, error });
  const list = document.createElement("ul");
  for (const each of events) {
    const row = document.createElement("li");
    row.textContent = `${nameOf(each, baseOf(each))}: ${contentOf(each)}`;
    list.append(row);
  }
  group.append(line, list);
  return group;
}
