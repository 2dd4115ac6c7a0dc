// An assessor's own current judgments on the items of a topic.

import { markOf } from "./marks.js";
import { areSame, repliesIn } from "./replies.js";

/** The judgment in an event's fields, on the item at a place. */
export const judgmentOf = (place, fields) => ({
  place,
  client_uuid: fields.client_uuid,
  mark: markOf(fields),
  is_by_rest: "is_by_rest" in fields,
  copied_from: fields.copied_from,
  replies: repliesIn(fields),
  given_at: fields.given_at,
});

const timeOf = ({ given_at: time }) => (time ? Date.parse(time) : 0);

export class History {
  #judgments; // of each place: those that are stored, in order of storage, then those that wait to be sent
  #waiting = new Set(); // ids of those that wait
  #undone = new Set(); // ids
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

  /** The judgment that was given last, by the assessor's clock. */
  last() {
    return this.all().at(-1);
  }

  /** All judgments in the order in which they were given; those of one place as they replace each other. */
  all() {
    const times = new Map(); // place -> latest time
    const timed = this.#judgments.map((judgment) => {
      times.set(judgment.place, Math.max(times.get(judgment.place) ?? 0, timeOf(judgment)));
      return [times.get(judgment.place), judgment];
    });
    return timed.sort(([one], [other]) => one - other).map(([, judgment]) => judgment);
  }

  /** Adds a judgment that is given now and returns true, or returns false if the current one is equal. */
  add(judgment) {
    const former = this.at(judgment.place);
    const isSame = former?.mark === judgment.mark && areSame(former.replies, judgment.replies);
    if (!isSame) this.#wait(judgment);
    return !isSame;
  }

  #wait(judgment) {
    this.#waiting.add(judgment.client_uuid);
    this.#judgments.push(judgment);
  }

  /** Removes and returns the last judgment; undefined if there is none. */
  undoLast() {
    const last = this.last();
    if (last) this.#undo(last.client_uuid);
    return last;
  }

  #undo(uuid) {
    this.#undone.add(uuid);
    this.forget(uuid);
  }

  forget(uuid) {
    this.#waiting.delete(uuid);
    this.#judgments = this.#judgments.filter((judgment) => judgment.client_uuid !== uuid);
  }

  #has(uuid) {
    return this.#undone.has(uuid) || this.#judgments.some((judgment) => judgment.client_uuid === uuid);
  }

  /** Applies an event that another page has made, or that was in the outbox before the page was loaded. */
  applyQueued({ fields, place }) {
    if (fields.undoes) this.#undo(fields.undoes);
    else if (!this.#has(fields.client_uuid)) this.#wait(judgmentOf(place, fields));
  }

  /** Notes that the server has stored an event. */
  applyStored({ fields, place }) {
    this.applyQueued({ fields, place });
    this.#waiting.delete(fields.client_uuid);
  }

  /** Applies the judgments and undos that the server has stored last, in its order: `{place, undoes}` is an undo. */
  applyNews(events) {
    for (const event of events) {
      const { client_uuid: id, undoes } = event;
      if (undoes) this.#undo(undoes);
      else if (!this.#undone.has(id)) {
        this.#waiting.delete(id);
        this.#store(event, (stored) => [...stored.filter((judgment) => judgment.client_uuid !== id), event]);
      }
    }
  }

  /** Takes over the judgment that the server names as the current one at a place, or null for none. */
  adopt(place, current) {
    this.#store({ place }, (stored) => {
      const ids = stored.map((judgment) => judgment.client_uuid);
      if (!current) return [];
      this.#undone.delete(current.client_uuid);
      const index = ids.indexOf(current.client_uuid);
      return index < 0 ? [...stored, { ...current, place }] : stored.slice(0, index + 1);
    });
  }

  /** Changes the stored judgments of a place; those that wait stay after them. */
  #store({ place }, change) {
    const others = this.#judgments.filter((judgment) => judgment.place !== place);
    const own = this.#judgments.filter((judgment) => judgment.place === place);
    const isWaiting = ({ client_uuid: id }) => this.#waiting.has(id);
    const stored = change(own.filter((judgment) => !isWaiting(judgment)));
    this.#judgments = [...others, ...stored, ...own.filter(isWaiting)];
  }

  /** Raises the number of places to `count`. */
  setCount(count) {
    this.#count = Math.max(this.#count, count);
  }

  get count() {
    return this.#count;
  }

  /** The places with a judgment of the assessor's own, and the number of those that need one. */
  get progress() {
    const done = this.current().size;
    return { done, total: this.#count - [...this.#settled].filter((place) => !this.at(place)).length };
  }

  /** Marks an item that went to somebody else: it needs no judgment by this assessor. */
  settle(place) {
    this.#settled.add(place);
  }

  /** The same state in the form in which the server gives it to a page. */
  snapshot() {
    return { history: this.#judgments, settled: [...this.#settled], count: this.#count };
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
