// Replies to the questions that are asked once a wall: one holds for all of its items.

export class WallReplies {
  #name;
  #names;
  #history;

  /** `asked_once` has the names of the fields. */
  constructor({ assessor, base, asked_once: names = [] }, history) {
    [this.#name, this.#names, this.#history] = [`trackside-replies-${assessor}-${base}`, names, history];
  }

  /** The replies on a wall with these places: those of its last grade, or those chosen in this tab before the first. */
  at(number, places) {
    const isGrade = ({ place, mark }) => typeof mark === "number" && places.includes(place);
    const last = this.#history.all().findLast(isGrade);
    const replies = last?.replies ?? JSON.parse(sessionStorage.getItem(this.#name + number) ?? "{}");
    return Object.fromEntries(Object.entries(replies).filter(([name]) => this.#names.includes(name)));
  }

  /** Shows the replies in the page's fields, unless somebody is at them. */
  show(number, places, replies) {
    const isInUse = document.getElementById("questions")?.contains(document.activeElement);
    if (!isInUse) replies.show(this.at(number, places));
  }

  /** Keeps what was chosen, also for items that are opened. */
  keep(number, replies) {
    sessionStorage.setItem(this.#name + number, JSON.stringify(replies));
  }
}

/** The fields of a judgment that is given again: its mark, and its replies to questions that are not on the page. */
export function fieldsAgain({ mark, is_by_rest: isRest, copied_from: source, replies: given }, replies) {
  const others = Object.entries(given).filter(([name]) => !replies.has(name));
  return {
    [typeof mark === "number" ? "grade" : "reason"]: String(mark),
    ...Object.fromEntries(others),
    ...(isRest && { is_by_rest: "on" }),
    ...(source && { copied_from: source }),
  };
}
