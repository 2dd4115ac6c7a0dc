// Sends what the judging screen had to keep in the browser, from the pages beside it too.

import { Courier, openOutbox } from "./outbox.js";

const note = document.getElementById("catch-up");
const outbox = await openOutbox(note.dataset.assessor);
const courier = new Courier(outbox, note.querySelector("[name=csrfmiddlewaretoken]").value, tell);

function tell({ state, count, error }) {
  if (state === "saved" && count === 0) return location.reload(); // the page's counts are older than that
  note.hidden = false;
  note.querySelector("[role=status]").textContent =
    state === "refused" ? `Not saved: ${error}` : `Not saved yet: ${count} kept in this browser.`;
}

courier.run();
