// Comment and flag of the item on the screen: each change is an event of the outbox, independent of a grade.

const PAUSE = 1_000; // ms without a letter until a comment is sent

const NONE = { comment: "", is_flagged: false };

const areSame = (one, other) => one.comment === other.comment && one.is_flagged === other.is_flagged;

/** Whether an event of the outbox is a remark. */
export const isRemark = ({ url }) => url.endsWith("/remark");

const remarkOf = ({ fields }) => ({ comment: fields.comment, is_flagged: "is_flagged" in fields });

export class Remarks {
  #remarks; // place -> the remark that is stored or in the outbox
  #comment;
  #flag;
  #drafts;
  #make;
  #post;
  #draft = null; // the event of the text that is being written
  #timer = 0;

  /**
   * `make(place, fields)` makes an event and `post(event)` puts it in the outbox, resolving once it is there;
   * `onDraft` is called when the text differs from that in the outbox.
   * A surface may lack the flag, or both.
   */
  constructor({ said, comment, flag, drafts, make, post, onDraft }) {
    this.#remarks = new Map(Object.entries(said).map(([place, words]) => [Number(place), words]));
    [this.#comment, this.#flag, this.#drafts, this.#make, this.#post] = [comment, flag, drafts, make, post];
    comment?.addEventListener("input", () => {
      this.#keep();
      onDraft();
    });
    comment?.addEventListener("change", () => this.commit());
    flag?.addEventListener("change", () => {
      this.#keep();
      this.commit();
    });
    addEventListener("pagehide", () => this.commit());
  }

  /** Whether there is text that is not in the outbox. */
  get isPending() {
    return this.#draft !== null;
  }

  snapshot() {
    return Object.fromEntries(this.#remarks);
  }

  at(place) {
    return this.#remarks.get(place) ?? NONE;
  }

  /** Shows the remark on the place. */
  show(place) {
    if (!this.#comment) return;
    this.commit();
    this.#comment.dataset.place = place;
    this.#comment.value = this.at(place).comment;
    if (this.#flag) this.#flag.checked = this.at(place).is_flagged;
  }

  /** Applies a remark of the outbox or of a draft. */
  applyQueued(event) {
    this.#remarks.set(event.place, remarkOf(event));
  }

  /**
   * Applies an event of another page of the browser. Without it a grade from here would replace the comment. Shows
   * the comment if it is on the item at `shown` and nothing is being written here.
   */
  applyElsewhere(event, shown) {
    if (!("comment" in event.fields)) return; // an undo
    this.applyQueued(event);
    if (event.place === shown && !this.#draft) this.show(shown);
  }

  /** Applies what the server has of items without a remark here: `{place, comment, is_flagged}`. */
  applyNews(events) {
    const unknown = events.filter(({ place }) => !this.#remarks.has(place));
    for (const { place, comment, is_flagged } of unknown) this.#remarks.set(place, { comment, is_flagged });
  }

  /** Puts the draft in the outbox at once. */
  commit() {
    clearTimeout(this.#timer);
    const event = this.#draft;
    this.#draft = null;
    if (!event) return;
    if (areSame(remarkOf(event), this.at(event.place))) return this.#drafts.drop(event);
    this.applyQueued(event);
    this.#post(event).then(() => this.#drafts.drop(event));
  }

  #keep() {
    const fields = { comment: this.#comment.value.trim(), client_uuid: crypto.randomUUID() };
    if (this.#flag?.checked) fields.is_flagged = "on";
    this.#draft = this.#make(Number(this.#comment.dataset.place), fields);
    this.#drafts.keep(this.#draft);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.commit(), PAUSE);
  }
}
