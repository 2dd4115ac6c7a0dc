// The differences between work, training and adjudication.

import { hint } from "./hint.js";
import { say } from "./texts.js";
import { WallReplies } from "./wall_replies.js";

const FROM_WALL = "#wall"; // the hash in the links of a wall
const GRADED = "-graded"; // the end of the hash that leads back

const byId = (id) => document.getElementById(id);

/** Writes a note on each grade button: `notes` by value. */
function noteGrades(notes) {
  for (const button of byId("grades").elements) {
    const note = button.querySelector("em");
    note.textContent = notes.get(button.value)?.join(", ") ?? "";
    note.hidden = !note.textContent;
  }
}

/** Work: after a grade the next item is shown. */
export class Work {
  isRecordHidden = false; // whether the server sends more about an item once it is judged
  isFromWall = false; // whether the item was opened from a wall, which is shown again after its mark

  /** More fields of a judgment. */
  fieldsOf() {
    return {};
  }
  mayGrade() {
    return true;
  }
  begin() {}
  staysAtItem() {
    return false;
  }
  onReceipt() {}
  /** The replies that the screen shows first. */
  repliesAt(place, history) {
    return history.at(place)?.replies ?? {};
  }
}

/** Practice shows the expected grade after the assessor's own; the exam does not. The first grade counts. */
class Training extends Work {
  #answers;
  #announcer;

  constructor({ answers }, announcer) {
    super();
    this.#answers = new Map(Object.entries(answers).map(([place, answer]) => [Number(place), answer]));
    this.#announcer = announcer;
  }

  mayGrade(mark) {
    if (mark !== undefined) hint(say("graded_already"), { isUrgent: true });
    return mark === undefined;
  }

  staysAtItem() {
    return byId("band").dataset.use === "practice";
  }

  begin(place, mark) {
    const isShown = this.staysAtItem() && mark !== undefined;
    byId("expected").hidden = !isShown;
    const notes = new Map();
    if (isShown) this.#showExpected(this.#answers.get(place), mark, notes);
    noteGrades(notes);
  }

  #showExpected(answer, mark, notes) {
    const [verdict, words] = byId("expected").querySelectorAll("p > span");
    verdict.className = answer ? `st ${answer.is_right ? "ok" : "bad"}` : "st";
    verdict.textContent = answer?.verdict ?? say("given", { mark });
    words.textContent = answer?.words ?? say("expected_later");
    notes.set(String(mark), [say("yours")]);
    if (!answer) return;
    const expected = String(answer.expected);
    notes.set(expected, [...(notes.get(expected) ?? []), say("expected")]);
  }

  /** Shows the server's response to the grade of a place. */
  onReceipt(place, { answer }, isHere) {
    if (!answer) return;
    this.#answers.set(place, answer);
    if (isHere) this.#announcer.announce(`${answer.verdict} ${answer.words}`);
  }
}

/** Adjudication: the grades on record are shown after the adjudicator's own, unless the page shows them at once. */
class Adjudication extends Work {
  constructor({ saw_record: isOpen }) {
    super();
    this.isRecordHidden = !isOpen;
  }

  fieldsOf() {
    return this.isRecordHidden ? {} : { saw_record: "on" };
  }

  staysAtItem() {
    return this.isRecordHidden;
  }

  begin(_place, mark) {
    const rows = [...document.querySelectorAll("#record [data-name]")];
    const notes = new Map();
    for (const { dataset } of rows) notes.set(dataset.mark, [...(notes.get(dataset.mark) ?? []), dataset.name]);
    noteGrades(notes);
    byId("graded").hidden = !this.isRecordHidden || mark === undefined;
    byId("on-record").hidden = rows.length > 0;
  }
}

class FromWall extends Work {
  isFromWall = true;
  #start;
  #base;
  #walls;
  #singles;

  constructor(start) {
    super();
    const { base, walls, singles = [] } = start;
    [this.#start, this.#base, this.#walls, this.#singles] = [start, base, walls, singles];
  }

  repliesAt(place, history) {
    const [wall] = cellOf(this.#walls, place);
    const ofWall = wall ? new WallReplies(this.#start, history).at(wall, this.#walls[wall - 1]) : {};
    return { ...super.repliesAt(place, history), ...ofWall };
  }

  fieldsOf(place) {
    const [wall, cell] = cellOf(this.#walls, place);
    return wall && !this.#singles.includes(place) ? { wall, cell, is_opened: "on" } : {};
  }

  /** Shows the wall of the item at the place again; `isGraded`: the cursor goes on from there. */
  leave(place, { isGraded = false } = {}) {
    const [wall] = cellOf(this.#walls, place);
    location.replace(wall ? `${this.#base}walls/${wall}/#${place}${isGraded ? GRADED : ""}` : this.#base);
  }
}

/** The place in the hash of a wall's address, and whether it was graded on its own page. */
export const placeIn = (hash) => [Number.parseInt(hash.slice(1), 10) || undefined, hash.endsWith(GRADED)];

/** The numbers of the wall and of the cell of a place, both from 1; an empty list if it is on no wall. */
export function cellOf(walls, place) {
  const index = walls.findIndex((wall) => wall.includes(place));
  return index < 0 ? [] : [index + 1, walls[index].indexOf(place) + 1];
}

/** The mode of the page that `start` describes. */
export function modeOf(start, announcer) {
  if (location.hash === FROM_WALL && start.walls?.length) return new FromWall(start);
  const Mode = { work: Work, training: Training, adjudication: Adjudication }[start.mode];
  return new Mode(start, announcer);
}
