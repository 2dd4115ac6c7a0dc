// Sends the events of the outbox to the server.

import { baseOf } from "./addresses.js";
import { idOf } from "./outbox.js";
import { say } from "./texts.js";

const SHORTEST_WAIT = 1_000; // ms between two attempts
const LONGEST_WAIT = 30_000;
const TIMEOUT = 15_000; // ms for one attempt
const READ = [200, 409, 423]; // statuses of responses in JSON
const MOST = 48; // events of one request
const MOST_KEPT_ALIVE = 60_000; // bytes of a request that the browser finishes after the page is closed

/**
 * Sends waiting events, in order within each assignment, and reports the status of each. Events with the same address
 * `batch` share a request.
 *
 * `onStatus` gets {state, count, unkeptCount, event} with state "saving", "saved" (and `receipt`), "refused" (and
 * `error`, `isLost`, `isConflict`, `current`: kept, but not sent again), "blocked" (and `error`: retried, while other assignments continue) or
 * "offline" (no response: retried). It also gets what other pages of the browser have sent, with
 * `isElsewhere` if the event is theirs, too, and what they `tell`. Requests of several events ask for the judgments that
 * were stored since `since(base)`, a time or undefined, and `onNews` gets them.
 */
export class Sender {
  #outbox;
  #onStatus;
  #news;
  #others;
  #isRunning = false;
  #isWanted = false;
  #wait = SHORTEST_WAIT;
  #most = MOST; // fewer while the server is too slow for that many
  #timer = 0;
  #needless = new Set(); // ids of judgments by rest that are not stored: their items were graded already

  constructor(outbox, onStatus, news = {}) {
    this.#outbox = outbox;
    this.#onStatus = onStatus;
    this.#news = news;
    this.#others = new BroadcastChannel(outbox.name);
    this.#others.onmessage = ({ data }) => this.#onSentElsewhere(data);
    addEventListener("online", () => this.run());
  }

  /** Tells the other pages of the browser of `{state, event}`: an event was "added", or its conflict is "settled". */
  tell(news) {
    this.#others.postMessage(news);
  }

  /** Sends the events that wait now; a call during a run makes it repeat. */
  async run() {
    this.#isWanted = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (this.#isWanted) {
        this.#isWanted = false;
        await this.#sendAll();
      }
    } finally {
      this.#isRunning = false;
    }
  }

  async #sendAll() {
    clearTimeout(this.#timer);
    const due = new Set((await this.#outbox.look()).waiting.map(idOf));
    const held = new Set(); // assignments that must wait for a retry
    let reason;
    while (reason?.state !== "offline") {
      const events = await this.#next(due, held);
      if (!events.length) break;
      const news = (await this.#send(events)).find((each) => !isAnswered(each));
      if (!news) continue;
      held.add(baseOf(news.event));
      reason = news.state === "offline" ? news : (reason ?? news);
    }
    if (!reason) return;
    this.#timer = setTimeout(() => this.run(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    await this.#report(reason);
  }

  /** The events of the next request. */
  async #next(due, held) {
    const { waiting } = await this.#outbox.look();
    const open = waiting.filter((event) => due.has(idOf(event)) && !held.has(baseOf(event)));
    const [first] = open;
    if (!first?.batch) return open.slice(0, 1);
    const own = open.filter((event) => baseOf(event) === baseOf(first));
    const end = own.findIndex((event) => event.batch !== first.batch);
    return own.slice(0, Math.min(end < 0 ? this.#most : end, this.#most));
  }

  async #send(events) {
    await this.#report({ state: "saving", event: events[0] });
    const { answers, news } = await post(events, this.#news.since?.(baseOf(events[0])));
    const all = events.map((event, index) => this.#noted({ ...answers[index], event }));
    const answered = all.filter(isAnswered);
    if (answered.length) [this.#wait, this.#most] = [SHORTEST_WAIT, Math.min(this.#most * 2, MOST)];
    else if (answers[0].isSlow) this.#most = Math.ceil(events.length / 2);
    await this.#settle(answered);
    for (const news of answered) this.#others.postMessage(news);
    await this.#report(...answered);
    if (news) this.#news.onNews(news);
    return all;
  }

  /** Notes a judgment that is not needed: neither is its undo, so that one is not refused. */
  #noted(news) {
    const { event, receipt, state } = news;
    if (receipt?.current) this.#needless.add(idOf(event));
    const isNeedless = state === "refused" && this.#needless.has(event.fields.undoes);
    return isNeedless ? { event, state: "saved", receipt: {} } : news;
  }

  async #onSentElsewhere(news) {
    this.#noted(news);
    if (!isAnswered(news)) return this.#report(news);
    const isElsewhere = !this.#outbox.isOwn(news.event);
    await this.#settle([news]);
    await this.#report({ ...news, isElsewhere });
  }

  /** Removes or keeps the events of one request together: each change of the database reads those that wait. */
  async #settle(answered) {
    const isRefused = ({ state }) => state === "refused";
    await this.#outbox.remove(...answered.filter((news) => !isRefused(news)).map(({ event }) => event));
    for (const { event, error, isConflict } of answered.filter(isRefused))
      await this.#outbox.refuse(event, error, isConflict);
  }

  async #report(...all) {
    const { waiting, unkeptCount } = await this.#outbox.look();
    for (const news of all) this.#onStatus({ ...news, count: waiting.length, unkeptCount });
  }
}

const isAnswered = ({ state }) => state === "saved" || state === "refused";

/** The `answers` to the events of one request, and the `news` of the server, if it has any. */
async function post(events, since) {
  const [{ url, batch, fields }] = events;
  const body = new URLSearchParams(batch ? { events: JSON.stringify(events.map(packed)) } : fields);
  if (batch && since) body.set("since", since);
  try {
    const response = await fetch(batch ?? url, {
      method: "POST",
      body,
      keepalive: Boolean(batch) && body.toString().length < MOST_KEPT_ALIVE,
      headers: { Accept: "application/json", "X-CSRFToken": token() },
      redirect: "manual", // to the sign-in page: its 200 would look like success
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const { status } = response;
    const answer = READ.includes(status) ? await response.json() : {};
    const { results, news } = answer;
    return { answers: events.map((event, index) => statusOf(results?.[index] ?? { ...answer, status }, event)), news };
  } catch (error) {
    return { answers: events.map(() => ({ state: "offline", isSlow: error.name === "TimeoutError" })) };
  }
}

/** An event in the form of a batch. */
function packed({ url, fields }) {
  const [, place, kind] = url.match(/items\/(\d+)\/(\w+)$/);
  const texts = Object.entries(fields).map(([name, value]) => [name, String(value)]);
  return { place: Number(place), kind, fields: Object.fromEntries(texts) };
}

/** The current CSRF token: signing in, in any tab, changes it. */
export const token = () => document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? "";

/** "saved" only for a receipt with the event's UUID. */
function statusOf({ status, error, is_lost: isLost, is_conflict: isConflict, ...receipt }, { fields }) {
  if (status === 200)
    return receipt.client_uuid === fields.client_uuid ? { state: "saved", receipt } : { state: "offline" };
  if (status === 409) return { state: "refused", error, isLost, isConflict, current: receipt.current };
  return { state: "blocked", error: status === 423 ? error : errorOf(status) };
}

/** What to do about a response without a message; a redirect has the status 0 here. */
function errorOf(status) {
  if (status === 0 || status === 403) return say("sign_in");
  if (status === 404) return say("not_yours");
  return say("bad_status", { status });
}
