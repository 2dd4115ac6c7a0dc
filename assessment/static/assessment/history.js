// An assessor's own current judgments on the items of a topic.

import { markOf } from "./marks.js";
import { areSame, repliesIn } from "./replies.js";

/** The judgment in an event's fields, on the item at a place. */
export const judgmentOf = (place, fields) => ({
  place,
  client_uuid: fields.client_uuid,
  mark: markOf(fields),
  is_by_rest: "is_by_rest" in fields,
  replies: repliesIn(fields),
});

export class History {
  #judgments; // oldest first
  #settled; // places without a judgment that need none
  #count; // number of places

  constructor({ history, settled, count }) {
    this.#judgments = history;
    this.#settled = new Set(settled);
    this.#count = count;
  }

  /** The current judgment of each place. */
  current() {
    return new Map(this.#judgments.map((judgment) => [judgment.place, judgment]));
  }

  at(place) {
    return this.current().get(place);
  }

  last() {
    return this.#judgments.at(-1);
  }

  /** All judgments, oldest first. */
  all() {
    return [...this.#judgments];
  }

  /** Adds a judgment and returns true, or returns false if the current one is equal. */
  add(judgment) {
    const former = this.at(judgment.place);
    const isSame = former?.mark === judgment.mark && areSame(former.replies, judgment.replies);
    if (!isSame) this.#judgments.push(judgment);
    return !isSame;
  }

  /** Removes and returns the last judgment; undefined if there is none. */
  undoLast() {
    return this.#judgments.pop();
  }

  forget(uuid) {
    this.#judgments = this.#judgments.filter((judgment) => judgment.client_uuid !== uuid);
  }

  /** Raises the number of places to `count`. */
  setCount(count) {
    this.#count = Math.max(this.#count, count);
  }

  get count() {
    return this.#count;
  }

  /** Marks an item that went to somebody else: it needs no judgment by this assessor. */
  settle(place) {
    this.#settled.add(place);
  }

  /** The same state in the form in which the server gives it to a page. */
  snapshot() {
    return { history: this.#judgments, settled: [...this.#settled], count: this.#count };
  }

  /** Applies an event that was in the outbox before the page was loaded. */
  applyQueued({ fields, place }) {
    if (fields.undoes) this.forget(fields.undoes);
    else if (!this.#judgments.some((each) => each.client_uuid === fields.client_uuid)) {
      this.#judgments.push(judgmentOf(place, fields));
    }
  }

  /** Up to `count` places without a judgment, first those after the place `after`, then from the first on. */
  openPlaces(after, count = this.#count) {
    const marks = this.current();
    const places = [];
    for (let step = 1; step <= this.#count && places.length < count; step += 1) {
      const place = ((after - 1 + step) % this.#count) + 1;
      if (!marks.has(place) && !this.#settled.has(place)) places.push(place);
    }
    return places;
  }

  /** The same for up to `count` other places than `place`. */
  openAhead(place, count) {
    const places = this.openPlaces(place, count + 1).filter((each) => each !== place);
    return places.slice(0, count);
  }
}
