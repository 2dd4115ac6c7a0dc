// The cells of a wall, the cursor and the marked range, and which judgments one act made. No page, no network.

export class WallState {
  #history;
  #walls;
  #singles; // places of cells that are shown alone
  #number = 1;
  #places = []; // of the cells that can be judged
  #cursor = 0; // index of a cell; -1 on a complete wall, until the assessor moves it
  #former = 0; // index of the last cell with the cursor
  #anchor = null; // index of the other end of the marked range
  #acts = new Map(); // id of a judgment -> number of its act
  #actCount = 0;

  /** `walls` has the places of each wall, `singles` those that it shows alone. */
  constructor(history, walls, singles = []) {
    [this.#history, this.#walls, this.#singles] = [history, walls, singles];
  }

  get number() {
    return this.#number;
  }

  get walls() {
    return this.#walls;
  }

  /** Takes the walls of an extended lease; returns the numbers of those that have more places now. */
  extend(walls, singles = []) {
    const grown = this.#walls.flatMap((wall, index) => (walls[index]?.length > wall.length ? [index + 1] : []));
    [this.#walls, this.#singles] = [walls, singles];
    return grown;
  }

  isSingle(place) {
    return this.#singles.includes(place);
  }

  /** The place at the cursor; undefined without one. */
  get place() {
    return this.#places[this.#cursor];
  }

  /** The place that has the cursor, or had it last. */
  get focusable() {
    return this.place ?? this.#places[this.#former];
  }

  /** Shows the wall of this number, with the cursor at `place` or at the first cell without a mark, if there is one. */
  show(number, places, place) {
    [this.#number, this.#places, this.#anchor, this.#former] = [number, places, null, 0];
    this.#cursor = places.indexOf(places.includes(place) ? place : this.unset()[0]);
  }

  /**
   * Moves the cursor by some cells, unless it would leave the wall; marks the cells on the way if `isMarking`. On a
   * complete wall it comes back where it was.
   */
  move(step, isMarking = false) {
    if (this.#cursor < 0) return this.goTo(this.focusable);
    const next = this.#cursor + step;
    if (next >= 0 && next < this.#places.length) this.goTo(this.#places[next], isMarking);
  }

  goTo(place, isMarking = false) {
    const next = this.#places.indexOf(place);
    if (next < 0) return;
    this.#anchor =
      isMarking && !this.isSingle(place) ? (this.#anchor ?? (this.#cursor < 0 ? next : this.#cursor)) : null;
    this.#cursor = next;
  }

  /** The marked places in reading order; none without a range. */
  marked() {
    if (this.#anchor === null) return [];
    const [first, last] = [this.#anchor, this.#cursor].sort((one, other) => one - other);
    return this.#places.slice(first, last + 1);
  }

  /** The places without a mark, among those that are given. */
  unset(places = this.#places) {
    const open = new Set(this.#history.openPlaces(0));
    return places.filter((place) => open.has(place));
  }

  /** Moves the cursor to the next place without a mark, wrapping around. A complete wall has no cursor. */
  advance() {
    const last = this.#places.indexOf(this.marked().at(-1) ?? this.place);
    const unset = this.unset();
    const next = unset.find((place) => this.#places.indexOf(place) > last) ?? unset[0];
    if (this.#cursor >= 0) this.#former = this.#cursor;
    if (next === undefined) [this.#cursor, this.#anchor] = [-1, null];
    else this.goTo(next);
  }

  /** The number of the next wall with an open item, after this one first; undefined if all are done. */
  nextWall() {
    return this.openWalls(this.#number)[0];
  }

  /** Up to `count` numbers of walls with open items, first those after the number `after`. */
  openWalls(after, count = this.#walls.length) {
    const open = new Set(this.#history.openPlaces(0));
    const numbers = this.#walls.map((_, index) => ((after + index) % this.#walls.length) + 1);
    return numbers.filter((number) => this.#walls[number - 1].some((place) => open.has(place))).slice(0, count);
  }

  /** Notes that judgments with these ids were made by one act. */
  note(ids) {
    this.#actCount += 1;
    for (const id of ids) this.#acts.set(id, this.#actCount);
  }

  /** The judgments of the last act, latest first. After a reload the grades of one "rest" are one act. */
  lastAct() {
    const judgments = this.#history.all().reverse();
    const [last] = judgments;
    const end = judgments.findIndex((judgment) => !this.#isSameAct(judgment, last));
    return end < 0 ? judgments : judgments.slice(0, end);
  }

  #isSameAct(one, other) {
    if (one === other) return true;
    const [act, otherAct] = [one, other].map(({ client_uuid: id }) => this.#acts.get(id));
    if (act || otherAct) return act === otherAct;
    return one.is_by_rest && other.is_by_rest && this.#wallOf(one) === this.#wallOf(other);
  }

  #wallOf = ({ place }) => this.#walls.findIndex((wall) => wall.includes(place));
}
