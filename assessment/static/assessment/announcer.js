// What is said to screen readers: what was graded and where one is, once.

const TROUBLE = {
  kept: "No connection: judgments are kept in this browser.",
  blocked: "Not saved: see the line at the top.",
};

export class Announcer {
  #line;
  #said = ""; // of the step, before the item that follows it
  #state = "saved";

  /** `line` has the role "status". */
  constructor(line) {
    this.#line = line;
  }

  /** The item at the place has a mark now. */
  note(place, name, value) {
    const button = document.querySelector(`[name=${name}][value="${CSS.escape(value)}"]`);
    if (name === "grade") this.#said = `Item ${place} graded ${value}, ${button.querySelector("span").textContent}. `;
    else this.#said = `Item ${place} cannot be judged. `;
  }

  noteUndo(place) {
    this.#said = `Taken back: item ${place} is to be judged again. `;
  }

  /** Where one is, after what was done. */
  tellPlace(words, isBroken) {
    this.tell(`Item ${words}.${isBroken ? " The picture cannot be shown." : ""}`);
  }

  tell(words) {
    this.#line.textContent = this.#said + words;
    this.#said = "";
  }

  /** Says once that the work is not saved, not at every try. */
  tellTrouble(state) {
    if (state === "saving" || state === this.#state) return;
    this.#state = state;
    if (TROUBLE[state]) this.tell(TROUBLE[state]);
  }
}
