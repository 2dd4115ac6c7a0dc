// Two pages of one assessor, a server, lost answers, reloads, kills, undo and rest: in every order of six steps, what is
// stored is what its assessor saw last, and each judgment that is not stored is shown. The pages are the real scripts.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

// A page without a screen: every element takes everything; every text is its name.
const words = readdirSync(".").flatMap((name) =>
  name.endsWith(".js") ? readFileSync(name, "utf8").match(/\w+/g) : [],
);
const texts = JSON.stringify(Object.fromEntries(words.map((word) => [word, word])));
function element() {
  const none = () => undefined;
  const known = { textContent: "1", hidden: true, dataset: {}, classList: { toggle: none }, elements: null };
  return new Proxy(known, {
    get: (target, name) => {
      if (name === "elements") return { criteria_version: { value: "1" } };
      if (name in target) return target[name];
      return name === "querySelector" || name === "cloneNode" ? element : none;
    },
    set: (target, name, value) => Reflect.set(target, name, value),
  });
}
globalThis.document = {
  getElementById: (id) => (id === "texts" ? { textContent: texts } : element()),
  createElement: element,
  cookie: "",
};
globalThis.addEventListener = () => {};
Object.defineProperty(globalThis, "navigator", { value: { onLine: true }, configurable: true });
globalThis.setTimeout = () => 0; // a page sends when a step says so
globalThis.AbortSignal.timeout = () => undefined;
const localStorageOf = (store) =>
  new Proxy(store, {
    get: (target, name) =>
      ({
        getItem: (key) => target[key] ?? null,
        setItem: (key, text) => Reflect.set(target, key, text),
        removeItem: (key) => Reflect.deleteProperty(target, key),
      })[name] ?? target[name],
  });
/** As much of IndexedDB as the outbox uses; the rows of a browser are in `browser.rows`. A killed page gets no answer. */
function request(result, page) {
  const made = {};
  queueMicrotask(() => {
    if (page.isKilled) return;
    made.result = result();
    made.onsuccess?.();
  });
  return made;
}
function storeOf(rows, page) {
  const walk = (made, index) => {
    const cursor = {
      value: structuredClone(rows[index]),
      update: (row) => rows.splice(index, 1, structuredClone(row)),
      delete: () => rows.splice(index, 1, undefined),
      continue: () => queueMicrotask(() => walk(made, index + 1)),
    };
    made.result = index < rows.length ? cursor : null;
    if (made.result && rows[index] === undefined) return walk(made, index + 1);
    made.onsuccess();
  };
  const openCursor = () => {
    const made = {};
    queueMicrotask(() => walk(made, 0));
    return made;
  };
  return {
    add: (row) => rows.push(structuredClone(row)),
    getAll: () => request(() => structuredClone(rows.filter(Boolean)), page),
    openCursor,
  };
}
globalThis.indexedDB = {
  open: () => {
    const [{ rows }, page] = [browser, opened];
    const transaction = () => {
      const made = { objectStore: () => storeOf(rows, page) };
      setImmediate(() => page.isKilled || made.oncomplete?.());
      return made;
    };
    return request(() => ({ transaction }), page);
  },
};
let channels = [];
globalThis.BroadcastChannel = class {
  constructor() {
    this.browser = browser;
    channels.push(this);
  }
  postMessage(data) {
    for (const each of channels) if (each !== this && each.browser === this.browser) each.onmessage({ data });
  }
};
let browser; // whose storage the scripts see now
let opened; // the page that was opened last: a tab is opened anew after a kill
const { Addresses } = await import("./addresses.js");
const { Delivery } = await import("./delivery.js");
const { History } = await import("./history.js");
const { ItemEvents } = await import("./item_events.js");
const { Work } = await import("./modes.js");

const BASE = "/judging/1/";
const PLACES = 3;
let clock = 0;
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...given) {
    clock += 1000; // ms
    super(...(given.length ? given : [clock]));
  }
};

/** The server's rules, as `check_replaces` and `undo_judgment` have them. */
class Server {
  log = []; // events in order of storage
  refused = new Set(); // ids of those that it has answered and not stored

  current(place) {
    const undone = new Set(this.log.map(({ undoes }) => undoes));
    return (
      this.log.filter((each) => each.place === place && !each.undoes && !undone.has(each.client_uuid)).at(-1) ?? null
    );
  }

  get snapshot() {
    const undone = new Set(this.log.map(({ undoes }) => undoes));
    const history = this.log.filter((each) => !each.undoes && !undone.has(each.client_uuid));
    return { history: structuredClone(history), as_of: String(this.log.length).padStart(3, "0") };
  }

  store(event) {
    const answer = this.answerTo(event);
    const id = event.fields.client_uuid;
    if (!this.log.some((each) => each.client_uuid === id)) this.refused.add(id);
    return answer;
  }

