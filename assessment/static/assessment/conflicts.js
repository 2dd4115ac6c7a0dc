// Items with two judgments of the assessor: the one that is stored, and one from here that would replace it unseen.

import { judgmentOf } from "./history.js";
import { inWords } from "./marks.js";
import { say } from "./texts.js";

export class Conflicts {
  #note;
  #history;
  #post;
  #remove;
  #nominal;
  #events = new Map(); // place -> the refused events, oldest first

  /** `post(event)` sends the chosen judgment; `remove(events)` deletes refused ones, and tells other pages. */
  constructor(note, { history, post, remove, nominal }) {
    [this.#note, this.#history, this.#post, this.#remove] = [note, history, post, remove];
    this.#nominal = nominal; // the name of the answer beside the grades
    note.addEventListener("click", ({ target }) => {
      const { place, keeps } = target.closest("button")?.dataset ?? {};
      if (place) this.#choose(Number(place), keeps === "here");
    });
  }

  get isEmpty() {
    return this.#events.size === 0;
  }

  /** The mark that was given here and is not stored; undefined if there is none. */
  markAt(place) {
    const last = this.#events.get(place)?.at(-1);
    return last && judgmentOf(place, last.fields).mark;
  }

  /** Adds an event that the server refused because it replaces another judgment than the current one. */
  add(event) {
    const events = this.#events.get(event.place) ?? [];
    if (!events.some(({ fields }) => fields.client_uuid === event.fields.client_uuid)) events.push(event);
    this.#events.set(event.place, events);
    this.paint();
  }

  /** Takes back an event that is undone here, with its undo; returns whether it was in conflict. */
  withdraw(place, undo) {
    const events = this.#events.get(place) ?? [];
    const left = events.filter(({ fields }) => fields.client_uuid !== undo.fields.undoes);
    if (left.length === events.length) return false;
    if (left.length) this.#events.set(place, left);
    else this.#events.delete(place);
    this.#remove([undo, ...events.filter((event) => !left.includes(event))]);
    this.paint();
    return true;
  }

  /** Forgets what is not stored at a place: its assessor has decided, here or on another page. */
  settle(place) {
    const events = this.#events.get(place);
    if (!events) return;
    this.#events.delete(place);
    this.#remove(events);
    this.paint();
  }

  #choose(place, isFromHere) {
    const { fields, ...event } = this.#events.get(place).at(-1);
    this.settle(place);
    if (!isFromHere) return this.#post();
    const { is_by_rest: _, ...given } = fields;
    const chosen = {
      ...given,
      client_uuid: crypto.randomUUID(),
      given_at: new Date().toISOString(),
      replaces: this.#history.at(place)?.client_uuid || "none",
    };
    this.#history.add(judgmentOf(place, chosen));
    const { refused: _error, isConflict: _flag, ...sent } = event;
    this.#post({ ...sent, fields: chosen });
  }

  /** Shows both judgments of each item, and asks which one counts. */
  paint() {
    const lines = [...this.#events.keys()].sort((one, other) => one - other).map((place) => this.#line(place));
    this.#note.replaceChildren(...lines);
    this.#note.hidden = lines.length === 0;
  }

  #words(mark) {
    return inWords(mark, this.#nominal, say(mark === undefined ? "cell_open" : "no_grade"));
  }

  #line(place) {
    const [line, text] = [document.createElement("p"), document.createElement("span")];
    const [mine, theirs] = [this.#words(this.markAt(place)), this.#history.at(place)?.mark];
    const isHidden = theirs === null; // a blind adjudication
    text.textContent = say(isHidden ? "conflict_hidden" : "conflict", { place, mine, theirs: this.#words(theirs) });
    const keeps = (side, mark) => {
      const button = document.createElement("button");
      [button.type, button.dataset.place, button.dataset.keeps] = ["button", place, side];
      button.textContent = mark === undefined ? say("keep_stored") : say("keep", { mark });
      return button;
    };
    line.append(text, " ", keeps("here", mine), " ", keeps("stored", isHidden ? undefined : this.#words(theirs)));
    return line;
  }
}
