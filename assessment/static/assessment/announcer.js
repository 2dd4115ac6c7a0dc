// Announcements for screen readers: each grade and each change of item, once.

import { say } from "./texts.js";

const TROUBLE = { offline: "announce_offline", blocked: "announce_blocked" };

export class Announcer {
  #line;
  #prefix = ""; // about the last step; precedes the announcement of the next item
  #state = "saved";

  /** `line` has the role "status". A `flag` that its key changes is not focused, so browsers do not announce it. */
  constructor(line, flag) {
    this.#line = line;
    flag?.addEventListener("change", () => {
      if (document.activeElement !== flag) this.announce(say(flag.checked ? "announce_flag" : "announce_no_flag"));
    });
  }

  /** Notes that the item at the place was marked. */
  note(place, name, value) {
    const button = document.querySelector(`[name=${name}][value="${CSS.escape(value)}"]`);
    const grade = { place, grade: value, name: button.querySelector("span")?.textContent };
    const answer = button.dataset.name;
    if (answer) this.#prefix = say("announce_answer", { place, name: answer });
    else this.#prefix = name === "grade" ? say("announce_grade", grade) : say("announce_reason", { place });
  }

  /** Notes that one act graded several items, or undid their judgments if there is no grade. */
  noteMany(count, grade) {
    const button = document.querySelector(`:is([name=grade], [name=reason])[value="${CSS.escape(grade)}"]`);
    const answer = button?.dataset.name;
    const name = button?.querySelector("span")?.textContent;
    if (grade === undefined) this.#prefix = say("announce_undone", { count });
    else
      this.#prefix = answer
        ? say("announce_answers", { count, name: answer })
        : say("announce_many", { count, grade, name });
  }

  noteUndo(place) {
    this.#prefix = say("announce_undo", { place });
  }

  /** Announces the item on the screen, after the last step. */
  announcePlace(place, total, isBroken) {
    const words = say("announce_item", { place, total });
    this.announce(isBroken ? `${words} ${say("announce_broken")}` : words);
  }

  announce(words) {
    this.#line.textContent = `${this.#prefix} ${words}`.trim();
    this.#prefix = "";
  }

  /** Announces once that the work is not saved, not at every attempt. */
  announceTrouble(state) {
    if (state === "saving" || state === this.#state) return;
    this.#state = state;
    if (TROUBLE[state]) this.announce(say(TROUBLE[state]));
  }
}
