// Comment and flag of the item on the screen: each change is an event of the outbox, with or without a grade.

const PAUSE = 1_000; // ms without a letter until a comment is sent

const NONE = { comment: "", is_flagged: false };

const areSame = (one, other) => one.comment === other.comment && one.is_flagged === other.is_flagged;

/** Whether an event of the outbox is a remark. */
export const isRemark = ({ url }) => url.endsWith("/remark");

const saidOf = ({ fields }) => ({ comment: fields.comment, is_flagged: "is_flagged" in fields });

export class Remarks {
  #said; // place -> what the server has, or will have
  #comment;
  #flag;
  #drafts;
  #make;
  #post;
  #draft = null; // the event that is being written
  #timer = 0;

  /**
   * `make(place, fields)` makes an event and `post(event)` puts it in the outbox, resolving once it is there;
   * `onDraft` is called when something is written that the outbox does not have.
   */
  constructor({ said, comment, flag, drafts, make, post, onDraft }) {
    this.#said = new Map(Object.entries(said).map(([place, words]) => [Number(place), words]));
    [this.#comment, this.#flag, this.#drafts, this.#make, this.#post] = [comment, flag, drafts, make, post];
    comment.addEventListener("input", () => {
      this.#keep();
      onDraft();
    });
    comment.addEventListener("change", () => this.commit());
    flag.addEventListener("change", () => {
      this.#keep();
      this.commit();
    });
    addEventListener("pagehide", () => this.commit());
  }

  /** Whether something is written that the outbox does not have. */
  get isPending() {
    return this.#draft !== null;
  }

  at(place) {
    return this.#said.get(place) ?? NONE;
  }

  /** Shows what is said of the place. */
  show(place) {
    this.commit();
    this.#comment.dataset.place = place;
    this.#comment.value = this.at(place).comment;
    this.#flag.checked = this.at(place).is_flagged;
  }

  /** Takes up a remark that waits in the outbox or as a draft. */
  takeUp(event) {
    this.#said.set(event.place, saidOf(event));
  }

  /** Puts what is written in the outbox, at once. */
  commit() {
    clearTimeout(this.#timer);
    const event = this.#draft;
    this.#draft = null;
    if (!event) return;
    if (areSame(saidOf(event), this.at(event.place))) return this.#drafts.drop(event);
    this.takeUp(event);
    this.#post(event).then(() => this.#drafts.drop(event));
  }

  #keep() {
    const fields = { comment: this.#comment.value.trim(), client_uuid: crypto.randomUUID() };
    if (this.#flag.checked) fields.is_flagged = "on";
    this.#draft = this.#make(Number(this.#comment.dataset.place), fields);
    this.#drafts.keep(this.#draft);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.commit(), PAUSE);
  }
}
