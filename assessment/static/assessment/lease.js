// The lease of a topic that is judged item by item: renewed and extended while somebody works, before it is needed.

import { token } from "./courier.js";

const FEW = 10; // open items that are left when more are leased
const RENEWAL = 60_000; // ms between two requests that no lack of items causes
const PAUSE = 300_000; // ms without a sign of life after which a lease may run out

export class Lease {
  #address;
  #watch;
  #onExtended;
  #openCount = FEW;
  #askedAt = 0;
  #asking = null; // promise

  /** `onExtended({count, free})` gets the number of places, and of items that may be leased later. */
  constructor({ address, watch, onExtended }) {
    [this.#address, this.#watch, this.#onExtended] = [address, watch, onExtended];
    this.#askedAt = Date.now();
    setInterval(() => this.#renew(), RENEWAL);
  }

  /** Asks for more items where few are left. */
  keep(openCount, freeCount) {
    this.#openCount = openCount;
    if (openCount < FEW && freeCount > 0) return this.extend();
    return this.#renew();
  }

  async #renew() {
    const isDue = Date.now() - this.#askedAt >= RENEWAL;
    if (isDue && this.#openCount > 0 && this.#watch.idle() < PAUSE) await this.extend();
  }

  /** Asks at once, or waits for the answer that is on its way. */
  extend() {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #ask() {
    this.#askedAt = Date.now();
    try {
      const headers = { Accept: "application/json", "X-CSRFToken": token() };
      const response = await fetch(this.#address, { method: "POST", headers, redirect: "error" });
      if (response.ok) this.#onExtended(await response.json());
    } catch {
      // no connection: asked again at the next item, or in a minute
    }
  }
}
