// Asks the server why it serves no item of the topic: whether it is paused, withdrawn, or judging is over.

export class Status {
  #address;
  #onStatus;
  #request = null; // promise

  /** `onStatus(status)` gets "open", "paused", "withdrawn" or "ended". A surface without an address never asks. */
  constructor(address, onStatus) {
    [this.#address, this.#onStatus] = [address, onStatus];
  }

  /** Asks, or waits for the request that is under way. */
  ask() {
    if (!this.#address) return;
    this.#request ??= this.#fetch().finally(() => {
      this.#request = null;
    });
    return this.#request;
  }

  async #fetch() {
    try {
      const response = await fetch(this.#address, { redirect: "error" });
      if (response.status === 404) this.#onStatus("withdrawn"); // the person is no assessor of the track any more
      if (response.ok) this.#onStatus((await response.json()).status);
    } catch {
      // no connection, or signed out: asked again at the next failure
    }
  }
}
