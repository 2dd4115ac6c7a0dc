// The size of the picture on the screen: whole, enlarged by wheel, pinch or keys, or 1:1; moved by drag or arrows.

import { say } from "./texts.js";

const MOST = 2; // times that a picture is enlarged automatically
const TINY = 64; // px of the longer side; smaller pictures are enlarged more, by a whole number, with square pixels
const MOST_OF_TINY = 32;
const WIDEST_PART = 600; // px of the visible part of a tall picture
const LARGEST = 16; // times the whole picture's size
const STEP = 1.25;
const MOVE = 80; // px an arrow key moves the picture

const limited = (value, least, most) => Math.min(Math.max(value, least), most);

/** Width and height of the picture in its file. */
const sizeOf = (image) => [Number(image.getAttribute("width")), Number(image.getAttribute("height"))];

/** A number in the language of the page. */
const inWords = (number) => number.toLocaleString(document.documentElement.lang);

const distanceOf = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);

export class Zoom {
  #fact;
  #stage = null;
  #factor = 1; // times the size that fits
  #shown = 1; // screen pixels per pixel of the picture
  #box = ""; // the box's size when the picture was last fitted
  #isRefit = false; // the box has changed its size: the line with the size appeared, or the window changed
  #pointers = new Map();
  #observer = new ResizeObserver(() => this.#fit());

