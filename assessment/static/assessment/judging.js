// The judging screen. Without this script the page is a plain form that works item by item; with it the next items
// are there before they are needed, every step has a key, and judgments outlive a lost connection.

import { Courier, openOutbox } from "./outbox.js";
import { highlight } from "./highlight.js";
import { Keys } from "./keys.js";
import { Replies, areSame, repliesIn } from "./replies.js";
import { Shelf } from "./shelf.js";
import { Stopwatch } from "./stopwatch.js";

const AHEAD = 3; // items kept ready
const RETRY = 3_000; // ms until an item that could not be had is asked for again

const byId = (id) => document.getElementById(id);
const start = JSON.parse(byId("state").textContent);
const form = byId("judgment");
const settled = new Set(start.settled);
const shelf = new Shelf(start.base);
const watch = new Stopwatch();
const keys = new Keys(start.assessor, byId("key-hint"));
const replies = new Replies(form, byId("hint"));
const judgments = start.history; // own standing judgments, oldest first
let place = start.place;
let shownAt = new Date();
let isShown = true;
let isFinished = false;
const canMark = "Highlight" in window;
let hasTerms = false; // marked, until the key is pressed again

// What has been judged

/** The latest standing judgment of each place. */
const standing = () => new Map(judgments.map((judgment) => [judgment.place, judgment]));

/** Up to `count` places without a judgment, from the place on and round. */
function openPlaces(after, count) {
  const marks = standing();
  const places = [];
  for (let step = 1; step <= start.count && places.length < count; step += 1) {
    const each = ((after - 1 + step) % start.count) + 1;
    if (!marks.has(each) && !settled.has(each)) places.push(each);
  }
  return places;
}

/** Takes up an event that the outbox still holds from before this page was loaded. */
function takeUp({ url, fields, place: judged }) {
  if (!url.startsWith(start.base)) return;
  if (fields.undoes) forget(fields.undoes);
  else if (!judgments.some((each) => each.client_uuid === fields.client_uuid)) {
    judgments.push({ place: judged, client_uuid: fields.client_uuid, mark: markOf(fields), comment: fields.comment, replies: repliesIn(fields) });
  }
}

function forget(uuid) {
  const index = judgments.findIndex((judgment) => judgment.client_uuid === uuid);
  if (index >= 0) judgments.splice(index, 1);
}

const markOf = (fields) => ("grade" in fields ? Number(fields.grade) : fields.reason);

// Steps

function judge(name, value) {
  if (!isShown || (name === "grade" && !replies.areComplete())) return;
  const given = replies.given();
  const comment = byId("comment").value;
  const fields = { [name]: value, comment, ...given };
  const current = standing().get(place);
  if (current?.mark !== markOf(fields) || current.comment !== comment || !areSame(current.replies, given)) {
    const uuid = crypto.randomUUID();
    judgments.push({ place, client_uuid: uuid, mark: markOf(fields), comment, replies: given });
    post("judgment", place, {
      ...fields,
      client_uuid: uuid,
      criteria_version: form.elements.criteria_version.value,
      image_sha256: imageShown(),
      shown_at: shownAt.toISOString(),
      active_seconds: watch.read().toFixed(2),
    });
  }
  goOn();
}

/** The hash in the address of the image on the screen; empty for a text. */
const imageShown = () => byId("stage").querySelector("img")?.src.match(/[0-9a-f]{64}/)[0] ?? "";

function undo() {
  const last = judgments.pop();
  if (!last) return;
  post("undo", last.place, { undoes: last.client_uuid, client_uuid: crypto.randomUUID() });
  show(last.place);
}

function goOn() {
  const [next] = openPlaces(place, 1);
  if (next !== undefined) return show(next);
  isFinished = true;
  paintOwn();
  courier.run().then(leaveWhenSaved);
}

/** All items are judged: to their list, once nothing waits any more. */
async function leaveWhenSaved() {
  if (isFinished && (await outbox.all()).length === 0) location.assign(byId("list").href);
}

function post(what, judged, fields) {
  const event = { url: `${start.base}items/${judged}/${what}`, place: judged, fields };
  paintSaved("", "Saving", "");
  outbox.add(event).then(() => courier.run());
}

// The item on the screen

