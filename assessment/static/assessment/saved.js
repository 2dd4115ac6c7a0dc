// The line that shows whether the work is saved.

import { nameOf } from "./outbox.js";
import { say } from "./texts.js";

let latest = null; // last status of the sender, and its page
let readyCount = 0; // items stored in this browser for work without a connection

const byId = (id) => document.getElementById(id);

/** Shows a status of the sender, on the page of the assignment at `base`. */
export function paintSaved(news, base) {
  latest = [news, base];
  const { state, count, unkeptCount, receipt, error, event } = news;
  const warning = unkeptCount ? say("unkept") : "";
  if (state === "saving") paint("", say("saving"));
  else if (state === "kept" && navigator.onLine) paint("", say("kept", { count }));
  else if (state === "draft") paint("", say("draft"));
  else if (state === "offline" || state === "kept")
    paint("warn", say("stored_offline", { count }), `${readyWords()} ${warning}`);
  else if (state === "blocked") {
    paint("bad", say("stored_blocked", { count }), `${nameOf(event, base)}: ${error} ${warning}`);
  } else if (state === "refused") paint("bad", say("refused_item", { item: nameOf(event, base) }), error);
  else {
    if (receipt.today) byId("today").textContent = receipt.today;
    if (count === 0 && navigator.onLine) paint("ok", say("saved"), timeOf(receipt));
    else if (count === 0) paintOffline();
  }
}

/** Shows the number of items that are stored here. */
export function paintReady(count) {
  readyCount = count;
  if (!navigator.onLine) paintConnection();
}

/** Shows at once that the connection is lost, even if nothing waits to be sent. */
export function listenToConnection() {
  const first = [...byId("saved").childNodes];
  addEventListener("offline", paintConnection);
  addEventListener("online", () => (latest ? paintConnection() : byId("saved").replaceChildren(...first)));
  if (!navigator.onLine) paintConnection();
}

function paintConnection() {
  if (latest) paintSaved(...latest);
  else paintOffline();
}

const paintOffline = () => paint("warn", say("offline"), readyWords());
const readyWords = () => (readyCount ? say("ready_here", { count: readyCount }) : "");
const timeOf = ({ judged_at: time }) => (time ? new Date(time).toLocaleTimeString([], { hourCycle: "h23" }) : "");

function paint(tone, words, more = "") {
  const state = document.createElement("span");
  state.className = `st ${tone}`.trim();
  state.textContent = words;
  const rest = document.createElement("span");
  rest.className = "dim n";
  rest.textContent = more;
  byId("saved").replaceChildren(state, " ", rest);
}
