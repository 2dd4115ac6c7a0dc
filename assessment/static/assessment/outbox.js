// Judgments on their way: kept in the browser, in order, until the server has answered for good.

const STORE = "events";

/** The beginning of the addresses of an event's assignment. */
export const baseOf = ({ url }) => url.split("items/")[0];

/** The item of an event in words, as seen from the assignment at `base`, if from any. */
export function nameOf(event, base) {
  const item = `item ${event.place}`;
  return baseOf(event) === base ? item : `${item} of ${event.topic ?? "another topic"}`;
}

const idOf = ({ fields }) => fields.client_uuid;

/** A request of IndexedDB as a promise. */
function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** A transaction as a promise: what it wrote may still be too much for the disk when its requests are through. */
function completed(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
}

async function open(name) {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { autoIncrement: true });
  const database = await settled(request);
  database.onversionchange = () => database.close(); // somebody deletes it: another is made in its place
  return database;
}

/**
 * The outbox of one assessor, shared by the pages of a browser.
 *
 * What a page itself gave stays in its memory too: a browser that keeps no databases, has no room left or has lost
 * what it kept delays nothing and loses nothing while that page is open.
 */
export class Outbox {
  #database; // promise
  #own = new Map(); // id -> {event, isTried}: given by this page
  #answered = new Set(); // ids: the browser may fail to remove what it has kept

  constructor(assessor) {
    this.name = `trackside-outbox-${assessor}`;
  }

  /** A transaction on the database, opened anew if the browser has closed it. Rejects where there is none. */
  async #transaction(mode) {
    try {
      this.#database ??= open(this.name);
      return (await this.#database).transaction(STORE, mode);
    } catch {
      this.#database = open(this.name);
      return (await this.#database).transaction(STORE, mode);
    }
  }

  async #write(change) {
    const transaction = await this.#transaction("readwrite");
    change(transaction.objectStore(STORE));
    await completed(transaction);
  }

  async #stored() {
    try {
      const transaction = await this.#transaction("readonly");
      return await settled(transaction.objectStore(STORE).getAll());
    } catch {
      return []; // no database: there is what the page has in its memory
    }
  }

  /** Takes an event `{url, place, topic, fields}`, at once; resolves when the browser keeps it or would not. */
  async add(event) {
    const own = { event, isTried: false };
    this.#own.set(idOf(event), own);
    try {
      await this.#write((store) =>
        addMissing(
          store,
          [...this.#own.values()].map((each) => each.event),
        ),
      );
    } catch {
      // the page has it still: see unkeptCount
    }
    own.isTried = true;
  }

  /** What is `waiting`, oldest first, and how many of these would go with the page. */
  async look() {
    const stored = await this.#stored();
    const ids = new Set(stored.map(idOf));
    const unkept = [...this.#own.values()].filter(({ event }) => !ids.has(idOf(event)));
    const events = [...stored, ...unkept.map(({ event }) => event)];
    return {
      waiting: events.filter((event) => !this.#answered.has(idOf(event))),
      unkeptCount: unkept.filter(({ isTried }) => isTried).length,
    };
  }

  /** Lets go of an event that has its answer. If the browser does not, a later page gets the same answer again. */
  async remove(event) {
    this.#own.delete(idOf(event));
    this.#answered.add(idOf(event));
    try {
      await this.#write((store) => removeFrom(store, idOf(event)));
    } catch {
      // this page passes over it from now on
    }
  }
}

/** In their order: an undo is nothing before its judgment. */
function addMissing(store, events) {
  const read = store.getAll();
  read.onsuccess = () => {
    const ids = new Set(read.result.map(idOf));
    for (const event of events) if (!ids.has(idOf(event))) store.add(event);
  };
}

function removeFrom(store, id) {
  const walk = store.openCursor();
  walk.onsuccess = () => {
    const cursor = walk.result;
    if (!cursor) return;
    if (idOf(cursor.value) === id) cursor.delete();
    else cursor.continue();
  };
}
