// Whether the work is saved, always in sight.

import { nameOf } from "./outbox.js";

const UNKEPT = "This browser does not keep it: do not close or leave this page.";

const byId = (id) => document.getElementById(id);

/** Shows what the courier told, on the page of the assignment at `base`. */
export function paintSaved({ state, count, unkeptCount, receipt, error, event }, base) {
  const warning = unkeptCount ? UNKEPT : "";
  if (state === "saving") paint("", "Saving");
  else if (state === "draft") paint("", "Comment not saved yet");
  else if (state === "kept") paint("warn", `${count} kept here, no connection`, warning);
  else if (state === "blocked") {
    paint("bad", `Not saved: ${count} kept here`, `${nameOf(event, base)}: ${error} ${warning}`);
  } else if (state === "refused") paint("bad", `Not saved: ${nameOf(event, base)}`, error);
  else {
    byId("today").textContent = receipt.today;
    if (count === 0) paint("ok", "Saved", new Date(receipt.judged_at).toLocaleTimeString([], { hourCycle: "h23" }));
  }
}

function paint(tone, words, more = "") {
  const state = document.createElement("span");
  state.className = `st ${tone}`.trim();
  state.textContent = words;
  const rest = document.createElement("span");
  rest.className = "dim n";
  rest.textContent = more;
  byId("saved").replaceChildren(state, " ", rest);
}
