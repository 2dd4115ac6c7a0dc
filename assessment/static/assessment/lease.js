// Renews and extends the lease of items of a topic while the assessor works.

import { token } from "./sender.js";

const FEW = 10; // open items; with fewer, more are leased
const HELD = 70; // the same, if items are stored for work without a connection
const RENEWAL = 60_000; // ms between two renewals
const PAUSE = 300_000; // ms without activity after which a lease may expire

export class Lease {
  #address;
  #watch;
  #isHeld;
  #onExtended;
  #openCount = FEW;
  #requestedAt = 0;
  #request = null; // promise

  /**
   * `onExtended({count, free})` gets the number of places, and of items that may be leased later; `isHeld()` returns
   * whether items are stored in this browser: then more are leased, and for longer.
   */
  constructor({ address, watch, onExtended, isHeld }) {
    [this.#address, this.#watch, this.#onExtended, this.#isHeld] = [address, watch, onExtended, isHeld];
    this.#requestedAt = Date.now();
    setInterval(() => this.#renew(), RENEWAL);
  }

  /** Leases more items if few are left, else renews the lease if it is due. */
  update(openCount, freeCount) {
    this.#openCount = openCount;
    if (openCount < (this.#isHeld() ? HELD : FEW) && freeCount > 0) return this.extend();
    return this.#renew();
  }

  async #renew() {
    const isDue = Date.now() - this.#requestedAt >= RENEWAL;
    if (isDue && this.#openCount > 0 && this.#watch.idle() < PAUSE) await this.extend();
  }

  /** Requests an extension, or waits for the request that is under way. */
  extend() {
    this.#request ??= this.#post().finally(() => {
      this.#request = null;
    });
    return this.#request;
  }

  async #post() {
    this.#requestedAt = Date.now();
    try {
      const headers = { Accept: "application/json", "X-CSRFToken": token() };
      const body = new URLSearchParams(this.#isHeld() ? { is_held: "on" } : {});
      const response = await fetch(this.#address, { method: "POST", headers, body, redirect: "error" });
      if (response.ok) this.#onExtended(await response.json());
    } catch {
      // no connection: retried at the next item, or in a minute
    }
  }
}
