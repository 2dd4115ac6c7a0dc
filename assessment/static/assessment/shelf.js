// Items of the topic, fetched and decoded before they are needed.

export class Shelf {
  #base;
  #pending = new Map(); // place -> promise of {stage, lens}
  #ready = new Map(); // place -> {stage, lens}

  constructor(base) {
    this.#base = base;
  }

  /** The item's elements if they can be shown at once, else undefined. Each may be taken once. */
  take(place) {
    const item = this.#ready.get(place);
    this.#ready.delete(place);
    this.#pending.delete(place);
    return item;
  }

  /** Lays an item back that was on the screen: going back to it takes no time. */
  put(place, item) {
    this.#ready.set(place, item);
    this.#pending.set(place, Promise.resolve());
  }

  /** Fetches and decodes an item; resolves when `take` will have it, rejects when it cannot be had now. */
  fetch(place) {
    if (!this.#pending.has(place)) {
      const fetched = this.#load(place);
      this.#pending.set(place, fetched);
      fetched.catch(() => this.#pending.delete(place));
    }
    return this.#pending.get(place);
  }

  /** Drops everything but these places. */
  keep(places) {
    for (const place of this.#pending.keys()) {
      if (!places.includes(place)) this.take(place);
    }
  }

  async #load(place) {
    const response = await fetch(`${this.#base}items/${place}/content`, { redirect: "error" });
    if (!response.ok) throw new Error(`item ${place}: ${response.status}`);
    const parts = document.createRange().createContextualFragment(await response.text());
    const item = { stage: parts.querySelector("#stage"), lens: parts.querySelector("#lens") };
    await item.stage.querySelector("img")?.decode();
    this.#ready.set(place, item);
  }
}
