// The wall on the screen: which one is shown, and what is painted in its cells and around them.

import { hint } from "./hint.js";
import { Machine } from "./machine.js";
import { paintOwn } from "./own.js";
import { paintReady } from "./saved.js";
import { say } from "./texts.js";
import { WallCells } from "./wall_cells.js";

const byId = (id) => document.getElementById(id);

export class WallScreen {
  #page;
  #cells; // of the wall on the screen
  #machine; // its places are numbers of walls
  #shownAt = new Date();

  /**
   * `page` has `start`, the addresses, history, wall, prefetch, offline, watch, keys, opened, announcer, remarks and
   * lease (if items are leased) of the page, `free`, the number of items that may be leased later, and `showReplies()`.
   */
  constructor(page) {
    this.#page = page;
    this.lowest = String(Math.min(...page.start.scale));
    this.#machine = new Machine(page.start.place, () => this.#paintState());
  }

  get machine() {
    return this.#machine;
  }

  get cells() {
    return this.#cells;
  }

  get shownAt() {
    return this.#shownAt;
  }

  /** Whether no item of the topic can be judged any more. */
  get isOver() {
    return this.#machine.isOver;
  }

  /** The places in sight without a mark whose pictures are decoded and large enough to see, none that is to open. */
  restPlaces() {
    const { conflicts, start, wall } = this.#page;
    if (!this.#machine.mayJudge || start.asks_each) return [];
    const isPlain = (place) => this.#cells.isPlain(place) && conflicts.markAt(place) === undefined;
    return wall.unset(this.#cells.inSight()).filter(isPlain);
  }

  /** The places with a judgment, and without a conflict. */
  judgedPlaces() {
    const { conflicts, history } = this.#page;
    return this.#cells.places.filter((place) => history.at(place) && conflicts.markAt(place) === undefined);
  }

  /** The place and those in sight of items that look alike and have no other mark: one key answers all of them. */
  alikeWith(place) {
    const { conflicts, history } = this.#page;
    const seen = this.#cells.inSight();
    const isSame = (each) => history.at(each)?.mark === history.at(place)?.mark && conflicts.markAt(each) === undefined;
    return this.#cells.alike(place).filter((each) => each === place || (seen.includes(each) && isSame(each)));
  }

  /** Whether the item can be answered here: it can be seen, and no question about it needs a reply. */
  isGradeable(place, name) {
    const { opened } = this.#page;
    return !this.#isAsked(name) && this.#cells.isGradeable(place, opened);
  }

  /** Whether each opened item has a question that needs a reply: for a grade, not for an answer beside the grades. */
  #isAsked(name) {
    return name === "grade" && this.#page.start.asks_each;
  }

  /** Why the item cannot be answered here. */
  whyNot(place, name) {
    return this.#isAsked(name) ? say("open_to_reply", { place }) : this.#cells.whyNot(place);
  }

  /** Shows a wall as soon as it is loaded, with the cursor at `place` or at the first cell without a mark. */
  async show(number, place) {
    const { prefetch, wall } = this.#page;
    if (!this.#machine.send("load", number)) return;
    if (number !== Number(byId("cells").dataset.wall)) {
      const item = prefetch.take(number) ?? (await this.#wait(number));
      if (!item) return;
      if (byId("cells").dataset.wall) prefetch.put(wall.number, { cells: byId("cells") });
      byId("cells").replaceWith(item.cells);
    }
    // The cursor stays if the wall has grown while its items are judged.
    this.#begin(number, number === wall.number && wall.unset().length ? (place ?? wall.place) : place);
  }

  /** Shows the wall again that is on the screen, as its assessor goes on with it although another page was asked for. */
  stay() {
    return this.#machine.send("stay") || this.#machine.send("reopen");
  }

  #wait(number) {
    const onMiss = () => {
      this.#machine.send("miss", number);
      hint(say(this.isPaused ? "paused" : "wall_not_loaded", { wall: number }), { isUrgent: true });
    };
    return this.#page.prefetch.wait(number, () => this.#machine.awaits(number), onMiss);
  }

  /** Loads the cells of the walls that have grown again, at once those on the screen. */
  refresh(grown) {
    const { prefetch, wall } = this.#page;
    for (const number of grown) prefetch.take(number);
    if (!grown.includes(wall.number)) return;
    byId("cells").dataset.wall = ""; // no longer what the wall is
    this.show(wall.number);
  }

  #begin(number, place) {
    const { addresses, announcer, free, history, lease, prefetch, showReplies, wall, watch } = this.#page;
    if (this.#cells?.list !== byId("cells")) this.#cells = new WallCells(byId("cells"), () => this.paint());
    const open = new Set(history.openPlaces(0));
    const places = this.#cells.places.filter((each) => open.has(each) || history.at(each));
    this.#machine.send("arrive", number);
    wall.show(number, places, place);
    this.#shownAt = new Date();
    showReplies();
    watch.restart();
    window.history.replaceState(null, "", addresses.page(number));
    const names = { wall: number, walls: wall.walls.length };
    document.title = `${say("wall_title", names)} · Trackside`;
    announcer.announce(say("announce_wall", { ...names, count: places.length }));
    hint("");
    this.focus();
    prefetch.prepare(wall.openWalls(number, 1), [number - 1]);
    lease?.update(open.size, free);
  }

  /** Paints everything that follows from the history, and gives the cell at the cursor, or the list, the focus. */
  focus() {
    this.paint();
    if (!this.#cells) return;
    (this.#cells.at(this.#page.wall.place) ?? this.#cells.list).focus();
  }

  /** Whether a mark may be given now: keys that are pressed while a page is awaited are for nothing on the screen. */
  #paintState() {
    const isAwaited = !this.#machine.isOver && !this.#machine.hasItem;
    byId("cells").ariaBusy = isAwaited || this.#machine.state === "leaving";
    if (this.#cells) this.#paintButtons();
  }

  paint() {
    if (this.isOver || !this.#cells) return;
    const { conflicts, free, history, keys, offline, opened, remarks, start, wall } = this.#page;
    const { place, number, walls } = wall;
    const shown = {
      place,
      marked: wall.marked(),
      opened,
      conflicts,
      isTabbed: keys.mode === "off",
      shades: start.shades,
      nominal: start.nominal,
    };
    this.#cells.paint({ history, focusable: wall.focusable, ...shown });
    paintOwn(history, place, { ...start, free });
    const { done, total } = history.progress;
    byId("place").textContent = say("place", { place: done, total: total + free });
    byId("wall-number").textContent = say("wall_number", { wall: number, walls: walls.length });
    this.#paintButtons();
    offline.update({ history: historyOf(wall, history), remarks, place: number, free });
  }

  #paintButtons() {
    const { wall } = this.#page;
    const [lastAct, count] = [wall.lastAct().length, this.restPlaces().length];
    if (lastAct > 1) byId("undo-last").firstElementChild.textContent = say("undo_many", { count: lastAct });
    if (this.isOver) return;
    byId("rest").firstElementChild.textContent = say("rest", { grade: this.lowest, count });
    byId("rest").disabled = count === 0;
    byId("next").disabled = wall.unset().length > 0 || !this.#machine.mayJudge;
  }

  /** Paints the number of items to judge on walls that the browser stores, among the next `count` walls. */
  paintReady(count) {
    const { wall } = this.#page;
    const ready = wall.openWalls(wall.number - 1, count).map((number) => wall.unset(wall.walls[number - 1]).length);
    paintReady(ready.reduce((sum, each) => sum + each, 0));
  }

  /** Puts the panel of the topic's status, "withdrawn" or "ended", in place of the cells. */
  end(topicStatus) {
    if (!this.#machine.send(topicStatus === "ended" ? "end" : "withdraw")) return;
    const panel = document.createElement("div");
    [panel.id, panel.className] = ["cells", "stage"];
    panel.append(byId(topicStatus).content.cloneNode(true));
    byId("cells").replaceWith(panel);
    byId("grades").disabled = byId("rest").disabled = byId("next").disabled = true;
    this.#page.announcer.announce(byId("over-title").textContent);
  }
}

/** The history by wall, as the store for work without a connection reads that of items. */
const historyOf = (wall, history) => ({
  openPlaces: (after, count) => wall.openWalls(after, count),
  snapshot: () => ({ ...history.snapshot(), walls: wall.walls }),
});
