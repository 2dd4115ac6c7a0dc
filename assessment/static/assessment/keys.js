// The keys of the screen by their places on the keyboard, and which of them its reader has moved.

const LETTER = /^Key[A-Z]$/;

/** Keeps in this browser which letter keys a person has moved. */
export class Keys {
  #name;
  #hint;
  #moved; // usual place -> own place
  #first = null; // the key to be moved, while the reader is asked for its new place
  #isAsking = false;

  constructor(person, hint) {
    this.#name = `trackside-keys-${person}`;
    this.#hint = hint;
    this.#moved = JSON.parse(localStorage.getItem(this.#name) ?? "{}");
  }

  /** The usual place of what a key stands for now; of a key whose meaning has moved away, nothing. */
  meant(code) {
    const usual = Object.keys(this.#moved).find((each) => this.#moved[each] === code);
    return usual ?? (code in this.#moved ? "" : code);
  }

  /** Where the meaning of a usual place is now. */
  placeOf(usual) {
    return this.#moved[usual] ?? usual;
  }

  ask() {
    this.#isAsking = true;
    this.#first = null;
    this.#hint.textContent = "Press the key to move.";
  }

  /** Whether the key was an answer to the question; `isMoved` is called once a key has its new place. */
  answer(code, isMoved) {
    if (!this.#isAsking) return false;
    if (code === "Escape") this.#stop("Nothing was moved.");
    else if (!LETTER.test(code)) this.#hint.textContent = "Only letters can be moved. Press a letter.";
    else if (this.#first === null) {
      this.#first = code;
      this.#hint.textContent = "Now press its new key.";
    } else {
      this.#swap(this.#first, code);
      this.#stop("Moved. Press Change again to move another.");
      isMoved();
    }
    return true;
  }

  reset() {
    this.#moved = {};
    localStorage.removeItem(this.#name);
    this.#stop("All keys are in their usual places.");
  }

  /** Two keys change places, so that none is lost and none means two things. */
  #swap(one, other) {
    const [left, right] = [this.meant(one) || one, this.meant(other) || other];
    this.#moved = { ...this.#moved, [left]: other, [right]: one };
    localStorage.setItem(this.#name, JSON.stringify(this.#moved));
  }

  #stop(words) {
    this.#isAsking = false;
    this.#hint.textContent = words;
  }
}
