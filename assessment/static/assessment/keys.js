// Key bindings by place on the keyboard: moved keys, and the modifier that all keys need.

import { say } from "./texts.js";

const MOVABLE = /^(?:Key[A-Z]|Digit\d)$/;
const MODES = ["single", "alt", "alt-shift", "off"];

/** Stores in this browser the letters and digits that a person has moved, and the modifier. */
export class Keys {
  #name;
  #hint;
  #moved; // usual place -> own place
  #mode;
  #moving = null; // usual place of the key that is being moved

  constructor(person, hint) {
    this.#name = `trackside-keys-${person}`;
    this.#hint = hint;
    this.#moved = JSON.parse(localStorage.getItem(this.#name) ?? "{}");
    this.#mode = localStorage.getItem(`${this.#name}-mode`) ?? MODES[0];
  }

  /** "single": keys work alone; "alt" and "alt-shift": with these modifiers; "off": not at all. */
  get mode() {
    return this.#mode;
  }

  set mode(mode) {
    this.#mode = mode;
    localStorage.setItem(`${this.#name}-mode`, mode);
  }

  /** Whether the modifiers of a key event are those of a shortcut. */
  isShortcut({ ctrlKey, metaKey, altKey, shiftKey }) {
    if (ctrlKey || metaKey || this.#mode === "off") return false;
    if (this.#mode === "single") return !altKey;
    return altKey && (this.#mode === "alt" || shiftKey);
  }

  /** The modifiers as written on the key caps. */
  get prefix() {
    return { alt: "Alt+", "alt-shift": "Alt+Shift+" }[this.#mode] ?? "";
  }

  /** The usual place of the action on the place `code`; "" if its action was moved and none replaced it. */
  usualPlaceOf(code) {
    const usual = Object.keys(this.#moved).find((each) => this.#moved[each] === code);
    return usual ?? (code in this.#moved ? "" : code);
  }

  /** The place to which the action of a usual place was moved, or that place. */
  placeOf(usual) {
    return this.#moved[usual] ?? usual;
  }

  /** Asks for the new place of the action of a usual place. */
  startMoving(usual) {
    this.#moving = usual;
    this.#hint.textContent = say("press_key", { key: this.placeOf(usual).at(-1) });
  }

  /** Handles the key that is pressed while one is moved; returns whether one is. `onMoved` is called after a move. */
  finishMoving(code, onMoved) {
    if (this.#moving === null) return false;
    if (code === "Escape") this.#stop(say("not_moved"));
    else if (!MOVABLE.test(code)) this.#hint.textContent = say("not_movable");
    else {
      const old = this.placeOf(this.#moving);
      this.#swap(old, code);
      this.#stop(say("moved", { one: old.at(-1), other: code.at(-1) }));
      onMoved();
    }
    return true;
  }

  reset() {
    this.#moved = {};
    localStorage.removeItem(this.#name);
    this.#stop(say("keys_reset"));
  }

  /** Swaps two keys, so that each action keeps exactly one key. */
  #swap(one, other) {
    const [left, right] = [this.usualPlaceOf(one) || one, this.usualPlaceOf(other) || other];
    this.#moved = { ...this.#moved, [left]: other, [right]: one };
    localStorage.setItem(this.#name, JSON.stringify(this.#moved));
  }

  #stop(words) {
    this.#moving = null;
    this.#hint.textContent = words;
  }
}
