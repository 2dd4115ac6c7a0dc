// The states of a judging surface, the screen of single items or the wall, and the events that lead from one to
// another. A place is that of an item, or the number of a wall. Keys give marks in the state "shown" alone.

const OVER = { withdraw: "withdrawn", end: "ended" };
const ITEM = { load: "loading", finish: "finished", ...OVER };

/** The next state by state and event; an event without a next state is ignored. */
export const NEXT = {
  loading: { ...ITEM, arrive: "shown", miss: "waiting" }, // the item is being fetched
  waiting: { ...ITEM, arrive: "shown", miss: "waiting" }, // it cannot be fetched now, and is tried again
  shown: { ...ITEM, arrive: "shown", leave: "leaving" },
  finished: { ...ITEM, reopen: "shown", leave: "leaving" }, // no item is left: the page leaves once all is sent
  leaving: { load: "loading", stay: "shown", ...OVER }, // another page was asked for
  withdrawn: {}, // the organizers have given the topic to somebody else or closed it
  ended: { withdraw: "withdrawn", resume: "loading" }, // judging is over, unless the organizers open it again
};

const OF_ITEM = ["arrive", "miss"]; // events of the item at a place: they come too late if another was asked for

export class Machine {
  #state = "loading";
  #place;
  #hasItem = false; // whether the item of the place is on the screen
  #onChange;

  /** `onChange(state)` is called after each accepted event. */
  constructor(place, onChange = () => {}) {
    [this.#place, this.#onChange] = [place, onChange];
  }

  get state() {
    return this.#state;
  }

  get place() {
    return this.#place;
  }

  /** Whether the item of the place is on the screen and may be judged. */
  get mayJudge() {
    return this.#hasItem && this.#state === "shown";
  }

  /** Whether a judgment may be undone: as for a mark, and once no item is left. */
  get mayUndo() {
    return this.mayJudge || this.#state === "finished";
  }

  /** Whether the item of the place is on the screen. */
  get hasItem() {
    return this.#hasItem;
  }

  /** Whether no item of the topic can be judged any more. */
  get isOver() {
    return this.#state === "withdrawn" || this.#state === "ended";
  }

  /** Whether the screen waits for the item at the place. */
  awaits(place) {
    return place === this.#place && (this.#state === "loading" || this.#state === "waiting");
  }

  /** Applies an event, of the item at `place` where one is named; returns whether it was accepted. */
  send(event, place = this.#place) {
    const next = NEXT[this.#state][event];
    if (!next || (OF_ITEM.includes(event) && place !== this.#place)) return false;
    if (event === "load") this.#place = place;
    if (event === "arrive") this.#hasItem = true;
    if (event === "load" || event in OVER) this.#hasItem = false;
    this.#state = next === "shown" && !this.#hasItem ? "loading" : next;
    this.#onChange(this.#state);
    return true;
  }
}
