// Replies to the task's extra questions, by the names of their fields.

import { hint } from "./hint.js";
import { say } from "./texts.js";

const BEGINNING = "reply_";

/** The replies among an event's fields. */
export const repliesIn = (fields) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => name.startsWith(BEGINNING)));

export const areSame = (some, others) =>
  JSON.stringify(Object.entries(some).sort()) === JSON.stringify(Object.entries(others).sort());

const DIGIT = /^\d$/;

/** The digit that chooses each option: its value if any option is a digit, else its position; "" for none. */
function digitsOf(options) {
  const values = options.map((each) => each.value);
  const digits = values.some((each) => DIGIT.test(each)) ? values : values.map((_, index) => `${index + 1}`);
  return digits.map((each) => (DIGIT.test(each) ? each : ""));
}

export class Replies {
  #form;
  #onDone;

  /** `onDone()` moves the focus on, once a digit has chosen the last reply. */
  constructor(form, onDone = () => document.activeElement.blur()) {
    [this.#form, this.#onDone] = [form, onDone];
  }

  #fields() {
    return [...this.#form.elements].filter((each) => each.name.startsWith(BEGINNING));
  }

  focus() {
    this.#fields()
      .find((each) => !each.disabled)
      ?.focus();
  }

  /** Leaves the replies with these names as they are, where they are given. */
  fix(names) {
    const given = this.given();
    for (const each of this.#fields()) each.disabled = names.includes(each.name) && each.name in given;
  }

  has(name) {
    return this.#fields().some((each) => each.name === name);
  }

  given() {
    const given = this.#fields().filter((each) => (each.type === "radio" ? each.checked : each.value.trim()));
    return Object.fromEntries(given.map((each) => [each.name, each.value.trim()]));
  }

  /** Whether all required replies are given; the first missing one gets the focus. */
  areComplete() {
    const given = this.given(); // Firefox calls a required choice valid without a reply, if it is outside its form
    const missing = this.#fields().find((each) => each.required && !(each.name in given));
    if (!missing) return true;
    missing.focus();
    hint(say("reply_first"), { isUrgent: true });
    return false;
  }

  show(replies) {
    for (const each of this.#fields()) {
      if (each.type === "radio") each.checked = replies[each.name] === each.value;
      else each.value = replies[each.name] ?? "";
    }
  }

  /** Writes beside each option the digit that chooses it. */
  nameDigits() {
    for (const option of this.#fields().filter((each) => each.type === "radio")) {
      const options = this.#optionsBeside(option);
      const digit = digitsOf(options)[options.indexOf(option)];
      if (!digit) continue;
      const cap = document.createElement("kbd");
      cap.textContent = digit;
      option.after(" ", cap);
    }
  }

  #optionsBeside(option) {
    return this.#fields().filter((each) => each.name === option.name);
  }

  /** Chooses an option by digit while its question has the focus, and moves the focus to the next question. */
  choose(focused, digit) {
    const fields = this.#fields();
    const options = this.#optionsBeside(focused);
    const option = options[digitsOf(options).indexOf(digit)];
    if (!option) return;
    option.click();
    const next = fields[fields.indexOf(options.at(-1)) + 1];
    if (next) next.focus();
    else this.#onDone();
  }
}
