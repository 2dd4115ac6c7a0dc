// The events of a page on their way to the server: what waits, what it stored, and what it refused.

import { Conflicts } from "./conflicts.js";
import { idOf, Outbox } from "./outbox.js";
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
   * `onStored(own, news)` when an event of this surface is stored, `onRefused()` when one is refused, `change(apply)`
   * when other pages change the history, `onChosen(event)` when the assessor has decided a conflict, with the judgment
   * to send if there is one, and `onSettled()` whenever nothing may be left to send or to read.
   */
  constructor(page) {
    this.#page = page;
    this.outbox = new Outbox(page.start.assessor);
    this.sender = new Sender(this.outbox, (news) => this.#onStatus(news), {
      since: (base) => (base === page.start.base ? page.start.as_of : undefined),
      onNews: (news) => this.applyNews(news),
    });
    const dismiss = (read) => this.outbox.remove(...read.filter(({ isConflict }) => !isConflict));
    this.refusals = new Refusals(byId("refused"), (read) => dismiss(read).then(() => page.onSettled()));
    this.conflicts = new Conflicts(byId("conflicts"), {
      history: page.history,
      nominal: page.start.nominal,
      post: async (event) => {
        page.onChosen(event);
        if (!event) paintSaved({ state: "saved", count: (await this.waiting()).length, receipt: {} });
      },
      remove: (events) => {
        this.outbox.remove(...events).then(() => page.onSettled());
        this.sender.tell({ state: "settled", event: events[0] });
      },
    });
    addEventListener("beforeunload", (event) => this.#isUnkept && event.preventDefault());
  }

  /** The waiting events of this surface, oldest first. */
  async waiting() {
    return this.#page.addresses.own((await this.outbox.look()).waiting);
  }

  /** Whether everything is sent and all refusals are read. */
  async isDone() {
    return this.refusals.areRead && this.conflicts.isEmpty && (await this.waiting()).length === 0;
  }

  /** Applies what earlier pages have left: drafts, waiting and refused events; resolves to the waiting ones. */
  async resume(drafts) {
    await drafts.moveTo(this.outbox);
    const queued = await this.waiting();
    for (const event of queued) (isRemark(event) ? this.#page.remarks : this.#page.history).applyQueued(event);
    const { refused } = await this.outbox.look();
    const conflicts = this.#page.addresses.own(refused.filter(({ isConflict }) => isConflict));
    for (const event of conflicts) this.conflicts.add(event);
    const ids = new Set(conflicts.map(idOf));
    this.refusals.addKept(
      refused.filter((event) => !ids.has(idOf(event))),
      this.#page.start.base,
    );
    return queued;
  }

  /** Applies what the server has stored since the page knows its history: `{as_of, events}`. */
  applyNews({ as_of: time, events }) {
    if (time <= this.#page.start.as_of) return; // later news came first
    const { addresses, change, history, remarks, start } = this.#page;
    start.as_of = time;
    const own = addresses.placed(events);
    remarks.applyNews(own.filter((event) => "comment" in event));
    change(() => history.applyNews(own.filter((event) => "client_uuid" in event || "undoes" in event)));
    this.conflicts.paint();
  }

  /** Called by the sender with the status of an event. */
  #onStatus(news) {
    const { start, addresses, status, announcer, remarks, isOver, onSettled } = this.#page;
    const { state, event, receipt } = news;
    if (state === "added" || state === "settled") return this.#onOtherPage(news);
    this.#isUnkept = news.unkeptCount > 0;
    if (state !== "saved" || !remarks.isPending) paintSaved(news, start.base);
    announcer.announceTrouble(state);
    const [own] = event ? addresses.own([event]) : [];
    if (own && (state === "refused" || state === "blocked" || receipt?.note || isOver())) status.ask();
    if (own && state === "saved") this.#onStored(own, news);
    if (own && state === "refused") this.#forget(own, news);
    else if (state === "refused" || receipt?.note) this.refusals.add(news, start.base);
    if (state === "saved") onSettled();
  }

  /** Another page of the browser has made an event, or has decided a conflict. */
  #onOtherPage({ state, event }) {
    const [own] = this.#page.addresses.own([event]);
    if (!own || isRemark(own)) return;
    this.#page.change(() => state === "added" && this.#page.history.applyQueued(own));
    this.conflicts.settle(own.place);
  }

  #onStored(own, news) {
    if (!isRemark(own)) {
      const { history } = this.#page;
      const { current } = news.receipt; // it stays in place of a judgment by rest or by copy
      if (current) history.forget(own.fields.client_uuid);
      else history.applyStored(own);
      if (current) history.adopt(own.place, current);
      this.conflicts.settle(own.place);
    }
    const { criteria_version: shown } = byId("judgment").elements;
    if (news.receipt.latest_version > shown.value) byId("changed").hidden = false;
    this.#page.onStored(own, news);
  }

  /** Forgets a judgment that the server refused; the one that the server has is current again. */
  #forget(own, news) {
    const { history, onRefused, start } = this.#page;
    history.forget(own.fields.client_uuid);
    if (news.current !== undefined) history.adopt(own.place, news.current);
    if (news.isLost) history.settle(own.place);
    if (news.isConflict) this.conflicts.add(own);
    else if (!own.fields.undoes || !this.conflicts.withdraw(own.place, own)) this.refusals.add(news, start.base);
    onRefused();
  }
}
