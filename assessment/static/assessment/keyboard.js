// What the keys do, by their place on the keyboard; by their letter where nothing tells which letter is on which place.

const LETTERS = ["KeyA", "KeyS", "KeyD"]; // of the first grades
const TEXTS = "textarea, select, input:not([type=checkbox], [name=why])"; // they need the keys themselves
const REPEATED = /^(?:Arrow|[-+=]$)/; // keys that may be held down
const DIGIT = /^Digit(\d)$/;

/** The digit a key stands for, shifted or not and in whatever script; undefined for other keys. */
const digitOf = ({ key, code }) => (/^\d$/.test(key) ? key : code?.match(/^(?:Digit|Numpad)(\d)$/)?.[1]);

export class Keyboard {
  #keys;
  #replies;
  #steps;
  #judge;
  #layout;

  /**
   * `steps` by usual place, or by the character where that has no place of its own ("?", "+", "-", "Escape");
   * `judge(name, value)` takes a grade or a reason; `layout` may be undefined.
   */
  constructor({ keys, replies, steps, judge, layout }) {
    this.#keys = keys;
    this.#replies = replies;
    this.#steps = steps;
    this.#judge = judge;
    this.#layout = layout;
  }

  listen() {
    document.addEventListener("keydown", (event) => this.#answer(event));
  }

  #answer(event) {
    if (event.repeat && !REPEATED.test(event.key)) return;
    const isTyping = event.target.matches(TEXTS);
    const digit = digitOf(event);
    const pressed = digit ? `Digit${digit}` : this.#placeOf(event);
    if (event.target.closest("dialog")) {
      if (this.#keys.answer(pressed, () => this.nameKeys(document))) event.preventDefault();
      return;
    }
    if (event.key === "Escape") {
      if (isTyping) event.target.blur();
      return this.#take(event, this.#steps.Escape);
    }
    if (event.target.type === "radio" && digit && isTyping) {
      event.preventDefault(); // the digit is not for the text field that may come next
      this.#replies.choose(event.target, digit);
    }
    if (isTyping || !this.#keys.isMeant(event)) return;
    const code = this.#keys.meant(pressed);
    this.#take(event, this.#mark(code) ?? this.#steps[code] ?? this.#steps[event.key]);
  }

  #take(event, step) {
    if (!step) return;
    event.preventDefault();
    step();
  }

  /**
   * The place of a key. Firefox and Safari tell no layout, so the caps on the screen have the letters of a QWERTY
   * keyboard: the key that bears such a letter is meant, wherever it is. Other scripts leave only the place.
   */
  #placeOf({ key, code }) {
    return !this.#layout && /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : code;
  }

  /** The step of the grade or reason that a key stands for; digits name reasons while those are open. */
  #mark(code) {
    const reasons = document.querySelectorAll("#cannot[open] [name=reason]");
    const grades = [...document.getElementById("grades").elements];
    const digit = code?.match(DIGIT)?.[1];
    let button = grades[LETTERS.indexOf(code)];
    if (digit) button = reasons.length ? reasons[digit - 1] : grades.find((each) => each.value === digit);
    return button && (() => this.#judge(button.name, button.value));
  }

  /** Puts the reader's own letters on the key caps, where the browser knows them; none where keys are off. */
  nameKeys(part) {
    document.getElementById("surface").classList.toggle("keyless", this.#keys.mode === "off");
    for (const cap of part.querySelectorAll("kbd")) {
      cap.dataset.key ??= cap.textContent;
      const usual = cap.dataset.key;
      if (!/^[A-Z\d?]$/.test(usual) || cap.closest("#questions")) continue;
      cap.textContent = this.#keys.prefix + this.#nameOf(usual);
    }
  }

  #nameOf(usual) {
    if (usual === "?") return usual;
    const own = this.#keys.placeOf(/\d/.test(usual) ? `Digit${usual}` : `Key${usual}`);
    return (own.startsWith("Key") && this.#layout?.get(own)?.toUpperCase()) || own.at(-1);
  }
}
