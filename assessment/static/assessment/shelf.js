// Items of the topic, fetched and decoded before they are needed.

import { layOutLong } from "./long_picture.js";
import { settlePicture } from "./picture.js";

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

  /** Fetches the places `ahead`, drops all others but those `behind`; resolves to the number that is ready. */
  async prepare(ahead, behind) {
    for (const place of this.#pending.keys()) {
      if (!ahead.includes(place) && !behind.includes(place)) this.take(place);
    }
    const fetched = await Promise.allSettled(ahead.map((each) => this.fetch(each)));
    return fetched.filter((each) => each.status === "fulfilled").length;
  }

  async #load(place) {
    const response = await fetch(`${this.#base}items/${place}/content`, { redirect: "error" });
    if (!response.ok) throw new Error(`item ${place}: ${response.status}`);
    const parts = document.createRange().createContextualFragment(await response.text());
    const item = { stage: parts.querySelector("#stage"), lens: parts.querySelector("#lens") };
    await settlePicture(item.stage);
    layOutLong(item.stage);
    this.#ready.set(place, item);
  }
}
