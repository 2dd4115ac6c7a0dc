// An assessor's own standing judgments on the items of a topic.

import { areSame, repliesIn } from "./replies.js";

/** The grade as a number, or the reason for giving none. */
export const markOf = (fields) => ("grade" in fields ? Number(fields.grade) : fields.reason);

/** What an event's fields say of the item at a place. */
export const judgmentOf = (place, fields) => ({
  place,
  client_uuid: fields.client_uuid,
  mark: markOf(fields),
  replies: repliesIn(fields),
});

export class History {
  #judgments; // oldest first
  #settled; // places that need no judgment though the assessor has given none
  #count; // places there are

  constructor({ history, settled, count }) {
    this.#judgments = history;
    this.#settled = new Set(settled);
    this.#count = count;
  }

  /** The latest standing judgment of each place. */
  standing() {
    return new Map(this.#judgments.map((judgment) => [judgment.place, judgment]));
  }

  at(place) {
    return this.standing().get(place);
  }

  last() {
    return this.#judgments.at(-1);
  }

  /** Adds a judgment, unless one that says the same stands there; whether it did. */
  add(judgment) {
    const current = this.at(judgment.place);
    const isSame = current?.mark === judgment.mark && areSame(current.replies, judgment.replies);
    if (!isSame) this.#judgments.push(judgment);
    return !isSame;
  }

  /** Takes the last judgment back and returns it; undefined where there is none. */
  takeBack() {
    return this.#judgments.pop();
  }

  forget(uuid) {
    this.#judgments = this.#judgments.filter((judgment) => judgment.client_uuid !== uuid);
  }

  /** There are `count` places now. */
  grow(count) {
    this.#count = Math.max(this.#count, count);
  }

  get count() {
    return this.#count;
  }

  /** The item at the place is somebody else's now: it needs no judgment of this assessor. */
  settle(place) {
    this.#settled.add(place);
  }

  /** Takes up an event that the outbox still holds from before the page was loaded. */
  takeUp({ fields, place }) {
    if (fields.undoes) this.forget(fields.undoes);
    else if (!this.#judgments.some((each) => each.client_uuid === fields.client_uuid)) {
      this.#judgments.push(judgmentOf(place, fields));
    }
  }

  /** Up to `count` places without a judgment, from the place on and round. */
  openPlaces(after, count = this.#count) {
    const marks = this.standing();
    const places = [];
    for (let step = 1; step <= this.#count && places.length < count; step += 1) {
      const place = ((after - 1 + step) % this.#count) + 1;
      if (!marks.has(place) && !this.#settled.has(place)) places.push(place);
    }
    return places;
  }
}