function show(next) {
  place = next;
  isShown = isFinished = false;
  const item = shelf.take(place);
  if (item) paint(item);
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

function paint({ stage, lens }) {
  closePops();
  const left = { stage: byId("stage"), lens: byId("lens") };
  left.stage.classList.remove("zoom");
  left.stage.replaceWith(stage);
  left.lens.replaceWith(lens);
  shelf.put(Number(left.stage.dataset.place), left);
  nameKeys(lens);
  isShown = true;
  shownAt = new Date();
  watch.restart();
  byId("comment").value = standing().get(place)?.comment ?? "";
  replies.show(standing().get(place)?.replies ?? {});
  byId("place").textContent = byId("announcement").textContent = `${place} of ${start.count}`;
  byId("back").href = `${start.base}items/${Math.max(place - 1, 1)}/`;
  document.title = document.title.replace(/\d+/, place);
  history.replaceState(null, "", `${start.base}items/${place}/`);
  paintTerms();
  paintOwn();
  makeReady();
}

/** Marks the words of the topic's titles in the item, if that is asked for and the browser can. */
function paintTerms() {
  const parts = [byId("stage"), byId("caption"), byId("full-text")].filter((part) => part);
  if (canMark) highlight(hasTerms ? byId("topic-title").textContent : "", parts);
}

/** Everything that follows from the own judgments: pressed keys, undo, progress, distribution. */
function paintOwn() {
  const marks = standing();
  const mark = marks.get(place)?.mark;
  for (const button of document.querySelectorAll("[name=grade], [name=reason]")) {
    button.setAttribute("aria-pressed", markOf({ [button.name]: button.value }) === mark);
  }
  const last = judgments.at(-1);
  byId("undo-last").disabled = !last;
  byId("undo-last").firstElementChild.textContent = last ? `Undo last: ${inWords(last.mark)}` : "Undo";
  byId("progress").value = start.count - openPlaces(place, start.count).length;
  paintDistribution([...marks.values()].map((judgment) => judgment.mark));
}

const inWords = (mark) => (typeof mark === "number" ? mark : "none");

/** The same arithmetic as make_distribution on the server. */
function paintDistribution(marks) {
  const own = document.querySelector(".own");
  const bars = own.querySelectorAll(".spark rect");
  const counts = own.querySelectorAll("li b");
  let from = 0;
  [...start.scale, null].forEach((grade, index) => {
    const count = marks.filter((mark) => (typeof mark === "number" ? mark : null) === grade).length;
    const width = (100 * count) / (marks.length || 1);
    bars[index].setAttribute("x", from);
    bars[index].setAttribute("width", Math.max(width - 0.4, 0));
    counts[index].textContent = count;
    from += width;
  });
  const words = [...own.querySelectorAll("li")].map((line) => line.textContent.trim()).join(", ");
  own.querySelector(".spark").setAttribute("aria-label", words);
}

async function makeReady() {
  const here = place;
  const ahead = openPlaces(here, AHEAD + 1).filter((each) => each !== here).slice(0, AHEAD);
  shelf.keep([...ahead, here - 1, judgments.at(-1)?.place]);
  const fetched = await Promise.allSettled(ahead.map((each) => shelf.fetch(each)));
  if (place !== here) return;
  const count = fetched.filter((each) => each.status === "fulfilled").length;
  byId("hint").textContent = ahead.length ? `Next ${count} ready` : "Last item";
}

// What the server said

function tell({ state, count, receipt, error, event }) {
  if (state === "saved") {
    byId("today").textContent = receipt.today;
    if (count === 0) paintSaved("ok", "Saved", new Date(receipt.judged_at).toLocaleTimeString([], { hourCycle: "h23" }));
    leaveWhenSaved();
  } else if (state === "saving") paintSaved("", "Saving", "");
  else if (state === "kept") paintSaved("warn", `${count} kept here, no connection`, "");
  else if (state === "blocked") paintSaved("bad", `Not saved: ${count} kept here`, "Sign in again and load this page anew.");
  else refuse(error, event);
}

/** The server will not take the event: the screen goes back to what stands without it. */
function refuse(error, event) {
  forget(event.fields.client_uuid);
  isFinished = false;
  paintSaved("bad", `Not saved: item ${event.place}`, error);
  paintOwn();
}

function paintSaved(tone, words, more) {
  const state = document.createElement("span");
  state.className = `st ${tone}`.trim();
  state.textContent = words;
  const rest = document.createElement("span");
  rest.className = "dim n";
  rest.textContent = more;
  byId("saved").replaceChildren(state, " ", rest);
}

// Keys, by their place on the keyboard

const letters = ["KeyA", "KeyS", "KeyD"];
const steps = {
  KeyZ: undo,
  KeyU: undo,
  KeyQ: () => byId("back").click(),
  KeyT: () => byId("list").click(),
  KeyX: () => toggle("cannot", "button"),
  KeyC: () => toggle("remark", "textarea"),
  KeyV: () => toggle("keys", "button"),
  KeyG: () => toggle("caption"),
  KeyF: () => toggle("full-text"),
  KeyB: () => toggle("instructions"),
  KeyE: () => byId("zoom")?.click(),
  KeyR: () => replies.focus(),
  KeyW: () => {
    hasTerms = !hasTerms;
    paintTerms();
  },
  Escape: closePops,
};

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const isTyping = event.target.matches("textarea, input, select");
  if (isTyping && event.key === "Escape") event.target.blur();
  if (event.target.type === "radio" && /^\d$/.test(event.key)) {
    event.preventDefault(); // the digit is not for the text field that may come next
    replies.choose(event.target, Number(event.key));
  }
  if (isTyping && event.key !== "Escape") return;
  if (!isTyping && keys.answer(event.code, () => nameKeys(document))) return event.preventDefault();
  const code = keys.meant(event.code);
  const step = buttonOf(code) ?? steps[code];
  if (!step) return;
  event.preventDefault();
  step();
}

