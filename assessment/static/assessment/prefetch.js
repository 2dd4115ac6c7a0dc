// Fetches and decodes the next items, or walls, of the topic.

import { layOutLong } from "./long_picture.js";
import { partsIn } from "./parts.js";
import { settlePicture } from "./picture.js";

const RETRY = 3_000; // ms until a failed item is requested again

export class Prefetch {
  #addresses;
  #onGone;
  #request;
  #pending = new Map(); // place -> promise
  #ready = new Map(); // place -> its parts

  /**
   * `onGone()` is called when the server has no item at a place of the topic; `request(address)` resolves to
   * the response.
   */
  constructor(addresses, onGone, request = (address) => fetch(address, { redirect: "error" })) {
    [this.#addresses, this.#onGone, this.#request] = [addresses, onGone, request];
  }

  /** Returns and removes the item's elements if they are ready, else returns undefined. */
  take(place) {
    const item = this.#ready.get(place);
    this.#ready.delete(place);
    this.#pending.delete(place);
    return item;
  }

  /** Stores an item that was on the screen, so that going back to it takes no time. */
  put(place, item) {
    this.#ready.set(place, item);
    this.#pending.set(place, Promise.resolve());
  }

  /** Fetches and decodes an item; resolves when it is ready, rejects if it cannot be loaded now. */
  fetch(place) {
    if (!this.#pending.has(place)) this.#start(place, this.#request);
    return this.#pending.get(place);
  }

  #start(place, request) {
    const fetched = this.#load(place, request);
    this.#pending.set(place, fetched);
    fetched.catch(() => this.#pending.delete(place));
  }

  /** Fetches an item anew, as it differs once it is judged, or a wall by another `request`. */
  async reload(place, request = this.#request) {
    this.take(place);
    this.#start(place, request);
    await this.#pending.get(place);
    return this.#ready.get(place);
  }

  /** The item's elements once they are loaded; retries while `isWanted()`, and calls `onMiss()` at each failure. */
  async wait(place, isWanted, onMiss) {
    while (isWanted()) {
      try {
        await this.fetch(place);
        return isWanted() ? this.take(place) : undefined;
      } catch {
        onMiss();
        await new Promise((resolve) => setTimeout(resolve, RETRY));
      }
    }
    return undefined;
  }

  /** Fetches the places `ahead` and drops all others except `behind`; resolves to the number that is ready. */
  async prepare(ahead, behind) {
    for (const place of this.#pending.keys()) {
      if (!ahead.includes(place) && !behind.includes(place)) this.take(place);
    }
    const fetched = await Promise.allSettled(ahead.map((each) => this.fetch(each)));
    return fetched.filter((each) => each.status === "fulfilled").length;
  }

  async #load(place, request) {
    const response = await request(this.#addresses.content(place));
    if (response.status === 404) this.#onGone();
    if (!response.ok) throw new Error(`item ${place}: ${response.status}`);
    const item = partsIn(document.createRange().createContextualFragment(await response.text()));
    if (item.stage) {
      item.stage.dataset.place = place;
      await settlePicture(item.stage);
      layOutLong(item.stage);
    }
    this.#ready.set(place, item);
  }
}