  answerTo({ place, fields }) {
    const { client_uuid: id, undoes, replaces } = fields;
    const stored = { status: 200, client_uuid: id, judged_at: "", today: "" };
    if (this.log.some((each) => each.client_uuid === id)) return stored;
    const current = this.current(place);
    if (undoes) {
      if (current?.client_uuid !== undoes) return { status: 409, error: "x", current, is_conflict: false };
      this.log.push({ place, client_uuid: id, undoes });
      return stored;
    }
    const [mark, isByRest] = [Number(fields.grade), "is_by_rest" in fields];
    const isConflict = current
      ? current.mark !== mark && (isByRest || replaces !== current.client_uuid)
      : replaces !== "none";
    if (isConflict) return { status: 409, error: "x", current, is_conflict: true };
    if (current && isByRest) return { ...stored, current };
    const replaced = current && (current.mark !== mark || isByRest) ? current.client_uuid : null;
    this.log.push({
      place,
      client_uuid: id,
      mark,
      is_by_rest: isByRest,
      replies: {},
      given_at: fields.given_at,
      replaced,
    });
    return stored;
  }

  /** Stores the events of a request, or the first ones if it is killed meanwhile. */
  answer(body, most) {
    const results = JSON.parse(body.get("events"))
      .slice(0, most)
      .map((event) => this.store(event));
    const events = this.log.slice(Math.max(Number(body.get("since")) - 2, 0));
    return { results, news: { as_of: String(this.log.length).padStart(3, "0"), events: structuredClone(events) } };
  }
}

const rest = () => new Promise((resolve) => setImmediate(resolve));
async function quiet() {
  for (let turn = 0; turn < 6; turn += 1) await rest();
}

/** A page; `seen` has, by the id of each event that it made, the judgment that it showed before. */
class Page {
  seen = new Map();
  made = []; // ids of events

  constructor(server, store, grade) {
    Object.assign(this, { server, store, grade });
  }

  async open({ snapshot = this.server.snapshot, isRead = true } = {}) {
    opened = this.life = { isKilled: false };
    this.use();
    const start = { ...snapshot, assessor: 1, base: BASE, batch: `${BASE}events`, settled: [], count: PLACES };
    channels = channels.filter((each) => each !== this.channel);
    const history = new History(start);
    const none = () => undefined;
    const page = { start, history, addresses: new Addresses(start), isOver: () => false, onSettled: none };
    page.remarks = {
      commit: none,
      at: () => ({ comment: "" }),
      isPending: false,
      applyElsewhere: none,
      applyNews: none,
    };
    page.status = { ask: none };
    page.announcer = { announceTrouble: none };
    Object.assign(page, { onStored: none, onRefused: none, change: (apply) => apply() });
    page.onChosen = (event) => event && this.post(event);
    const events = {
      replies: { given: () => ({}) },
      looks: { take: () => 0 },
      watch: { read: () => 1 },
      mode: new Work(),
    };
    this.events = new ItemEvents({ ...page, ...events, form: element() });
    this.history = history;
    this.delivery = new Delivery(page);
    this.channel = channels.at(-1);
    await this.delivery.resume({ moveTo: none });
    if (isRead)
      this.delivery.applyNews(this.server.answer(new URLSearchParams({ events: "[]", since: start.as_of })).news);
    await quiet();
  }

  use() {
    browser = this.store;
    globalThis.localStorage = localStorageOf(this.store.texts);
    globalThis.fetch = async (_url, { body }) => {
      const answer = this.server.answer(body, this.network === "torn" ? 1 : undefined);
      if (this.network === "lost") throw new TypeError();
      return this.network === "torn" ? { status: 502 } : { status: 200, json: async () => answer };
    };
  }

  async post(event) {
    this.made.push(event.fields.client_uuid);
    this.delivery.sender.tell({ state: "added", event });
    await this.delivery.outbox.add(event);
  }

  give(place, grade, more = {}) {
    const shown = this.history.at(place);
    const event = this.events.judgment(place, { grade: String(grade) }, new Date(), { hash: "", more });
    this.delivery.conflicts.settle(place);
    if (!event) return;
    this.seen.set(event.fields.client_uuid, shown?.client_uuid ?? null);
    this.post(event);
  }

  steps = {
    one: () => this.give(1, this.grade),
    two: () => this.give(2, this.grade),
    zero: () => this.give(1, 0), // the grade of rest
    rest: () => {
      for (const place of this.history.openPlaces(0)) this.give(place, 0, { is_by_rest: "on" });
    },
    undo: () => {
      const event = this.events.undo();
      if (event) this.post(event);
    },
    send: () => this.send(),
    lose: () => this.send("lost"),
    torn: () => this.send("torn"), // the server is killed once it has stored one of the events
    reload: () => this.open(),
    kill: () => this.kill(),
    crash: () => {
      this.give(1, this.grade);
      this.kill(); // before the browser's database has the event
    },
    // The server renders the page before it has what the former page sends.
    stale: async () => {
      const { snapshot } = this.server;
      await this.send();
      await this.open({ snapshot });
    },
    late: async () => {
      const { snapshot } = this.server;
      await this.send();
      await this.open({ snapshot, isRead: false }); // no news within a second
    },
  };

