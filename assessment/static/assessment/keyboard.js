// Runs the action of a pressed key, by its place on the keyboard; by its letter if the browser reveals no layout.

const LETTERS = ["KeyA", "KeyS", "KeyD"]; // keys of the first grades
const TEXTS = "textarea, select, input:not([type=checkbox], [name=why])"; // fields that use the keys
const REPEATED = /^(?:Arrow|[-+=]$)/; // keys that may be held down
const DIGIT = /^Digit(\d)$/;

/** The digit of a key, shifted or not and in any script; undefined for other keys. */
const digitOf = ({ key, code }) => (/^\d$/.test(key) ? key : code?.match(/^(?:Digit|Numpad)(\d)$/)?.[1]);

export class Keyboard {
  #keys;
  #replies;
  #steps;
  #pictureSteps;
  #judge;
  #layout;

  /**
   * `steps` are keyed by usual place, or by character if the place varies ("?", "+", "-", "Escape"); `pictureSteps`
   * are those that work while the topic's picture is open;
   * `judge(name, value, event)` takes a grade or a reason and its key; `layout` may be undefined.
   */
  constructor({ keys, replies, steps, pictureSteps, judge, layout }) {
    this.#keys = keys;
    this.#replies = replies;
    this.#steps = steps;
    this.#pictureSteps = pictureSteps;
    this.#judge = judge;
    this.#layout = layout;
  }

  listen() {
    document.addEventListener("keydown", (event) => this.#onKeyDown(event));
  }

  #onKeyDown(event) {
    if (event.repeat && !REPEATED.test(event.key)) return;
    const isTyping = event.target.matches(TEXTS);
    const digit = digitOf(event);
    const pressed = digit ? `Digit${digit}` : this.#placeOf(event);
    if (event.target.closest("#topic-picture[open]"))
      return this.#run(event, this.#stepOf(this.#pictureSteps, event, pressed));
    if (event.target.closest("dialog[open]")) {
      if (this.#keys.finishMoving(pressed, () => this.nameKeys(document))) event.preventDefault();
      return;
    }
    if (event.key === "Escape") {
      if (isTyping && !event.target.closest(".pop[open]")) event.target.blur(); // a pop's button gets the focus
      return this.#run(event, this.#steps.Escape);
    }
    if (event.target.type === "radio" && digit && isTyping) {
      event.preventDefault(); // the digit is not for the text field that may come next
      this.#replies.choose(event.target, digit);
    }
    if (isTyping || !this.#keys.isShortcut(event)) return;
    this.#run(event, this.#mark(this.#keys.usualPlaceOf(pressed)) ?? this.#stepOf(this.#steps, event, pressed));
  }

  #stepOf(steps, event, pressed) {
    if (!this.#keys.isShortcut(event)) return undefined;
    return steps[this.#keys.usualPlaceOf(pressed)] ?? steps[event.key];
  }

  /** A step that returns false has nothing to do: the browser handles the key, and scrolls a text by arrows. */
  #run(event, step) {
    if (step && step(event) !== false) event.preventDefault();
  }

  /**
   * The place of a key. Firefox and Safari reveal no layout, so the caps on the screen have the letters of a QWERTY
   * keyboard, and the key with such a letter counts, wherever it is. For other scripts only the place is known.
   */
  #placeOf({ key, code }) {
    return !this.#layout && /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : code;
  }

  /** The step of the grade or reason of a key; digits choose reasons while their list is open. */
  #mark(code) {
    const reasons = document.querySelectorAll(".pop[open] [name=reason]");
    const grades = [...document.getElementById("grades").elements];
    const digit = code?.match(DIGIT)?.[1];
    let button = grades[LETTERS.indexOf(code)];
    if (digit) button = reasons.length ? reasons[digit - 1] : grades.find((each) => each.value === digit);
    return button && ((event) => this.#judge(button.name, button.value, event));
  }

  /** Writes the reader's letters on the key caps, if the browser knows them; hides the caps while keys are off. */
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
