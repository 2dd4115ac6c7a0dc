// Seconds at work on an item: time with the page in sight and a sign of life not long ago.

const LONGEST_PAUSE = 60_000; // ms without a key or pointer that still count: a long text takes that long to read
const SIGNS = ["keydown", "pointerdown", "pointermove", "wheel", "touchstart"];

export class Stopwatch {
  #active = 0;
  #last = 0;
  #isInSight = true;

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

  /** Milliseconds since the last sign of life. */
  idle() {
    return performance.now() - this.#last;
  }

  #count() {
    const now = performance.now();
    if (this.#isInSight) this.#active += Math.min(now - this.#last, LONGEST_PAUSE);
    this.#last = now;
    this.#isInSight = document.visibilityState === "visible";
  }
}