/** The grade or reason that a key stands for; digits name reasons while those are open. */
function buttonOf(code) {
  const digit = code.match(/^(?:Digit|Numpad)(\d)$/)?.[1];
  const reasons = document.querySelectorAll("#cannot[open] [name=reason]");
  const grades = [...byId("grades").elements];
  let button = grades[letters.indexOf(code)];
  if (digit) button = reasons.length ? reasons[digit - 1] : grades.find((each) => each.value === digit);
  return button && (() => judge(button.name, button.value));
}

function toggle(id, focused) {
  const part = byId(id);
  if (!part) return;
  const isOpening = !part.open;
  if (part.matches(".pop")) closePops();
  part.open = isOpening;
  if (isOpening && focused) part.querySelector(focused).focus();
}

function closePops() {
  for (const pop of document.querySelectorAll(".pop[open]")) {
    if (pop.contains(document.activeElement)) pop.querySelector("summary").focus();
    pop.open = false;
  }
}

function zoom() {
  const isOn = byId("stage").classList.toggle("zoom");
  byId("stage").tabIndex = isOn ? 0 : -1; // arrow keys pan
  if (isOn) byId("stage").focus();
}

function onClick(event) {
  const target = event.target.closest("button, a");
  if (!target) return;
  const isOurs = target.matches("[name=grade], [name=reason], #undo-last, #back, #zoom, #terms, #move-key, #reset-keys");
  if (!isOurs || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (event.detail > 1) return; // the second half of a double click is no second judgment
  if (target.id === "undo-last") undo();
  else if (target.id === "back") show(Math.max(place - 1, 1));
  else if (target.id === "zoom") zoom();
  else if (target.id === "terms") steps.KeyW();
  else if (target.id === "move-key") keys.ask();
  else if (target.id === "reset-keys") {
    keys.reset();
    nameKeys(document);
  }
  else judge(target.name, target.value);
}

/** Puts the reader's own letters on the key caps, where the browser knows them. */
function nameKeys(part) {
  for (const cap of part.querySelectorAll("kbd")) {
    cap.dataset.key ??= cap.textContent;
    if (!/^[A-Z]$/.test(cap.dataset.key)) continue;
    const own = keys.placeOf(`Key${cap.dataset.key}`);
    cap.textContent = (layout?.get(own) ?? own.slice(-1)).toUpperCase();
  }
}

// Without https browsers lend no UUIDs; the plain form, untouched so far, works there too.
if (!window.isSecureContext) throw new Error("judging by keys needs https");
const layout = await navigator.keyboard?.getLayoutMap?.();
const outbox = await openOutbox(start.assessor);
const courier = new Courier(outbox, form.elements.csrfmiddlewaretoken.value, tell);
(await outbox.all()).forEach(takeUp);
document.addEventListener("keydown", onKey);
document.addEventListener("click", onClick);
replies.show(standing().get(place)?.replies ?? {});
byId("terms").hidden = !canMark;
byId("keys").hidden = false;
paintOwn();
makeReady();
courier.run();
nameKeys(document);
