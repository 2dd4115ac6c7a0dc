// Sends judgments that the judging screen stored in the browser, also from the other judging pages.

import { Drafts } from "./drafts.js";
import { nameOf, Outbox } from "./outbox.js";
import { Refusals } from "./refusals.js";
import { Sender } from "./sender.js";
import { say } from "./texts.js";
import "./zone.js";

const note = document.getElementById("catch-up");
const outbox = new Outbox(note.dataset.assessor);
const refusals = new Refusals(document.getElementById("refused"), dismiss);
let isStale = false; // judgments were sent since the page was loaded

function onStatus(news) {
  const { state, count, event, error } = news;
  if (state === "added" || state === "settled") return; // on a judging screen
  if (state === "saved" && note.hidden) return; // sent by a judging screen; this page was up to date
  isStale ||= state === "saved";
  if (state === "refused" || news.receipt?.note) refusals.add(news);
  note.hidden = count === 0;
  const reason = state === "blocked" ? say("first_blocked", { item: nameOf(event), error }) : "";
  note.querySelector("[role=status]").textContent = `${say("stored_waiting", { count })} ${reason}`.trim();
  catchUp();
}

/** Conflicts stay until they are decided on the screen of their topic. */
async function dismiss(events) {
  await outbox.remove(...events.filter(({ isConflict }) => !isConflict));
  catchUp();
}

/** Reloads the page once everything is sent and all refusals are read. */
function catchUp() {
  if (isStale && note.hidden && refusals.areRead) location.reload();
}

await new Drafts(note.dataset.assessor).moveTo(outbox);
refusals.addKept((await outbox.look()).refused);
new Sender(outbox, onStatus).run();
