// Active seconds on an item: the page is visible and a key or pointer was used recently.

const LONGEST_PAUSE = 60_000; // ms without a key or pointer that still count: reading a long text takes that long
const SIGNS = ["keydown", "pointerdown", "pointermove", "wheel", "touchstart"];

export class Stopwatch {
  #active = 0;
  #last = 0;
  #isVisible = true;

  constructor() {
    const options = { passive: true, capture: true };
    for (const sign of SIGNS) addEventListener(sign, () => this.#count(), options);
    document.addEventListener("visibilitychange", () => this.#count());
    this.restart();
  }

  restart() {
    this.#count();
    this.#active = 0;
  }

  /** Active seconds since the restart. */
  read() {
    this.#count();
    return this.#active / 1000;
  }

  /** Milliseconds since the last use of a key or pointer. */
  idle() {
    return performance.now() - this.#last;
  }

  #count() {
    const now = performance.now();
    if (this.#isVisible) this.#active += Math.min(now - this.#last, LONGEST_PAUSE);
    this.#last = now;
    this.#isVisible = document.visibilityState === "visible";
  }
}
