// The judging screen. Without this script the page is a plain form that works item by item; with it the next items
// are there before they are needed, every step has a key, and judgments outlive a lost connection.

import { Courier } from "./courier.js";
import { highlight } from "./highlight.js";
import { History, judgmentOf } from "./history.js";
import { Keyboard } from "./keyboard.js";
import { Keys } from "./keys.js";
import { baseOf, Outbox } from "./outbox.js";
import { paintOwn } from "./own.js";
import { closePops, toggle } from "./pops.js";
import { Refusals } from "./refusals.js";
import { Replies } from "./replies.js";
import { paintSaved } from "./saved.js";
import { Shelf } from "./shelf.js";
import { Stopwatch } from "./stopwatch.js";

const AHEAD = 3; // items kept ready
const RETRY = 3_000; // ms until an item that could not be had is asked for again

const byId = (id) => document.getElementById(id);
const start = JSON.parse(byId("state").textContent);
const form = byId("judgment");
const history = new History(start);
const shelf = new Shelf(start.base);
const watch = new Stopwatch();
const replies = new Replies(form, byId("hint"));
const keys = new Keys(start.assessor, byId("key-hint"));
let place = start.place;
let shownAt = new Date();
let isShown = true;
let isFinished = false;
let isUnkept = false; // whether judgments would go with the page
const canMark = "Highlight" in window;
let hasTerms = false; // marked, until the key is pressed again

// Steps

function judge(name, value) {
  if (!isShown || (name === "grade" && !replies.areComplete())) return;
  record({ [name]: value });
  goOn();
}

/** Keeps the mark with all that goes with it, unless it stands so already. */
function record(mark) {
  const fields = { ...mark, comment: byId("comment").value, ...replies.given(), client_uuid: crypto.randomUUID() };
  if (byId("flag").checked) fields.is_flagged = "on";
  if (!history.add(judgmentOf(place, fields))) return;
  post("judgment", place, {
    ...fields,
    criteria_version: form.elements.criteria_version.value,
    image_sha256: imageShown(),
    shown_at: shownAt.toISOString(),
    active_seconds: watch.read().toFixed(2),
  });
}

/** The hash in the address of the image on the screen; empty for a text. */
const imageShown = () =>
  byId("stage")
    .querySelector("img")
    ?.src.match(/[0-9a-f]{64}/)[0] ?? "";

/** A flag goes with a grade: at once with the one that stands, else with the one to come. */
function flag() {
  const mark = history.at(place)?.mark;
  if (!isShown || mark === undefined) return;
  record(typeof mark === "number" ? { grade: mark } : { reason: mark });
  paintOwn(history, place, start);
}

function undo() {
  const last = history.takeBack();
  if (!last) return;
  post("undo", last.place, { undoes: last.client_uuid, client_uuid: crypto.randomUUID() });
  show(last.place);
}

function goOn() {
  const [next] = history.openPlaces(place, 1);
  if (next !== undefined) return show(next);
  isFinished = true;
  paintOwn(history, place, start);
  courier.run().then(leaveWhenSaved);
}

const isOfThisTopic = (event) => baseOf(event) === start.base;

/** What waits of this topic, oldest first. */
const waiting = async () => (await outbox.look()).waiting.filter(isOfThisTopic);

/** All items are judged: to their list, once nothing of them waits any more, to be sent or to be read. */
async function leaveWhenSaved() {
  if (isFinished && refusals.areRead && (await waiting()).length === 0) location.assign(byId("list").href);
}

function post(what, judged, fields) {
  paintSaved({ state: "saving" });
  const topic = byId("topic-title").textContent.trim();
  outbox.add({ url: `${start.base}items/${judged}/${what}`, place: judged, topic, fields }).then(() => courier.run());
}

/** What became of an event. */
function tell(news) {
  isUnkept = news.unkeptCount > 0;
  paintSaved(news, start.base);
  if (news.state === "saved") leaveWhenSaved();
  if (news.state !== "refused") return;
  refusals.add(news, start.base);
  if (isOfThisTopic(news.event)) takeBack(news);
}

/** What the server will not take is forgotten: what stood before it stands again. */
function takeBack({ event, isLost }) {
  history.forget(event.fields.client_uuid);
  if (isLost) history.settle(event.place);
  isFinished = false;
  paintOwn(history, place, start);
}

// The item on the screen

function show(next) {
  place = next;
  isShown = isFinished = false;
  const item = shelf.take(place);
  if (item) paint(item);
  else if (place === Number(byId("stage").dataset.place)) begin();
  else waitFor(place);
}

async function waitFor(wanted) {
  byId("hint").textContent = `Item ${wanted} is on its way`;
  try {
    await shelf.fetch(wanted);
  } catch {
    byId("hint").textContent = `Item ${wanted} cannot be had now; trying again`;
    setTimeout(() => place === wanted && !isShown && waitFor(wanted), RETRY);
    return;
  }
  if (place === wanted && !isShown) paint(shelf.take(wanted));
}

