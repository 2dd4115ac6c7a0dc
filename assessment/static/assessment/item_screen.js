// The item on the screen: which one is shown, loaded or waited for, and what is painted around it.

import { hint } from "./hint.js";
import { layOutLong } from "./long_picture.js";
import { Machine } from "./machine.js";
import { paintPlace } from "./own.js";
import { swap } from "./parts.js";
import { isBroken, nextPicture, retryPicture, settleInTime } from "./picture.js";
import { closeAll } from "./pops.js";
import { say } from "./texts.js";
import { closeCard, showCard } from "./topic_card.js";

const byId = (id) => document.getElementById(id);

export class ItemScreen {
  #page;
  #machine;
  #shownAt = new Date();
  isPaused = false; // whether the organizers have paused the topic

  /**
   * `page` has the addresses, history, prefetch, watch, zoom, terms, announcer, remarks, replies, looks, keyboard and
   * lease (if items are leased) of the page, `free`, the number of items that may be leased later, `paintMarks()`, and
   * `ahead`, the number of items to prefetch.
   */
  constructor(page, place) {
    this.#page = page;
    this.#machine = new Machine(place, (state) => this.#paintState(state));
  }

  get machine() {
    return this.#machine;
  }

  get place() {
    return this.#machine.place;
  }

  get shownAt() {
    return this.#shownAt;
  }

  /**
   * Starts with the page's own item, which is on the screen already unless the stored page has another one; `isLook`:
   * a judged one counts as looked at.
   */
  start({ isLook }) {
    if (Number(byId("stage").dataset.place) !== this.place) this.show(this.place);
    else this.#machine.send("arrive");
    if (isLook) this.#countLook();
    settleInTime(byId("stage"), (stage) => this.#paintPicture(stage)); // its picture comes with the page
    this.prefetchNext();
  }

  /** Shows the item at a place, as soon as it is loaded. */
  show(place) {
    if (!this.#machine.send("load", place)) return;
    const item = this.#page.prefetch.take(place);
    if (item) this.#paint(item);
    else if (place === Number(byId("stage").dataset.place)) this.#begin();
    else this.#wait(place);
  }

  async #wait(place) {
    const isWanted = () => this.#machine.awaits(place);
    hint(say("loading", { place }), { isUrgent: true });
    const item = await this.#page.prefetch.wait(place, isWanted, () => this.#machine.send("miss", place));
    if (item) this.#paint(item);
  }

  /** Puts an item on the screen. */
  #paint(item) {
    closeAll();
    const left = swap(item);
    this.#page.prefetch.put(Number(left.stage.dataset.place), left);
    for (const part of Object.values(item)) this.#page.keyboard.nameKeys(part);
    showCard();
    this.#begin();
  }

  /** Starts judging the item on the screen, for the first time or again. */
  #begin() {
    const { addresses, announcer, history, lease, terms, watch, zoom } = this.#page;
    const { place } = this;
    this.#machine.send("arrive", place);
    this.#shownAt = new Date();
    watch.restart();
    zoom.show(byId("stage"));
    this.paintInputs();
    this.paintPlace();
    announcer.announcePlace(place, this.#total, isBroken(byId("stage")));
    byId("back").href = addresses.page(Math.max(place - 1, 1));
    window.history.replaceState(null, "", addresses.page(place));
    terms.paint();
    this.#page.paintMarks();
    this.prefetchNext();
    this.#countLook();
    lease?.update(history.openPlaces(place).length, this.#page.free);
  }

  #countLook() {
    if (this.#page.history.at(this.place)) this.#page.looks.add();
  }

  get #total() {
    return this.#page.history.count + this.#page.free;
  }

  paintPlace() {
    paintPlace(this.place, this.#total);
  }

  /** Shows the comment, flag and replies of the item. */
  paintInputs() {
    const { history, mode, remarks, replies } = this.#page;
    remarks.show(this.place);
    replies.show(mode.repliesAt(this.place, history));
    byId("grades").disabled = this.#machine.isOver || isBroken(byId("stage"));
    if (isBroken(byId("stage"))) closeCard();
  }

  /** Paints the state of the machine after each of its changes. */
  #paintState(state) {
    const { place } = this;
    if (state === "waiting") hint(say(this.isPaused ? "paused" : "not_loaded", { place }), { isUrgent: true });
    if (this.#machine.isOver) this.#paintOver(state);
  }

  /** Puts the panel of the state, "withdrawn" or "ended", in place of the item. */
  #paintOver(state) {
    const stage = byId("stage");
    closeAll();
    stage.className = "stage";
    stage.dataset.place = "";
    stage.replaceChildren(byId(state).content.cloneNode(true));
    this.paintInputs();
    this.#page.zoom.show(stage);
    hint("");
    this.#page.announcer.announce(byId("over-title").textContent);
  }

  /** Shows the next picture of the item; returns false if it has one alone. */
  nextPicture() {
    const number = nextPicture(byId("stage"));
    if (!number) return false;
    byId("next-picture").querySelector("b").textContent = number;
    this.#page.zoom.show(byId("stage"));
  }

  async retry() {
    const stage = byId("stage");
    await retryPicture(stage).catch(() => {});
    this.#paintPicture(stage);
    if (isBroken(stage)) hint(say("still_broken"), { isUrgent: true });
  }

  /** Called when the stage's picture was decoded, or failed, after it was put on the screen. */
  #paintPicture(stage) {
    if (stage !== byId("stage") || this.#machine.isOver) return;
    layOutLong(stage);
    this.#page.zoom.show(stage);
    this.#page.keyboard.nameKeys(stage);
    this.paintInputs();
  }

  async prefetchNext() {
    const { history, prefetch } = this.#page;
    const here = this.place;
    const ahead = history.openAhead(here, this.#page.ahead);
    const count = await prefetch.prepare(ahead, [here - 1, history.last()?.place]);
    if (!this.#machine.mayJudge || this.place !== here) return;
    hint(ahead.length ? say("ready_next", { count }) : say("last_item"));
  }
}
