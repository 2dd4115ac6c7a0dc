// The events of the outbox that a judgment makes.

import { judgmentOf } from "./history.js";
import { hashOf } from "./picture.js";

export class ItemEvents {
  #screen;

  /** `screen` has the page's form, addresses, history, remarks, replies, looks, mode and stopwatch. */
  constructor(screen) {
    this.#screen = screen;
  }

  /**
   * The event of a mark, with comment, flag and replies, added to the history; undefined if it changes nothing.
   *
   * `stage` has the picture that was shown; `more` are fields that replace those of a single item.
   */
  judgment(place, mark, shownAt, { stage = document.getElementById("stage"), more = {} } = {}) {
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
    if (!history.add(judgmentOf(place, fields))) return undefined;
    return addresses.event("judgment", place, {
      active_seconds: watch.read().toFixed(2),
      ...fields,
      criteria_version: form.elements.criteria_version.value,
      image_sha256: hashOf(stage),
      shown_at: shownAt.toISOString(),
      looks_back: looks.take(),
    });
  }

  /** The event that undoes the last judgment, which it removes from the history; undefined if there is none. */
  undo() {
    const { addresses, history } = this.#screen;
    const last = history.undoLast();
    if (!last) return undefined;
    return addresses.event("undo", last.place, { undoes: last.client_uuid, client_uuid: crypto.randomUUID() });
  }
}
