// Sends the events of the outbox to the server.

import { baseOf } from "./addresses.js";
import { say } from "./texts.js";

const SHORTEST_WAIT = 1_000; // ms between two attempts
const LONGEST_WAIT = 30_000;
const TIMEOUT = 15_000; // ms for one attempt

/**
 * Sends waiting events, in order within each assignment, and reports the status of each.
 *
 * `onStatus` gets {state, count, unkeptCount, event} with state "saving", "saved" (and `receipt`), "refused" (and
 * `error`, `isLost`: kept, but not sent again), "blocked" (and `error`: retried, while other assignments continue) or
 * "offline" (no response: retried). It also gets what other pages of the browser have sent, with
 * `isElsewhere` if the event is theirs, too.
 */
export class Sender {
  #outbox;
  #onStatus;
  #others;
  #isRunning = false;
  #isWanted = false;
  #wait = SHORTEST_WAIT;
  #timer = 0;

  constructor(outbox, onStatus) {
    this.#outbox = outbox;
    this.#onStatus = onStatus;
    this.#others = new BroadcastChannel(outbox.name);
    this.#others.onmessage = ({ data }) => this.#onSentElsewhere(data);
    addEventListener("online", () => this.run());
  }

  /** Sends the waiting events; a call during a run makes it repeat. */
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
    const held = new Set(); // assignments that must wait for a retry
    let reason;
    while (reason?.state !== "offline") {
      const event = await this.#next(held);
      if (!event) break;
      const news = await this.#send(event);
      if (news.state === "saved" || news.state === "refused") continue;
      held.add(baseOf(event));
      reason = news.state === "offline" ? news : (reason ?? news);
    }
    if (!reason) return;
    this.#timer = setTimeout(() => this.run(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    await this.#report(reason);
  }

  async #next(held) {
    const { waiting } = await this.#outbox.look();
    return waiting.find((event) => !held.has(baseOf(event)));
  }

  async #send(event) {
    await this.#report({ state: "saving", event });
    const news = { ...(await post(event)), event };
    if (news.state === "saved" || news.state === "refused") {
      this.#wait = SHORTEST_WAIT;
      await this.#settle(news);
      this.#others.postMessage(news);
      await this.#report(news);
    }
    return news;
  }

  async #onSentElsewhere(news) {
    const isElsewhere = !this.#outbox.isOwn(news.event);
    await this.#settle(news);
    await this.#report({ ...news, isElsewhere });
  }

  async #settle({ state, event, error }) {
    await (state === "refused" ? this.#outbox.refuse(event, error) : this.#outbox.remove(event));
  }

  async #report(news) {
    const { waiting, unkeptCount } = await this.#outbox.look();
    this.#onStatus({ ...news, count: waiting.length, unkeptCount });
  }
}

async function post({ url, fields }) {
  try {
    const response = await fetch(url, {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { Accept: "application/json", "X-CSRFToken": token() },
      redirect: "manual", // to the sign-in page: its 200 would look like success
      signal: AbortSignal.timeout(TIMEOUT),
    });
    return await statusOf(response, fields.client_uuid);
  } catch {
    return { state: "offline" };
  }
}

/** The current CSRF token: signing in, in any tab, changes it. */
export const token = () => document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? "";

/** "saved" only for a receipt with the event's UUID. */
async function statusOf(response, uuid) {
  const { status } = response;
  if (status === 200) {
    const receipt = await response.json();
    return receipt.client_uuid === uuid ? { state: "saved", receipt } : { state: "offline" };
  }
  if (status === 409) {
    const { error, is_lost: isLost } = await response.json();
    return { state: "refused", error, isLost };
  }
  if (status === 423) return { state: "blocked", error: (await response.json()).error };
  return { state: "blocked", error: errorOf(status) };
}

/** What to do about a response without a message; a redirect has the status 0 here. */
function errorOf(status) {
  if (status === 0 || status === 403) return say("sign_in");
  if (status === 404) return say("not_yours");
  return say("bad_status", { status });
}
