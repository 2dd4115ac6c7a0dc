// What the keys do, by their place on the keyboard; by their letter where nothing tells which letter is on which place.

const LETTERS = ["KeyA", "KeyS", "KeyD"]; // of the first grades
const TEXTS = "textarea, select, input:not([type=checkbox])"; // they need the keys themselves

/** The digit a key stands for, shifted or not and in whatever script; undefined for other keys. */
const digitOf = ({ key, code }) => (/^\d$/.test(key) ? key : code?.match(/^(?:Digit|Numpad)(\d)$/)?.[1]);

export class Keyboard {
  #keys;
  #replies;
  #steps;
  #judge;
  #layout;

  /** `steps` by usual place; `judge(name, value)` takes a grade or a reason; `layout` may be undefined. */
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
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const isTyping = event.target.matches(TEXTS);
    if (isTyping && event.key === "Escape") event.target.blur();
    const digit = digitOf(event);
    if (event.target.type === "radio" && digit) {
      event.preventDefault(); // the digit is not for the text field that may come next
      this.#replies.choose(event.target, digit);
    }
    if (isTyping && event.key !== "Escape") return;
    const pressed = this.#placeOf(event);
    if (!isTyping && this.#keys.answer(pressed, () => this.nameKeys(document))) return event.preventDefault();
    const code = this.#keys.meant(pressed);
    const step = this.#mark(code, digit) ?? this.#steps[code];
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
  #mark(code, digit) {
    const reasons = document.querySelectorAll("#cannot[open] [name=reason]");
    const grades = [...document.getElementById("grades").elements];
    let button = grades[LETTERS.indexOf(code)];
    if (digit) button = reasons.length ? reasons[digit - 1] : grades.find((each) => each.value === digit);
    return button && (() => this.#judge(button.name, button.value));
  }

  /** Puts the reader's own letters on the key caps, where the browser knows them. */
  nameKeys(part) {
    for (const cap of part.querySelectorAll("kbd")) {
      cap.dataset.key ??= cap.textContent;
      if (!/^[A-Z]$/.test(cap.dataset.key)) continue;
      const own = this.#keys.placeOf(`Key${cap.dataset.key}`);
      cap.textContent = (this.#layout?.get(own) ?? own.slice(-1)).toUpperCase();
    }
  }
}
