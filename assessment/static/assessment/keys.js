// The keys of the screen by their places on the keyboard: which its reader has moved, and with what they are pressed.

const MOVABLE = /^(?:Key[A-Z]|Digit\d)$/;
const MODES = ["single", "alt", "alt-shift", "off"];

/** Keeps in this browser which letters and digits a person has moved, and whether these need a modifier. */
export class Keys {
  #name;
  #hint;
  #moved; // usual place -> own place
  #mode;
  #asked = null; // usual place of the key whose new place is asked for

  constructor(person, hint) {
    this.#name = `trackside-keys-${person}`;
    this.#hint = hint;
    this.#moved = JSON.parse(localStorage.getItem(this.#name) ?? "{}");
    this.#mode = localStorage.getItem(`${this.#name}-mode`) ?? MODES[0];
  }

  /** "single": a key alone is a step; "alt" and "alt-shift": with these modifiers; "off": none is. */
  get mode() {
    return this.#mode;
  }

  set mode(mode) {
    this.#mode = mode;
    localStorage.setItem(`${this.#name}-mode`, mode);
  }

  /** Whether a key that is pressed so may be a step. */
  isMeant({ ctrlKey, metaKey, altKey, shiftKey }) {
    if (ctrlKey || metaKey || this.#mode === "off") return false;
    if (this.#mode === "single") return !altKey;
    return altKey && (this.#mode === "alt" || shiftKey);
  }

  /** What stands before a key's own name on its cap. */
  get prefix() {
    return { alt: "Alt+", "alt-shift": "Alt+Shift+" }[this.#mode] ?? "";
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

  /** Asks where the meaning of a usual place is to be. */
  ask(usual) {
    this.#asked = usual;
    this.#hint.textContent = `Press the new key for ${this.placeOf(usual).at(-1)}, or Escape.`;
  }

  /** Whether the key was an answer to the question; `isMoved` is called once a key has its new place. */
  answer(code, isMoved) {
    if (this.#asked === null) return false;
    if (code === "Escape") this.#stop("Nothing was moved.");
    else if (!MOVABLE.test(code)) this.#hint.textContent = "Only letters and digits can be used. Press one.";
    else {
      const old = this.placeOf(this.#asked);
      this.#swap(old, code);
      this.#stop(`Moved: ${old.at(-1)} and ${code.at(-1)} have changed places.`);
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
    this.#asked = null;
    this.#hint.textContent = words;
  }
}
