// The cells of a wall on the page: pictures or snippets, marks, cursor and marked range.

import { inWords, isNominal } from "./marks.js";
import { isBroken, isInSight, isLoaded, settleInTime } from "./picture.js";
import { isToOpen } from "./sight.js";
import { say } from "./texts.js";

const NOT_GRADED = "";

export class WallCells {
  #list;
  #cells; // place -> element

  /** `onPicture()` is called when a picture was decoded or cannot be shown. */
  constructor(list, onPicture) {
    this.#list = list;
    this.#cells = new Map([...list.querySelectorAll(".cell")].map((cell) => [Number(cell.dataset.place), cell]));
    for (const cell of this.#cells.values()) {
      if (cell.querySelector("img")) settleInTime(cell.querySelector(".face"), onPicture, brokenWords);
    }
  }

  get list() {
    return this.#list;
  }

  get places() {
    return [...this.#cells.keys()];
  }

  at(place) {
    return this.#cells.get(place);
  }

  isBroken(place) {
    return isBroken(this.at(place));
  }

  /** Whether the item can be seen here, or was seen on its own page and its picture is loaded. */
  isGradeable(place, opened) {
    return isInSight(this.at(place)) || (opened.has(place) && isLoaded(this.at(place)));
  }

  /** Whether the item can be graded with the others that are left: at a glance. */
  isPlain(place) {
    return isInSight(this.at(place)) && !this.#isToOpen(place) && !this.#isAlone(place);
  }

  #isAlone(place) {
    return this.at(place)?.parentElement.classList.contains("alone") ?? false;
  }

