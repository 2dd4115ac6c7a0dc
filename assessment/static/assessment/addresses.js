// Addresses of the items of a surface: by place, or by key where a surface has several topics.

const ITEM = /items\/([^/]+)\/[^/]*$/;

/** The common prefix of the addresses of an event's surface. */
export const baseOf = ({ url }) => url.replace(ITEM, "");

export class Addresses {
  #base;
  #keys;
  #suffix;
  #batch;

  /**
   * `keys` are those of the places 1, 2 ...; `suffix` ends the addresses of GET requests; `batch` is the address that
   * takes several judgments and undos at once.
   */
  constructor({ base, keys, suffix = "", batch }) {
    [this.#base, this.#keys, this.#suffix, this.#batch] = [base, keys?.map(String), suffix, batch];
  }

  /** The prefix of the addresses to which events of the place are sent. */
  of(place) {
    return `${this.#base}items/${this.#keys?.[place - 1] ?? place}/`;
  }

  page(place) {
    return this.of(place) + this.#suffix;
  }

  /** The address under which the browser stores the page for work without a connection. */
  get shell() {
    return `${this.#base}shell`;
  }

  content(place) {
    return `${this.of(place)}content${this.#suffix}`;
  }

  /** An event of the outbox: `what` happened to the item at the place. */
  event(what, place, fields) {
    const topic = document.getElementById("topic-title").textContent.trim();
    const event = { url: this.of(place) + what, place, topic, fields };
    return this.#batch && what !== "remark" ? { ...event, batch: this.#batch } : event;
  }

  /** The events of this surface's items, with their places on it. */
  own(events) {
    const here = events.filter((event) => baseOf(event) === this.#base);
    return this.placed(here.map((event) => ({ ...event, place: undefined, key: event.url.match(ITEM)[1] })));
  }

  /** The same with the place of each `key`; without those that have neither here. */
  placed(events) {
    const placeOf = (key) => (this.#keys ? this.#keys.indexOf(key) + 1 : Number(key));
    return events
      .map(({ key, ...event }) => ({ ...event, place: event.place ?? placeOf(key) }))
      .filter(({ place }) => place);
  }
}

/** Addresses of the walls of an assignment, by number; events are those of items. */
export class WallAddresses extends Addresses {
  #base;
  #wall;

  /** `wall.walls` has the places of each wall. */
  constructor(start, wall) {
    super(start);
    [this.#base, this.#wall] = [`${start.base}walls/`, wall];
  }

  page(number) {
    return `${this.#base}${number}/`;
  }

  /** With the number of items: a lease that is extended fills up the last wall, whose stored cells are then old. */
  content(number) {
    return `${this.page(number)}content?items=${this.#wall.walls[number - 1]?.length}`;
  }

  get shell() {
    return `${this.#base}shell`;
  }
}
