// The topic's picture, enlarged in a dialog with the wheel, fingers and keys of the item's picture.

import { layOutLong } from "./long_picture.js";
import { nextPicture } from "./picture.js";
import { Zoom } from "./zoom.js";

const byId = (id) => document.getElementById(id);

export class TopicPicture {
  #dialog = byId("topic-picture");
  #stage = byId("topic-stage");
  #zoom = new Zoom(byId("topic-fact"));

  constructor() {
    byId("close-picture").addEventListener("click", () => this.#dialog.close());
  }

  get isOpen() {
    return this.#dialog.open;
  }

  get zoom() {
    return this.#zoom;
  }

  /** Opens the picture of the topic on the screen, or closes it; returns false if the topic has none. */
  toggle() {
    if (this.isOpen) return this.#dialog.close();
    const copies = [...byId("topic").querySelectorAll(".body img")].map((image) => image.cloneNode());
    if (!copies.length) return false;
    for (const copy of copies.slice(1)) copy.hidden = true;
    this.#stage.className = "stage";
    this.#stage.replaceChildren(...copies);
    layOutLong(this.#stage);
    this.#dialog.showModal();
    this.#zoom.show(this.#stage);
    this.#stage.focus();
  }

  /** Shows the next picture of the topic; returns false if it has one alone. */
  next() {
    if (!nextPicture(this.#stage)) return false;
    this.#zoom.show(this.#stage);
  }
}