  /** Whether the picture must be opened, or had better be. */
  #isToOpen(place) {
    const [image] = this.at(place).querySelectorAll("img");
    return image !== undefined && isLoaded(this.at(place)) && (!isInSight(this.at(place)) || isToOpen(image));
  }

  /** The places of the items that look like the one at a place, itself first; those that are alone have none. */
  alike(place) {
    const { alike } = this.at(place).dataset;
    const others = this.places.filter((each) => each !== place && this.at(each).dataset.alike === alike);
    return [place, ...(alike === undefined ? [] : others)];
  }

  /** Why the item cannot be graded here. */
  whyNot(place) {
    if (this.isBroken(place)) return say("announce_broken");
    return say(isLoaded(this.at(place)) ? "open_first" : "not_decoded", { place });
  }

  /** The number of cells that an arrow key moves by. */
  stepOf(key) {
    const { direction, gridTemplateColumns } = getComputedStyle(this.#list);
    const columns = gridTemplateColumns.split(" ").length;
    const onwards = direction === "rtl" ? -1 : 1;
    return { ArrowLeft: -onwards, ArrowRight: onwards, ArrowUp: -columns, ArrowDown: columns }[key];
  }

  /** The places of the cells that are in sight by more than half. */
  inSight() {
    const { top, bottom } = this.#list.getBoundingClientRect();
    return this.places.filter((place) => {
      const box = this.at(place).getBoundingClientRect();
      const middle = (box.top + box.bottom) / 2;
      return top < middle && middle < bottom;
    });
  }

  /**
   * Paints the marks, those in conflict too, the cursor at `place` and the marked places; `isTabbed`: the Tab key
   * reaches every cell, else that at `focusable`; `shades` has the class of each grade, `nominal` the name of the
   * answer beside them.
   */
  paint({ history, place, focusable, marked, opened, conflicts, isTabbed, shades, nominal }) {
    const marks = history.current();
    this.#list.classList.toggle("one", this.#isAlone(place));
    for (const [at, cell] of this.#cells) {
      cell.parentElement.classList.toggle("now", at === place);
      const judgment = marks.get(at);
      const mine = conflicts.markAt(at);
      paintMark(cell.querySelector(".mark"), judgment?.mark, shades, nominal);
      const isRest = judgment?.is_by_rest;
      const names = [marked.includes(at) && "cell_marked", opened.has(at) && "cell_opened", isRest && "cell_rest"];
      const words = names.filter(Boolean).map((name) => say(name));
      if (!judgment && !opened.has(at) && this.#isToOpen(at)) words.unshift(say("cell_to_open"));
      if (mine !== undefined) words.unshift(say("cell_conflict", { mark: inWords(mine, nominal, "–") }));
      cell.querySelector("i").textContent = words.join(", ");
      cell.classList.toggle("graded", judgment !== undefined);
      cell.classList.toggle("unseen", !this.isGradeable(at, opened));
      cell.classList.toggle("conflict", mine !== undefined);
      cell.classList.toggle("marked", marked.includes(at));
      cell.tabIndex = isTabbed || at === focusable ? 0 : -1;
      if (at === place) cell.setAttribute("aria-current", "true");
      else cell.removeAttribute("aria-current");
    }
  }
}

/** Writes a grade or the answer beside the grades on its shade, or the words for giving none, or that there is no mark yet. */
function paintMark(element, mark, shades, nominal) {
  const isGrade = typeof mark === "number";
  const words = document.createElement("span");
  const signs = isGrade ? [` ${mark}`, mark] : isNominal(mark) ? ["?", "nominal"] : ["–", "none"];
  const [sign, name] = mark === undefined ? ["", NOT_GRADED] : signs;
  words.className = "vh";
  words.textContent = isGrade ? say("cell_grade") : inWords(mark, nominal, say(sign ? "cell_reason" : "cell_open"));
  element.className = ["mark gm", isGrade ? shades[mark] : isNominal(mark) && "nm"].filter(Boolean).join(" ");
  element.dataset.mark = name;
  element.replaceChildren(words, sign);
}

function brokenWords() {
  const words = document.createElement("span");
  words.className = "broken";
  words.textContent = say("announce_broken");
  return words;
}

/** Places that were opened from the wall in this tab, also after a reload. */
export class Opened {
  #name;
  #places;

  constructor({ assessor, base }) {
    this.#name = `trackside-opened-${assessor}-${base}`;
    this.#places = new Set(JSON.parse(sessionStorage.getItem(this.#name) ?? "[]"));
  }

  has(place) {
    return this.#places.has(place);
  }

  add(place) {
    this.#places.add(place);
    sessionStorage.setItem(this.#name, JSON.stringify([...this.#places]));
  }
}

const placeOf = ({ target }) => Number(target.closest(".cell")?.dataset.place);

/**
 * Moves the cursor by arrows, Tab and taps: the first tap on a cell moves it there, a second one opens the item. With
 * Shift the cells on the way are marked. `open(place)` returns whether the item is opened.
 */
export function listenToCells({ wall, screen, open }) {
  let pressedAt = null; // the place at the cursor when a pointer was pressed; null if a key was the last act
  const goTo = (place, isMarking) => {
    screen.stay();
    wall.goTo(place, isMarking);
    screen.paint();
  };
  const forget = () => {
    pressedAt = null;
  };
  document.addEventListener("pointerdown", () => {
    pressedAt = wall.place;
  });
  document.addEventListener("pointercancel", forget); // the page scrolls
  document.addEventListener("keydown", forget, true);
  document.addEventListener("click", (event) => {
    const place = placeOf(event);
    const isFirst = pressedAt !== null && pressedAt !== place;
    forget();
    if (!place || event.ctrlKey || event.metaKey) return;
    if (!isFirst && !event.shiftKey && open(place)) return;
    event.preventDefault();
    if (isFirst || event.shiftKey) goTo(place, event.shiftKey);
  });
  document.addEventListener("focusin", (event) => {
    const place = placeOf(event);
    const isDeliberate = pressedAt === null && ["shown", "finished"].includes(screen.machine.state);
    if (place && place !== wall.place && isDeliberate) goTo(place);
  });
  document.addEventListener("keydown", (event) => {
    const step = event.target.matches("body, .cell, .cells") ? screen.cells?.stepOf(event.key) : undefined;
    if (step === undefined || screen.isOver || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    screen.stay();
    wall.move(step, event.shiftKey);
    screen.focus();
  });
}
