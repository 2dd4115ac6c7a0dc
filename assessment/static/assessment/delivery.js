// The events of a page on their way to the server: what waits, what it stored, and what it refused.

import { Outbox } from "./outbox.js";
import { Refusals } from "./refusals.js";
import { isRemark } from "./remarks.js";
import { paintSaved } from "./saved.js";
import { Sender } from "./sender.js";

const byId = (id) => document.getElementById(id);

export class Delivery {
  #page;
  #isUnkept = false; // whether judgments would be lost if the page closed

  /**
   * `page` has `start`, addresses, history, status, announcer, remarks, `isOver()`, and what is called with news:
   * `onStored(own, news)` when an event of this surface is stored, `onRefused()` when one is refused, and `onSettled()`
   * whenever nothing may be left to send or to read.
   */
  constructor(page) {
    this.#page = page;
    this.outbox = new Outbox(page.start.assessor);
    this.sender = new Sender(this.outbox, (news) => this.#onStatus(news));
    this.refusals = new Refusals(byId("refused"), (read) => this.outbox.remove(...read).then(() => page.onSettled()));
    addEventListener("beforeunload", (event) => this.#isUnkept && event.preventDefault());
  }

  /** The waiting events of this surface, oldest first. */
  async waiting() {
    return this.#page.addresses.own((await this.outbox.look()).waiting);
  }

  /** Whether everything is sent and all refusals are read. */
  async isDone() {
    return this.refusals.areRead && (await this.waiting()).length === 0;
  }

  /** Applies what earlier pages have left: drafts, waiting and refused events; resolves to the waiting ones. */
  async resume(drafts) {
    await drafts.moveTo(this.outbox);
    const queued = await this.waiting();
    for (const event of queued) (isRemark(event) ? this.#page.remarks : this.#page.history).applyQueued(event);
    this.refusals.addKept((await this.outbox.look()).refused, this.#page.start.base);
    return queued;
  }

  /** Called by the sender with the status of an event. */
  #onStatus(news) {
    const { start, addresses, status, announcer, remarks, isOver, onSettled } = this.#page;
    const { state, event, receipt } = news;
    this.#isUnkept = news.unkeptCount > 0;
    if (state !== "saved" || !remarks.isPending) paintSaved(news, start.base);
    announcer.announceTrouble(state);
    const [own] = event ? addresses.own([event]) : [];
    if (own && (state === "refused" || state === "blocked" || receipt?.note || isOver())) status.ask();
    if (own && state === "saved") this.#onStored(own, news);
    if (state === "refused" || receipt?.note) this.refusals.add(news, start.base);
    if (own && state === "refused") this.#forget(own, news);
    if (state === "saved") onSettled();
  }

  #onStored(own, news) {
    const { criteria_version: shown } = byId("judgment").elements;
    if (news.receipt.latest_version > shown.value) byId("changed").hidden = false;
    this.#page.onStored(own, news);
  }

  /** Forgets a judgment that the server refused; the previous one becomes current again. */
  #forget(own, { isLost }) {
    this.#page.history.forget(own.fields.client_uuid);
    if (isLost) this.#page.history.settle(own.place);
    this.#page.onRefused();
  }
}
