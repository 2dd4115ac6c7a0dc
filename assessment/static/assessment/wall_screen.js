// The wall on the screen: which one is shown, and what is painted in its cells and around them.

import { hint } from "./hint.js";
import { paintOwn } from "./own.js";
import { paintReady } from "./saved.js";
import { say } from "./texts.js";
import { WallCells } from "./wall_cells.js";

const byId = (id) => document.getElementById(id);

export class WallScreen {
  #page;
  #cells; // of the wall on the screen
  #wanted; // number of the wall that is asked for
  #shownAt = new Date();
  #isOver = false;

  /**
   * `page` has `start`, the addresses, history, wall, prefetch, offline, watch, keys, opened, announcer, remarks and
   * lease (if items are leased) of the page, and `free`, the number of items that may be leased later.
   */
  constructor(page) {
    this.#page = page;
    this.lowest = String(Math.min(...page.start.scale));
  }

  get cells() {
    return this.#cells;
  }

  get shownAt() {
    return this.#shownAt;
  }

  /** Whether no item of the topic can be judged any more. */
  get isOver() {
    return this.#isOver;
  }

  /** The places in sight without a mark, but for those whose picture cannot be shown. */
  restPlaces() {
    return this.#page.wall.unset(this.#cells.inSight()).filter((place) => !this.#cells.isBroken(place));
  }

  /** Shows a wall as soon as it is loaded, with the cursor at `place` or at the first cell without a mark. */
  async show(number, place) {
    const { prefetch, wall } = this.#page;
    this.#wanted = number;
    const isWanted = () => this.#wanted === number && !this.#isOver;
    const onMiss = () => hint(say("wall_not_loaded", { wall: number }), { isUrgent: true });
    if (number !== Number(byId("cells").dataset.wall)) {
      const item = prefetch.take(number) ?? (await prefetch.wait(number, isWanted, onMiss));
      if (!item) return;
      if (byId("cells").dataset.wall) prefetch.put(wall.number, { cells: byId("cells") });
      byId("cells").replaceWith(item.cells);
    }
    // The cursor stays if the wall has grown while its items are judged.
    this.#begin(number, number === wall.number && wall.unset().length ? wall.place : place);
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
    const { addresses, announcer, free, history, lease, prefetch, wall, watch } = this.#page;
    if (this.#cells?.list !== byId("cells")) this.#cells = new WallCells(byId("cells"), () => this.paint());
    const open = new Set(history.openPlaces(0));
    const places = this.#cells.places.filter((each) => open.has(each) || history.at(each));
    wall.show(number, places, place);
    this.#shownAt = new Date();
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

  /** Paints everything that follows from the history, and gives the cell at the cursor the focus. */
  focus() {
    this.paint();
    this.#cells.at(this.#page.wall.place)?.focus();
  }

  paint() {
    if (this.#isOver || !this.#cells) return;
    const { free, history, keys, offline, opened, remarks, start, wall } = this.#page;
    const { place, number, walls } = wall;
    this.#cells.paint({ history, place, marked: wall.marked(), opened, isTabbed: keys.mode === "off" });
    paintOwn(history, place, start);
    byId("place").textContent = say("place", { place: byId("progress").value, total: history.count + free });
    byId("wall-number").textContent = say("wall_number", { wall: number, walls: walls.length });
    this.#paintButtons();
    offline.update({ history: historyOf(wall, history), remarks, place: number, free });
  }

  #paintButtons() {
    const { wall } = this.#page;
    const [lastAct, count] = [wall.lastAct().length, this.restPlaces().length];
    if (lastAct > 1) byId("undo-last").firstElementChild.textContent = say("undo_many", { count: lastAct });
    byId("rest").firstElementChild.textContent = say("rest", { grade: this.lowest, count });
    byId("rest").disabled = count === 0;
    byId("next").disabled = wall.unset().length > 0;
  }

  /** Paints the number of items to judge on walls that the browser stores, among the next `count` walls. */
  paintReady(count) {
    const { wall } = this.#page;
    const ready = wall.openWalls(wall.number - 1, count).map((number) => wall.unset(wall.walls[number - 1]).length);
    paintReady(ready.reduce((sum, each) => sum + each, 0));
  }

  /** Puts the panel of the topic's status, "withdrawn" or "ended", in place of the cells. */
  end(topicStatus) {
    this.#isOver = true;
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
