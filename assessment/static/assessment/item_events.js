// The events of the outbox that a judgment makes.

import { judgmentOf } from "./history.js";

const NONE = "none"; // what a judgment of an open item replaces

export class ItemEvents {
  #screen;

  /** `screen` has the page's form, addresses, history, remarks, replies, looks, mode and stopwatch. */
  constructor(screen) {
    this.#screen = screen;
  }

  /**
   * The event of a mark, with comment, flag and replies, added to the history; undefined if it changes nothing.
   *
   * `hash` is that of the picture that was seen; `more` are fields that replace those of a single item.
   */
  judgment(place, mark, shownAt, { hash, more = {} }) {
    const { form, addresses, history, remarks, replies, looks, mode, watch } = this.#screen;
    remarks.commit();
    const { comment, is_flagged: isFlagged } = remarks.at(place);
    const fields = {
      ...mark,
      ...mode.fieldsOf(place),
      comment,
      ...replies.given(),
      client_uuid: crypto.randomUUID(),
      ...more,
    };
    if (isFlagged) fields.is_flagged = "on";
    fields.given_at = new Date().toISOString();
    const replaces = history.at(place)?.client_uuid || NONE;
    if (!history.add(judgmentOf(place, fields))) return undefined;
    return addresses.event("judgment", place, {
      active_seconds: watch.read().toFixed(2),
      ...fields,
      replaces,
      criteria_version: form.elements.criteria_version.value,
      image_sha256: hash,
      shown_at: shownAt.toISOString(),
      looks_back: looks.take(),
    });
  }

  /** The event that undoes the last judgment, which it removes from the history; undefined if there is none. */
  undo() {
    const { addresses, history } = this.#screen;
    const last = history.undoLast();
    if (!last) return undefined;
    return addresses.event("undo", last.place, {
      undoes: last.client_uuid,
      client_uuid: crypto.randomUUID(),
      given_at: new Date().toISOString(),
    });
  }
}
