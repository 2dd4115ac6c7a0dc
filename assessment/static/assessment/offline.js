// Items and pictures stored in this browser for work without a connection. worker.js serves them.

import { say } from "./texts.js";

const KEPT = "trackside-kept-";
const OF_ITEMS = { ahead: 70, most: 100, step: 10 }; // stored items to judge, in total, fetched together
export const OF_WALLS = { ahead: 3, most: 5, step: 1 };
const SOON = 500; // ms
const ITEM = /\/(?:items|walls)\/\d+\/content/;
const PICTURE = /\/images\/[0-9a-f]{64}\/(?:display|small)/g;

/** The stored items or walls of one assessor's assignment, in one language. Those of others are deleted. */
export class OfflineItems {
  #name;
  #base;
  #addresses;
  #onCount;
  #start;
  #sizes;
  #screen = null; // state of the page
  #isOn = false;
  #isBusy = false;
  #isFetching = false;
  #cache; // undefined unless items are stored
  #ready = new Set(); // addresses
  #loading = new Map(); // address -> promise of the response
  #early = new Map(); // address -> response from before the store was open; null if there is none
  request = (address) => fetch(address, { redirect: "error", priority: "low" });
  #wanted = []; // places, or numbers of walls

  /** `onCount(count)` is called when the number of stored items to judge changes. */
  constructor(start, addresses, onCount, sizes = OF_ITEMS) {
    [this.#start, this.#addresses, this.#onCount, this.#sizes] = [start, addresses, onCount, sizes];
    [this.#name, this.#base] = [`${KEPT + start.assessor}-${document.documentElement.lang}`, start.base];
  }

  /** Whether items are stored: the browser supports service workers and has room. */
  get isOn() {
    return this.#isOn;
  }

  /** The stored response of an address whose content never changes; else the server's, which is then stored. */
  async load(address) {
    const stored = await window.caches?.match(address, { cacheName: this.#name, ignoreVary: true });
    return stored ?? this.fetch(address);
  }

  /** The server's response, which is then stored; one request even if it is wanted twice. */
  async fetch(address) {
    if (!this.#loading.has(address)) {
      const loading = this.request(address).finally(() => this.#loading.delete(address));
      this.#loading.set(address, loading);
    }
    const response = (await this.#loading.get(address)).clone();
    if (response.ok) await this.keep(address, response.clone());
    return response;
  }

  /** Stores a response, at the latest once the page is stored. */
  async keep(address, response) {
    // Opened before: a store that was deleted meanwhile, as somebody signed out in another tab, is not made again.
    if (this.#cache)
      await this.#cache.put(address, response).catch(() => {}); // no room: it is shown
    else this.#early?.set(address, response);
  }

  /** Starts the service worker at the address, and stores the page with its scripts and styles. */
  async start(worker) {
    try {
      if (!worker || !navigator.serviceWorker || !window.caches) return;
      await storeAnswer();
      await navigator.serviceWorker.register(worker, { scope: "/" });
      await deleteOthers(this.#name);
      const cache = await caches.open(this.#name);
      this.#isOn = (await this.#storePage(cache)) || (await cache.match(this.#addresses.shell)) !== undefined;
      if (this.#isOn) this.#cache = cache;
      for (const [address, response] of this.#isOn ? this.#early : []) await this.keep(address, response);
      if (this.#screen) this.update(this.#screen);
    } catch {
      // forbidden, or no room: the page works without stored items
    } finally {
      this.#early = null;
    }
  }

  /** Stores, after a short delay, the state `{history, remarks, place, free}` and the next items to judge. */
  update(screen) {
    this.#screen = screen;
    if (!this.#isOn || this.#isBusy) return;
    this.#isBusy = true;
    setTimeout(() => this.#storeState(), SOON);
  }

  async #storeState() {
    const { history, remarks, place, free } = this.#screen;
    const state = { ...this.#start, ...history.snapshot(), said: remarks.snapshot(), free };
    this.#isBusy = false;
    this.#wanted = history.openPlaces(place - 1, this.#sizes.ahead);
    this.#count();
    try {
      this.#isOn = await caches.has(this.#name); // deleted if somebody signed out in another tab
      if (!this.#isOn) return;
      const cache = await caches.open(this.#name);
      this.#cache = cache;
      const json = JSON.stringify({ ...state, kept_at: Date.now() });
      await cache.put(`${this.#base}state`, new Response(json, { headers: { "Content-Type": "application/json" } }));
      await this.#fetchMissing(cache);
    } catch {
      // no connection or no room: retried at the next item
    }
  }

  /** Fetches one item after the other, so that the screen's own requests go first, until none is missing. */
  async #fetchMissing(cache) {
    if (this.#isFetching) return;
    this.#isFetching = true;
    try {
      for (let missing = this.#missing(); missing.length; missing = this.#missing()) {
        for (const place of missing) {
          const address = this.#addresses.content(place);
          await this.#storeItem(cache, address);
          this.#ready.add(address);
          this.#count();
        }
        await this.#trim(cache);
      }
    } finally {
      this.#isFetching = false;
    }
  }

  /** The wanted places that are not stored; none while they are fewer than are fetched together. */
  #missing() {
    const { ahead, step } = this.#sizes;
    const missing = this.#wanted.filter((place) => !this.#isReady(place));
    return missing.length < step && this.#wanted.length === ahead ? [] : missing;
  }

  async #storePage(cache) {
    const page = await fetch(location.href, { redirect: "error", priority: "low" }).catch(() => null);
    if (!page?.ok) return false;
    const used = performance.getEntriesByType("resource").map((each) => new URL(each.name).pathname);
    await cache.addAll(new Set(used.filter((path) => path.startsWith("/static/"))));
    await cache.put(this.#addresses.shell, page);
    return true;
  }

  /** Deletes items of other topics, and those that were judged longest ago. */
  async #trim(cache) {
    const stored = (await cache.keys()).map(({ url }) => url.slice(location.origin.length));
    const items = stored.filter((path) => ITEM.test(path));
    const wanted = new Set(this.#wanted.map((place) => this.#addresses.content(place)));
    const others = items.filter((path) => !path.startsWith(this.#base));
    const done = items.filter((path) => path.startsWith(this.#base) && !wanted.has(path));
    const surplus = Math.max(items.length - others.length - this.#sizes.most, 0);
    for (const path of [...others, ...done.slice(0, surplus)]) {
      const item = await cache.match(path);
      for (const picture of (await item?.text())?.match(PICTURE) ?? []) await cache.delete(picture);
      await cache.delete(path);
      this.#ready.delete(path);
    }
  }

  /** Stores the pictures of an item or a wall, and what shows them. */
  async #storeItem(cache, address) {
    const response = await this.load(address);
    if (!response.ok) throw new Error(`item: ${response.status}`);
    for (const picture of (await response.clone().text()).match(PICTURE) ?? []) {
      // If the picture cannot be loaded, the item is stored without it.
      if (!(await cache.match(picture))) await cache.add(picture).catch(() => {});
    }
  }

  #isReady = (place) => this.#ready.has(this.#addresses.content(place));

  #count() {
    this.#onCount(this.#wanted.filter(this.#isReady).length);
  }
}

/** Stores the answer of worker.js for an item that is not stored, in the language of the page. */
async function storeAnswer() {
  const headers = { "Content-Type": "text/plain; charset=utf-8" };
  const cache = await caches.open("trackside-answers");
  await cache.put("/judging/nothing-stored", new Response(say("nothing_stored"), { status: 503, headers }));
}

async function deleteOthers(own) {
  for (const name of await caches.keys()) if (name.startsWith(KEPT) && name !== own) await caches.delete(name);
}