/** Puts an item on the screen; who was in the one before is in this one then. */
function paint({ stage, lens }) {
  closePops();
  const left = { stage: byId("stage"), lens: byId("lens") };
  const isInside = left.stage.contains(document.activeElement) || left.lens.contains(document.activeElement);
  left.stage.classList.remove("zoom");
  left.stage.replaceWith(stage);
  left.lens.replaceWith(lens);
  if (isInside) stage.focus({ preventScroll: true });
  shelf.put(Number(left.stage.dataset.place), left);
  keyboard.nameKeys(lens);
  begin();
}

/** The item on the screen is to be judged, for the first time or again. */
function begin() {
  isShown = true;
  shownAt = new Date();
  watch.restart();
  paintInputs();
  byId("place").textContent = byId("announcement").textContent = `${place} of ${start.count}`;
  byId("back").href = `${start.base}items/${Math.max(place - 1, 1)}/`;
  document.title = document.title.replace(/\d+/, place);
  window.history.replaceState(null, "", `${start.base}items/${place}/`);
  paintTerms();
  paintOwn(history, place, start);
  makeReady();
}

/** What goes with the grade that stands, to be seen and changed. */
function paintInputs() {
  const own = history.at(place);
  byId("comment").value = own?.comment ?? "";
  byId("flag").checked = own?.is_flagged ?? false;
  replies.show(own?.replies ?? {});
}

/** Marks the words of the topic's titles in the item, if that is asked for and the browser can. */
function paintTerms() {
  const parts = [byId("stage"), byId("caption"), byId("full-text")].filter((part) => part);
  if (canMark) highlight(hasTerms ? byId("topic-title").textContent : "", parts);
}

async function makeReady() {
  const here = place;
  const ahead = history
    .openPlaces(here, AHEAD + 1)
    .filter((each) => each !== here)
    .slice(0, AHEAD);
  shelf.keep([...ahead, here - 1, history.last()?.place]);
  const fetched = await Promise.allSettled(ahead.map((each) => shelf.fetch(each)));
  if (place !== here) return;
  const count = fetched.filter((each) => each.status === "fulfilled").length;
  byId("hint").textContent = ahead.length ? `Next ${count} ready` : "Last item";
}

// Keys and buttons

function zoom() {
  const isOn = byId("stage").classList.toggle("zoom");
  byId("stage").tabIndex = isOn ? 0 : -1; // arrow keys pan
  if (isOn) byId("stage").focus();
}

function toggleTerms() {
  hasTerms = !hasTerms;
  paintTerms();
}

function resetKeys() {
  keys.reset();
  keyboard.nameKeys(document);
}

const steps = {
  KeyZ: undo,
  KeyU: undo,
  KeyQ: () => byId("back").click(),
  KeyT: () => byId("list").click(),
  KeyX: () => toggle("cannot", "button"),
  KeyC: () => toggle("remark", "textarea"),
  KeyV: () => byId("flag").click(),
  KeyK: () => toggle("keys", "button"),
  KeyG: () => toggle("caption"),
  KeyF: () => toggle("full-text"),
  KeyB: () => toggle("instructions"),
  KeyE: () => byId("zoom")?.click(),
  KeyR: () => replies.focus(),
  KeyW: toggleTerms,
  Escape: closePops,
};

const clicks = {
  "undo-last": undo,
  back: () => show(Math.max(place - 1, 1)),
  zoom,
  terms: toggleTerms,
  "move-key": () => keys.ask(),
  "reset-keys": resetKeys,
};

function onClick(event) {
  const target = event.target.closest("button, a");
  const isMark = target?.matches("[name=grade], [name=reason]");
  const step = isMark ? () => judge(target.name, target.value) : clicks[target?.id];
  if (!step || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (event.detail <= 1) step(); // the second half of a double click is no second judgment
}

// Without https browsers lend no UUIDs; the plain form, untouched so far, works there too.
if (!window.isSecureContext) throw new Error("judging by keys needs https");
const layout = await navigator.keyboard?.getLayoutMap?.();
const keyboard = new Keyboard({ keys, replies, steps, judge, layout });
const outbox = new Outbox(start.assessor);
const courier = new Courier(outbox, tell);
const refusals = new Refusals(byId("refused"), leaveWhenSaved);
for (const event of await waiting()) history.takeUp(event);
keyboard.listen();
document.addEventListener("click", onClick);
byId("flag").addEventListener("change", flag);
addEventListener("beforeunload", (event) => isUnkept && event.preventDefault());
byId("terms").hidden = !canMark;
byId("keys").hidden = false;
paintInputs();
paintOwn(history, place, start);
makeReady();
courier.run();
keyboard.nameKeys(document);
replies.nameDigits();
