// Takes judgments from the outbox to the server.

import { baseOf } from "./outbox.js";

const SHORTEST_WAIT = 1_000; // ms between two tries
const LONGEST_WAIT = 30_000;
const TIMEOUT = 15_000; // ms for one try
const SIGN_IN = "Sign in again in another tab; this page then goes on.";

/**
 * Sends what waits, in order within each assignment, and tells how it stands.
 *
 * `tell` gets {state, count, unkeptCount, event} with state "saving", "saved" (and `receipt`), "refused" (and `error`,
 * `isLost`: given up), "blocked" (and `error`: answered, but kept and tried again, while other assignments go on) or
 * "kept" (no answer: tried again). What the other pages of the browser have sent is told too.
 */
export class Courier {
  #outbox;
  #tell;
  #others;
  #isRunning = false;
  #isWanted = false;
  #wait = SHORTEST_WAIT;
  #timer = 0;

  constructor(outbox, tell) {
    this.#outbox = outbox;
    this.#tell = tell;
    this.#others = new BroadcastChannel(outbox.name);
    this.#others.onmessage = ({ data }) => this.#hear(data);
    addEventListener("online", () => this.run());
  }

  /** Goes a round; once more, if asked to while on the way. */
  async run() {
    this.#isWanted = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (this.#isWanted) {
        this.#isWanted = false;
        await this.#goRound();
      }
    } finally {
      this.#isRunning = false;
    }
  }

  async #goRound() {
    clearTimeout(this.#timer);
    const held = new Set(); // assignments whose next event has to wait
    let reason;
    while (reason?.state !== "kept") {
      const event = await this.#next(held);
      if (!event) break;
      const news = await this.#send(event);
      if (news.state === "saved" || news.state === "refused") continue;
      held.add(baseOf(event));
      reason = news.state === "kept" ? news : (reason ?? news);
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
      await this.#outbox.remove(event);
      this.#others.postMessage(news);
      await this.#report(news);
    }
    return news;
  }

  async #hear(news) {
    await this.#outbox.remove(news.event);
    await this.#report(news);
  }

  async #report(news) {
    const { waiting, unkeptCount } = await this.#outbox.look();
    this.#tell({ ...news, count: waiting.length, unkeptCount });
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
    return await judgeResponse(response, fields.client_uuid);
  } catch {
    return { state: "kept" };
  }
}

/** The token as it is now: signing in, in whatever tab, changes it. */
export const token = () => document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? "";

/** Only a receipt that names our UUID means saved. */
async function judgeResponse(response, uuid) {
  const { status } = response;
  if (status === 200) {
    const receipt = await response.json();
    return receipt.client_uuid === uuid ? { state: "saved", receipt } : { state: "kept" };
  }
  if (status === 409) {
    const { error, is_lost: isLost } = await response.json();
    return { state: "refused", error, isLost };
  }
  if (status === 423) return { state: "blocked", error: (await response.json()).error };
  return { state: "blocked", error: wordsOf(status) };
}

/** What to do about an answer without words of its own; a redirect has the status 0 here. */
function wordsOf(status) {
  if (status === 0 || status === 403) return SIGN_IN;
  if (status === 404) return "This item is no longer assigned to you, or you have signed in as somebody else.";
  return `The site answers ${status}; this is tried again.`;
}
