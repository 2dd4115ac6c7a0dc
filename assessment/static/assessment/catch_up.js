// Sends what the judging screen had to keep in the browser, from the pages beside it too.

import { Courier } from "./courier.js";
import { Drafts } from "./drafts.js";
import { nameOf, Outbox } from "./outbox.js";
import { Refusals } from "./refusals.js";

const note = document.getElementById("catch-up");
const refusals = new Refusals(document.getElementById("refused"), catchUp);
let isStale = false; // what the page says of the judgments is older than what was sent from it

function tell(news) {
  const { state, count, event, error } = news;
  if (state === "saved" && note.hidden) return; // sent by a judging screen, which waits for nothing
  isStale ||= state === "saved";
  if (state === "refused") refusals.add(news);
  note.hidden = count === 0;
  const reason = state === "blocked" ? ` First ${nameOf(event)}: ${error}` : "";
  note.querySelector("[role=status]").textContent = `Not saved yet: ${count} kept in this browser.${reason}`;
  catchUp();
}

/** Loads the page anew when nothing waits any more, to be sent or to be read. */
function catchUp() {
  if (isStale && note.hidden && refusals.areRead) location.reload();
}

const outbox = new Outbox(note.dataset.assessor);
await new Drafts(note.dataset.assessor).moveTo(outbox);
new Courier(outbox, tell).run();
