// How often the assessor has opened judged items of the topic since the last judgment; kept while pages change.

export class Looks {
  #name;

  constructor({ assessor, base }) {
    this.#name = `trackside-looks-${assessor}-${base}`;
  }

  get #count() {
    try {
      return Number(localStorage.getItem(this.#name));
    } catch {
      return 0; // storage is forbidden: looks of earlier pages are not counted
    }
  }

  #store(count) {
    try {
      if (count) localStorage.setItem(this.#name, count);
      else localStorage.removeItem(this.#name);
    } catch {
      // full or forbidden
    }
  }

  add() {
    this.#store(this.#count + 1);
  }

  /** Returns the count and starts anew. */
  take() {
    const count = this.#count;
    this.#store(0);
    return count;
  }
}