  /** `fact` is the line that shows the size when it is not obvious. */
  constructor(fact) {
    this.#fact = fact;
    const options = { passive: false };
    document.addEventListener("wheel", (event) => this.#isOnPicture(event) && this.#turn(event), options);
    document.addEventListener("pointerdown", (event) => this.#isOnPicture(event) && this.#touch(event));
    document.addEventListener("pointermove", (event) => this.#move(event));
    for (const end of ["pointerup", "pointercancel"]) {
      document.addEventListener(end, (event) => this.#pointers.delete(event.pointerId));
    }
    document.addEventListener("dragstart", (event) => this.#isOnPicture(event) && event.preventDefault());
    document.addEventListener("scroll", () => this.#frame(), { capture: true, passive: true });
  }

  /** Shows the stage's picture whole. */
  show(stage) {
    this.#observer.disconnect();
    [this.#stage, this.#factor, this.#box] = [stage, 1, ""];
    stage.classList.remove("zoom");
    this.#fit();
    if (this.#image) this.#observer.observe(stage);
  }

  get #image() {
    return this.#stage?.querySelector("img:not([hidden])");
  }

  get #scroller() {
    return this.#stage.querySelector(".part") ?? this.#stage;
  }

  /** Switches between whole and enlarged: to its true size if that is at least 1.5 times as large, else twice. */
  toggle() {
    if (!this.#image) return;
    if (this.#factor !== 1) this.#scale(1);
    else this.#scale(this.#trueFactor() >= 1.5 ? this.#trueFactor() : 2);
    if (this.#factor !== 1) this.#scroller.focus();
  }

  /** Shows one pixel of the picture on one of the screen. */
  trueSize() {
    if (this.#image) this.#scale(this.#trueFactor());
  }

  /** Enlarges by `steps`; shrinks if negative. */
  step(steps) {
    if (this.#image) this.#scale(this.#factor * STEP ** steps);
  }

  /** Moves an enlarged or long picture; returns false if there is none, or if the focus is in the topic's text. */
  pan(x, y) {
    if (!this.#isMovable || document.activeElement.closest("#topic")) return false;
    this.#scroller.scrollBy(x * MOVE, y * MOVE);
    return true;
  }

  get #isMovable() {
    return this.#image && (this.#factor !== 1 || this.#stage.classList.contains("long"));
  }

  #trueFactor() {
    return this.#image.naturalWidth / sizeOf(this.#image)[0] / this.#fitting();
  }

  /** The scale at which the whole picture fits, or a long one fits its box across. */
  #fitting() {
    const [width, height] = sizeOf(this.#image);
    const { clientWidth, clientHeight } = this.#scroller;
    const [across, down] = [clientWidth / width, clientHeight / height];
    if (this.#stage.classList.contains("tall")) return Math.min(across, MOST, Math.max(WIDEST_PART / width, 1));
    if (this.#stage.classList.contains("flat")) return Math.min(down, MOST);
    const whole = Math.min(across, down);
    if (Math.max(width, height) >= TINY) return Math.min(whole, MOST);
    return limited(Math.floor(whole), 1, MOST_OF_TINY);
  }

  #fit() {
    if (!this.#image) return this.#showFact("");
    const box = `${this.#stage.clientWidth} ${this.#stage.clientHeight}`;
    if (box === this.#box) return;
    this.#isRefit = this.#box !== "";
    this.#box = box;
    this.#scale(this.#factor === 1 ? 1 : this.#shown / this.#fitting()); // an enlarged picture keeps its size
    this.#isRefit = false;
  }

  /** Sets the size without moving the point of the picture at (x, y) of the window, or else in the middle. */
  #scale(factor, x, y) {
    const image = this.#image;
    const [width, height] = sizeOf(image);
    const fitting = this.#fitting();
    this.#factor = limited(factor, Math.min(1, 1 / fitting), LARGEST);
    const scale = fitting * this.#factor;
    this.#shown = scale;
    const keep = this.#factor === 1 ? () => {} : this.#anchor(image, x, y);
    image.style.width = `${width * scale}px`;
    image.style.height = `${height * scale}px`;
    image.classList.add("sized");
    image.classList.toggle("pixels", Math.max(width, height) < TINY);
    keep();
    this.#stage.classList.toggle("zoom", this.#factor !== 1);
    this.#stage.tabIndex = this.#factor === 1 ? -1 : 0; // arrow keys pan
    this.#showFact(this.#words(width, height, scale));
    this.#frame();
  }

  #anchor(image, x, y) {
    const box = this.#scroller.getBoundingClientRect();
    const [left, top] = [x ?? box.left + box.width / 2, y ?? box.top + box.height / 2];
    const before = image.getBoundingClientRect();
    const [across, down] = [(left - before.left) / before.width, (top - before.top) / before.height];
    return () => {
      const after = image.getBoundingClientRect();
      this.#scroller.scrollBy(after.left + across * after.width - left, after.top + down * after.height - top);
    };
  }

  #words(width, height, scale) {
    const size = { width: inWords(width), height: inWords(height) };
    if (this.#factor !== 1) return say("size_zoomed", { ...size, percent: Math.round(scale * 100) });
    if (this.#stage.classList.contains("long")) return say("size_long", size);
    if (scale > 1.05) return say("size_enlarged", { ...size, times: inWords(Math.round(scale * 10) / 10) });
    // Hiding the line would enlarge the box and the picture again.
    return this.#isRefit && !this.#fact.hidden ? say("size", size) : "";
  }

  #showFact(words) {
    this.#fact.hidden = !words;
    this.#fact.textContent = words;
  }

  /** Draws on the strip which part of the picture is visible. */
  #frame() {
    const frame = this.#stage?.querySelector(".frame");
    if (!frame) return;
    const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = this.#scroller;
    const strip = frame.parentElement;
    const [width, height] = sizeOf(this.#image);
    const shown = Math.min(strip.clientWidth / width, strip.clientHeight / height);
    if (this.#stage.classList.contains("tall")) {
      const [whole, gap] = [height * shown, (strip.clientHeight - height * shown) / 2];
      frame.style.top = `${gap + (whole * scrollTop) / scrollHeight}px`;
      frame.style.height = `${(whole * clientHeight) / scrollHeight}px`;
    } else {
      const [whole, gap] = [width * shown, (strip.clientWidth - width * shown) / 2];
      frame.style.left = `${gap + (whole * scrollLeft) / scrollWidth}px`;
      frame.style.width = `${(whole * clientWidth) / scrollWidth}px`;
    }
  }

  #isOnPicture(event) {
    return this.#stage?.contains(event.target) && event.target.matches("img, .part, .stage");
  }

  #turn(event) {
    if (!this.#image) return;
    event.preventDefault();
    const isScrolling = this.#stage.classList.contains("long") && !event.ctrlKey;
    const factor = this.#factor * STEP ** -Math.sign(event.deltaY);
    if (!isScrolling) return this.#scale(factor, event.clientX, event.clientY);
    const isFlat = this.#stage.classList.contains("flat");
    this.#scroller.scrollBy(event.deltaX + (isFlat ? event.deltaY : 0), isFlat ? 0 : event.deltaY);
  }

  #touch(event) {
    if (this.#image) this.#pointers.set(event.pointerId, event);
  }

  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before || !this.#image) return;
    const pair = [...this.#pointers.values()];
    this.#pointers.set(event.pointerId, event);
    if (pair.length === 1) {
      return this.#scroller.scrollBy(before.clientX - event.clientX, before.clientY - event.clientY);
    }
    const now = [...this.#pointers.values()];
    const [x, y] = [(now[0].clientX + now[1].clientX) / 2, (now[0].clientY + now[1].clientY) / 2];
    this.#scale((this.#factor * distanceOf(now)) / (distanceOf(pair) || 1), x, y);
  }
}
