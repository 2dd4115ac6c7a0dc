// Whether the work is saved, always in sight.

const byId = (id) => document.getElementById(id);

/** Shows what the courier told. */
export function paintSaved({ state, count, receipt, error, event }) {
  if (state === "saving") paint("", "Saving");
  else if (state === "kept") paint("warn", `${count} kept here, no connection`);
  else if (state === "blocked") paint("bad", `Not saved: ${count} kept here`, "Sign in again and load this page anew.");
  else if (state === "refused") paint("bad", `Not saved: item ${event.place}`, error);
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
