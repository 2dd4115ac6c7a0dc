// Judgments that are not sent yet: stored in the browser, in order, until the server has accepted them. Those that it
// refused stay until the assessor has read why.

import { baseOf } from "./addresses.js";
import { say } from "./texts.js";

const STORE = "events";

/** The name of an event's item, with its topic unless that is the assignment at `base`. */
export function nameOf(event, base) {
  const { place, topic = say("other_topic") } = event;
  return baseOf(event) === base ? say("item", { place }) : say("item_of", { place, topic });
}

export const idOf = ({ fields }) => fields.client_uuid;

/** A request of IndexedDB as a promise. */
function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** A transaction as a promise: it may fail for lack of disk space after all its requests succeeded. */
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
  database.onversionchange = () => database.close(); // it is being deleted: the next transaction opens a new one
  return database;
}

/**
 * The outbox of one assessor, shared by the pages of a browser.
 *
 * Events of the page itself are in its memory, too: while the page is open, nothing is lost if the browser has no
 * databases, has no room left or has lost its data. Storing an event in the database takes a few milliseconds; until
 * then it is also in local storage, so that a reload right after a key loses nothing.
 */
export class Outbox {
  #database; // promise
  #own = new Map(); // id -> {event, isTried}: events of this page; isTried: storing has ended
  #answered = new Set(); // ids of events whose rows the browser may have failed to remove
  #unstored;

  constructor(assessor) {
    this.name = `trackside-outbox-${assessor}`;
    this.#unstored = new UnstoredEvents(`${this.name}-`);
  }

  /** A transaction on the database, reopened if the browser has closed it. Rejects if there is none. */
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
      return []; // no database: only the page's memory is left
    }
  }

  /** Whether this page has added the event and it waits. */
  isOwn(event) {
    return this.#own.has(idOf(event));
  }

  /** Adds an event `{url, place, topic, fields}`; resolves once the browser has stored it or has failed to. */
  async add(event) {
    const own = { event, isTried: false };
    this.#own.set(idOf(event), own);
    this.#unstored.put(event);
    try {
      const ofPage = [...this.#own.values()].map((each) => each.event);
      await this.#write((store) => addMissing(store, [...this.#left(), ...ofPage]));
      this.#unstored.drop(event);
    } catch {
      // the event is only in the page's memory: see unkeptCount
    }
    own.isTried = true;
  }

  /** Events that pages had no time to store before they closed, oldest first. */
  #left() {
    return this.#unstored.all().filter((event) => !this.#own.has(idOf(event)) && !this.#answered.has(idOf(event)));
  }

  /** The `waiting` and the `refused` events, oldest first, and how many of them would be lost if the page closed. */
  async look() {
    const unstored = this.#left(); // first: another page may move them into the database now
    const stored = await this.#stored();
    const ids = new Set(stored.map(idOf));
    const unkept = [...this.#own.values()].filter(({ event }) => !ids.has(idOf(event)));
    const left = unstored.filter((event) => !ids.has(idOf(event)) && !this.#answered.has(idOf(event)));
    const events = [...stored, ...left, ...unkept.map(({ event }) => event)];
    const kept = events.filter((event) => !this.#answered.has(idOf(event)));
    return {
      waiting: kept.filter((event) => !event.refused),
      refused: kept.filter((event) => event.refused),
      unkeptCount: unkept.filter(({ isTried }) => isTried).length,
    };
  }

  /** Keeps an event that the server refused, with the reason in `refused`; it is not sent again, even in a conflict. */
  async refuse(event, reason, isConflict = false) {
    const id = idOf(event);
    const refused = { ...event, refused: reason, isConflict };
    if (this.#own.has(id)) this.#own.get(id).event = refused;
    this.#unstored.replace(refused);
    try {
      await this.#write((store) => walk(store, new Set([id]), (cursor) => cursor.update(refused)));
    } catch {
      // a later page sends it again and gets the same answer
    }
  }

  /** Removes events that are accepted or dismissed. If that fails, a later page gets the same answers again. */
  async remove(...events) {
    if (!events.length) return;
    const ids = new Set(events.map(idOf));
    for (const event of events) {
      this.#own.delete(idOf(event));
      this.#answered.add(idOf(event));
      this.#unstored.drop(event);
    }
    try {
      await this.#write((store) => walk(store, ids, (cursor) => cursor.delete()));
    } catch {
      // this page skips them: see #answered
    }
  }
}

/** Events that the database does not have yet, in local storage: each has a key of its own, ordered by time. */
class UnstoredEvents {
  #prefix;

  constructor(prefix) {
    this.#prefix = prefix;
  }

  put(event) {
    const moment = (performance.timeOrigin + performance.now()).toFixed(3);
    try {
      localStorage.setItem(`${this.#prefix}${moment}-${idOf(event)}`, JSON.stringify(event));
    } catch {
      // no room left or forbidden
    }
  }

  drop(event) {
    for (const name of this.#namesOf(event)) localStorage.removeItem(name);
  }

  /** Replaces the event of the same id, if it is there. */
  replace(event) {
    for (const name of this.#namesOf(event)) localStorage.setItem(name, JSON.stringify(event));
  }

  #namesOf(event) {
    return this.#names().filter((name) => name.endsWith(idOf(event)));
  }

  all() {
    const texts = this.#names().map((name) => localStorage.getItem(name)); // null: another page has just removed it
    return texts.filter(Boolean).map((text) => JSON.parse(text));
  }

  #names() {
    try {
      return Object.keys(localStorage)
        .filter((name) => name.startsWith(this.#prefix))
        .sort();
    } catch {
      return [];
    }
  }
}

/** Keeps the order: an undo must follow its judgment. */
function addMissing(store, events) {
  const read = store.getAll();
  read.onsuccess = () => {
    const ids = new Set(read.result.map(idOf));
    for (const event of events) if (!ids.has(idOf(event))) store.add(event);
  };
}

/** Calls `change(cursor)` at each event with one of the ids; those that were sent are the oldest. */
function walk(store, ids, change) {
  const left = new Set(ids);
  const request = store.openCursor();
  request.onsuccess = () => {
    const cursor = request.result;
    if (!cursor) return;
    if (left.delete(idOf(cursor.value))) change(cursor);
    if (left.size) cursor.continue();
  };
}