  async send(network = "") {
    this.network = network;
    await this.delivery.sender.run();
    await quiet();
    this.network = "";
  }

  kill() {
    this.life.isKilled = true;
    channels = channels.filter((each) => each !== this.channel);
  }

  async do(step) {
    if (this.life.isKilled && step !== "kill") await this.open();
    this.use();
    await this.steps[step]();
    await quiet();
  }
}

async function walk(path, isOneBrowser) {
  [channels, clock] = [[], 0];
  const server = new Server();
  const shared = { texts: {}, rows: [] };
  const pages = {
    a: new Page(server, shared, 2),
    b: new Page(server, isOneBrowser ? shared : { texts: {}, rows: [] }, 1),
  };
  for (const page of Object.values(pages)) await page.open();
  for (const [who, step] of path) await pages[who].do(step);
  for (const who of ["a", "b", "a"]) await pages[who].do("send");
  for (const page of Object.values(pages)) {
    page.use();
    page.history.applyNews(server.answer(new URLSearchParams({ events: "[]", since: "000" })).news.events);
    await quiet();
  }
  check(server, pages, JSON.stringify(path));
}

function check(server, pages, path) {
  const seen = new Map(Object.values(pages).flatMap((page) => [...page.seen]));
  for (const { client_uuid: id, replaced, is_by_rest: isByRest } of server.log) {
    assert.ok(!isByRest || !replaced, `rest replaces a judgment: ${path}`);
    if (replaced) assert.equal(seen.get(id), replaced, `a judgment that was not on the screen is replaced: ${path}`);
  }
  for (const [who, page] of Object.entries(pages)) {
    for (let place = 1; place <= PLACES; place += 1) {
      const [shown, stored] = [page.history.at(place)?.mark, server.current(place)?.mark];
      assert.equal(shown, stored, `${who} shows ${shown} at ${place}, stored is ${stored}: ${path}`);
    }
  }
  const known = new Set([...server.log.map(({ client_uuid: id }) => id), ...server.refused]);
  for (const { store, delivery, made } of Object.values(pages)) {
    for (const id of made) assert.ok(known.has(id), `an event is lost: ${path}`);
    const unstored = Object.values(store.texts).map((text) => JSON.parse(text));
    for (const event of [...store.rows.filter(Boolean), ...unstored]) {
      assert.ok(event.refused, `an event still waits: ${path}`);
      const isShown = delivery.conflicts.markAt(event.place) !== undefined;
      assert.ok(isShown || !event.isConflict, `a conflict is not shown: ${path}`);
    }
  }
}

function* orders(steps) {
  if (steps.length < 2) yield steps;
  for (const [index, step] of steps.entries()) {
    for (const others of orders(steps.toSpliced(index, 1))) yield [step, ...others];
  }
}

const of = (who, ...steps) => steps.map((step) => [who, step]);
const SETS = [
  [...of("a", "one", "send", "stale"), ...of("b", "one", "rest", "send")],
  [...of("a", "one", "undo", "send"), ...of("b", "one", "send", "undo")],
  [...of("a", "one", "lose", "reload"), ...of("b", "rest", "send", "reload")],
  [...of("a", "one", "two", "late", "rest"), ...of("b", "one", "send")],
  [...of("a", "rest", "send", "undo"), ...of("b", "two", "lose", "undo")],
  [...of("a", "one", "lose", "undo"), ...of("b", "one", "late", "rest")],
  [...of("a", "zero", "send", "undo"), ...of("b", "rest", "lose", "undo")],
  [...of("a", "one", "kill", "two", "send"), ...of("b", "rest", "undo")],
  [...of("a", "crash", "undo", "lose"), ...of("b", "one", "send", "undo")],
  [...of("a", "one", "lose", "kill"), ...of("b", "one", "torn", "rest")],
  [...of("a", "rest", "torn", "undo"), ...of("b", "crash", "kill", "late")],
  [...of("a", "one", "two", "undo", "torn", "kill"), ...of("b", "rest")],
];

for (const isOneBrowser of [false, true]) {
  const what = isOneBrowser ? "two tabs" : "two devices";
  for (const steps of SETS) {
    const names = steps.map((step) => step.join(":")).join(" ");
    test(`${what}: all orders of ${names}`, async () => {
      for (const path of orders(steps)) await walk(path, isOneBrowser);
    });
  }
}
