// Judgments on their way: kept in the browser, in order, until the server says that it has them.

const STORE = "events";
const LONGEST_WAIT = 30_000; // ms between two tries
const TIMEOUT = 15_000; // ms for one try

/** A request of IndexedDB as a promise. */
function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Opens the outbox of one assessor. Rejects where the browser keeps no databases. */
export async function openOutbox(assessor) {
  const request = indexedDB.open(`trackside-outbox-${assessor}`, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { autoIncrement: true });
  return new Outbox(await settled(request));
}

class Outbox {
  #database;

  constructor(database) {
    this.#database = database;
  }

  #store(mode = "readonly") {
    return this.#database.transaction(STORE, mode).objectStore(STORE);
  }

  /** Keeps an event `{url, fields}` behind those that wait. */
  add(event) {
    return settled(this.#store("readwrite").add(event));
  }

  /** All events that wait, oldest first. */
  all() {
    return settled(this.#store().getAll());
  }

  /** The oldest event and its key, or null. */
  async oldest() {
    const cursor = await settled(this.#store().openCursor());
    return cursor && { key: cursor.key, event: cursor.value };
  }

  remove(key) {
    return settled(this.#store("readwrite").delete(key));
  }
}

/**
 * Sends what the outbox holds, one after the other, and tells how it stands.
 *
 * `tell` gets {state, count} with state "saving", "saved" (and `receipt`), "kept" (no answer: tried again),
 * "blocked" (not signed in as before: kept and tried again) or "refused" (and `error`, `event`: given up).
 */
export class Courier {
  #outbox;
  #token;
  #tell;
  #isRunning = false;
  #wait = 1_000;
  #timer = 0;

  constructor(outbox, token, tell) {
    this.#outbox = outbox;
    this.#token = token;
    this.#tell = tell;
    addEventListener("online", () => this.run());
  }

  async run() {
    clearTimeout(this.#timer);
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (await this.#sendOldest());
    } finally {
      this.#isRunning = false;
    }
  }

  /** Whether to go on with the next one at once. */
  async #sendOldest() {
    const oldest = await this.#outbox.oldest();
    if (!oldest) return false;
    await this.#report({ state: "saving" });
    const outcome = await this.#post(oldest.event);
    if (outcome.state === "kept" || outcome.state === "blocked") {
      this.#timer = setTimeout(() => this.run(), this.#wait);
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    } else {
      await this.#outbox.remove(oldest.key);
      this.#wait = 1_000;
    }
    await this.#report({ ...outcome, event: oldest.event });
    return outcome.state === "saved" || outcome.state === "refused";
  }

  async #report(news) {
    this.#tell({ ...news, count: (await this.#outbox.all()).length });
  }

  async #post({ url, fields }) {
    try {
      const response = await fetch(url, {
        method: "POST",
        body: new URLSearchParams(fields),
        headers: { Accept: "application/json", "X-CSRFToken": this.#token },
        redirect: "manual", // to the sign-in page: its 200 would look like success
        signal: AbortSignal.timeout(TIMEOUT),
      });
      return await judgeResponse(response, fields.client_uuid);
    } catch {
      return { state: "kept" };
    }
  }
}

/** Only a receipt that names our UUID means saved. */
async function judgeResponse(response, uuid) {
  if (response.status === 200) {
    const receipt = await response.json();
    return receipt.client_uuid === uuid ? { state: "saved", receipt } : { state: "kept" };
  }
  if (response.status === 409) return { state: "refused", error: (await response.json()).error };
  return { state: response.status >= 500 ? "kept" : "blocked" };
}
