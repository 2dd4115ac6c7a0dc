// Unfinished remarks, stored in the browser from the first letter on, as events of the outbox.

/** The drafts of one assessor. A browser without storage has no drafts; the page still has the text. */
export class Drafts {
  #prefix;

  constructor(assessor) {
    this.#prefix = `trackside-draft-${assessor}-`;
  }

  keep(event) {
    try {
      localStorage.setItem(this.#prefix + event.url, JSON.stringify(event));
    } catch {
      // storage is full or forbidden: the remark is sent when its field loses the focus
    }
  }

  drop({ url, fields }) {
    if (this.#read(this.#prefix + url)?.fields.client_uuid === fields.client_uuid) {
      localStorage.removeItem(this.#prefix + url);
    }
  }

  all() {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(this.#prefix))
      .map((name) => this.#read(name));
  }

  /** Puts every draft in the outbox, as if its page was closed. The server recognises a repeated draft by its UUID. */
  async moveTo(outbox) {
    for (const event of this.all()) {
      await outbox.add(event);
      this.drop(event);
    }
  }

  #read(name) {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  }
}
