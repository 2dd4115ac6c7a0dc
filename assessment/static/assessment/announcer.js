// Announcements for screen readers: each grade and each change of item, once.

const TROUBLE = {
  offline: "No connection: judgments are stored in this browser.",
  blocked: "Not saved: see the line at the top.",
};

export class Announcer {
  #line;
  #prefix = ""; // about the last step; precedes the announcement of the next item
  #state = "saved";

  /** `line` has the role "status". */
  constructor(line) {
    this.#line = line;
  }

  /** Notes that the item at the place was marked. */
  note(place, name, value) {
    const button = document.querySelector(`[name=${name}][value="${CSS.escape(value)}"]`);
    if (name === "grade") this.#prefix = `Item ${place} graded ${value}, ${button.querySelector("span").textContent}. `;
    else this.#prefix = `Item ${place} cannot be judged. `;
  }

  noteUndo(place) {
    this.#prefix = `Undone: item ${place} needs a judgment again. `;
  }

  /** Announces the item on the screen, after the last step. */
  announcePlace(words, isBroken) {
    this.announce(`Item ${words}.${isBroken ? " The picture cannot be shown." : ""}`);
  }

  announce(words) {
    this.#line.textContent = this.#prefix + words;
    this.#prefix = "";
  }

  /** Announces once that the work is not saved, not at every attempt. */
  announceTrouble(state) {
    if (state === "saving" || state === this.#state) return;
    this.#state = state;
    if (TROUBLE[state]) this.announce(TROUBLE[state]);
  }
}
