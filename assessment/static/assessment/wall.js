// The wall: up to 24 items of a topic at once. Without this script its cells are links to the one-item screen.

import { WallAddresses } from "./addresses.js";
import { Announcer } from "./announcer.js";
import { Drafts } from "./drafts.js";
import { listenForHelp, openHelp } from "./help.js";
import { hint } from "./hint.js";
import { History } from "./history.js";
import { ItemEvents } from "./item_events.js";
import { Keyboard } from "./keyboard.js";
import { Keys } from "./keys.js";
import { Lease } from "./lease.js";
import { Looks } from "./looks.js";
import { cellOf, Work } from "./modes.js";
import { OF_WALLS, OfflineItems } from "./offline.js";
import { Outbox } from "./outbox.js";
import { paintOwn } from "./own.js";
import { closeAll, toggle } from "./pops.js";
import { Prefetch } from "./prefetch.js";
import { Refusals } from "./refusals.js";
import { isRemark, Remarks } from "./remarks.js";
import { Replies } from "./replies.js";
import { listenToConnection, paintReady, paintSaved } from "./saved.js";
import { Sender } from "./sender.js";
import { Status } from "./status.js";
import { clickSteps, listenForClicks, pictureSteps } from "./steps.js";
import { Stopwatch } from "./stopwatch.js";
import { say } from "./texts.js";
import { closeCard, listenToCard } from "./topic_card.js";
import { TopicPicture } from "./topic_picture.js";
import { Opened, WallCells } from "./wall_cells.js";
import { WallState } from "./wall_state.js";

const SOON = 10_000; // ms after the last act until the judgments of an unfinished wall are sent

const byId = (id) => document.getElementById(id);
const start = JSON.parse(byId("state").textContent);
const form = byId("judgment");
const lowest = String(Math.min(...start.scale));
const history = new History(start);
const wall = new WallState(history, start.walls);
const addresses = new WallAddresses(start);
const status = new Status(start.status, onTopicStatus);
const prefetch = new Prefetch(addresses, () => status.ask());
const offline = new OfflineItems(start, addresses, onReady, OF_WALLS);
const watch = new Stopwatch();
const replies = new Replies(form);
const keys = new Keys(start.assessor, byId("key-hint"));
const announcer = new Announcer(byId("announcement"));
const topicPicture = new TopicPicture();
const opened = new Opened(start);
const isLeased = byId("take") !== null;
let cells = new WallCells(byId("cells"), () => paint());
let [free, shownAt, timer, wanted] = [start.free, new Date(), 0, start.place];
let [isOver, isFinished, isUnkept, isLeaving] = [false, false, false, false];

// Acts

function judge(name, value, event) {
  const isRange = event?.shiftKey && keys.mode !== "alt-shift";
  const marked = isRange ? wall.marked() : [];
  const places = marked.length ? marked : [wall.place];
  const count = act(
    places.filter((place) => name === "reason" || !cells.isBroken(place)),
    { [name]: value },
  );
  closeAll();
  if (count === undefined) return;
  announcer.note(wall.place, name, value);
  if (count > 1) announcer.noteMany(count, value);
  goOn();
}

/** Gives the lowest grade to all items in sight that have no mark, but for those whose picture cannot be shown. */
function rest() {
  const places = restPlaces();
  if (!places.length || act(places, { grade: lowest }, { is_by_rest: "on" }) === undefined) return;
  announcer.noteMany(places.length, lowest);
  goOn();
}

const restPlaces = () => wall.unset(cells.inSight()).filter((place) => !cells.isBroken(place));

/** Makes the judgments of one act; returns how many there are, undefined if none may be made. */
function act(places, mark, more = {}) {
  if (isOver || !places.length) return undefined;
  const seconds = (watch.read() / places.length).toFixed(2); // the server shares the time of a request's wall
  watch.restart();
  const made = places.map((place) => {
    const [number, cell] = cellOf(wall.walls, place);
    const fields = {
      wall: number,
      cell,
      active_seconds: seconds,
      ...(opened.has(place) && { is_opened: "on" }),
      ...more,
    };
    return events.judgment(place, mark, shownAt, { stage: cells.at(place), more: fields });
  });
  const changes = made.filter(Boolean);
  wall.note(changes.map(({ fields }) => fields.client_uuid));
  post(changes);
  closeCard();
  return changes.length;
}

function undo() {
  const judgments = isOver ? [] : wall.lastAct();
  if (!judgments.length) return;
  isFinished = false;
  post(judgments.map(() => events.undo()));
  const { place } = judgments.at(-1);
  if (judgments.length > 1) announcer.noteMany(judgments.length);
  else announcer.noteUndo(place);
  const [number] = cellOf(wall.walls, place);
  if (number && number !== wall.number) return show(number, place);
  if (number) wall.goTo(place);
  announcer.announce("");
  focus();
}

function goOn() {
  wall.advance();
  announcer.announce(wall.unset().length ? "" : say("wall_done"));
  focus();
}

function next() {
  if (wall.unset().length) return goOn();
  const number = wall.nextWall();
  if (number !== undefined) return show(number);
  isFinished = true;
  announcer.announce(say("announce_end"));
  sender.run().then(leaveWhenSaved);
}

/** Stores the events in the browser, and sends them once the wall is finished or the assessor pauses. */
async function post(made) {
  clearTimeout(timer);
  await Promise.all(made.map((event) => outbox.add(event)));
  paintSaved({ state: "kept", count: (await waiting()).length }, start.base);
  if (wall.unset().length) timer = setTimeout(() => sender.run(), SOON);
  else sender.run();
}

// The wall on the page

async function show(number, place) {
  wanted = number;
  const isWanted = () => wanted === number && !isOver;
  const onMiss = () => hint(say("wall_not_loaded", { wall: number }), { isUrgent: true });
  if (number !== Number(byId("cells").dataset.wall)) {
    const item = prefetch.take(number) ?? (await prefetch.wait(number, isWanted, onMiss));
    if (!item) return;
    prefetch.put(wall.number, { cells: byId("cells") });
    byId("cells").replaceWith(item.cells);
    cells = new WallCells(item.cells, () => paint());
  }
  begin(number, place);
}

function begin(number, place) {
  const open = new Set(history.openPlaces(0));
  const places = cells.places.filter((each) => open.has(each) || history.at(each));
  wall.show(number, places, place);
  shownAt = new Date();
  watch.restart();
  window.history.replaceState(null, "", addresses.page(number));
  document.title = `${say("wall_title", { wall: number, walls: wall.walls.length })} · Trackside`;
  announcer.announce(say("announce_wall", { wall: number, walls: wall.walls.length, count: places.length }));
  hint("");
  focus();
  prefetch.prepare(wall.openWalls(number, 1), [number - 1]);
  lease?.update(open.size, free);
}

/** Paints everything that follows from the history, and gives the cell at the cursor the focus. */
function focus() {
  paint();
  cells.at(wall.place)?.focus();
}

function paint() {
  if (isOver) return;
  const { place, number, walls } = wall;
  cells.paint({ history, place, marked: wall.marked(), opened, isTabbed: keys.mode === "off" });
  paintOwn(history, place, start);
  const total = history.count + free;
  const [left, lastAct] = [wall.unset().length, wall.lastAct().length];
  byId("place").textContent = say("place", { place: byId("progress").value, total });
  byId("wall-number").textContent = say("wall_number", { wall: number, walls: walls.length });
  if (lastAct > 1) byId("undo-last").firstElementChild.textContent = say("undo_many", { count: lastAct });
  const count = restPlaces().length;
  byId("rest").firstElementChild.textContent = say("rest", { grade: lowest, count });
  byId("rest").disabled = count === 0;
  byId("next").disabled = left > 0;
  offline.update({ history: wallHistory, remarks, place: number, free });
}

/** The history by wall, as the store for work without a connection reads that of items. */
const wallHistory = {
  openPlaces: (after, count) => wall.openWalls(after, count),
  snapshot: () => ({ ...history.snapshot(), walls: wall.walls }),
};

function onReady(count) {
  const ready = wall.openWalls(wall.number - 1, count).map((number) => wall.unset(wall.walls[number - 1]).length);
  paintReady(ready.reduce((sum, each) => sum + each, 0));
}

// What the server says

const waiting = async () => addresses.own((await outbox.look()).waiting);

function onStatus(news) {
  const { state, event, receipt } = news;
  isUnkept = news.unkeptCount > 0;
  paintSaved(news, start.base);
  announcer.announceTrouble(state);
  const [own] = event ? addresses.own([event]) : [];
  if (own && (state === "refused" || state === "blocked" || receipt?.note || isOver)) status.ask();
  if (state === "refused" || receipt?.note) refusals.add(news, start.base);
  if (own && state === "refused") {
    history.forget(own.fields.client_uuid);
    if (news.isLost) history.settle(own.place);
    isFinished = false;
  }
  if (own && news.isElsewhere) remarks.applyElsewhere(own, undefined, history);
  if (receipt?.latest_version > form.elements.criteria_version.value) byId("changed").hidden = false;
  if (own) paint();
  if (state === "saved") leaveWhenSaved();
}

/** Leaves a finished topic once everything is sent: for items shown again, the list, or the next lease. */
async function leaveWhenSaved() {
  if (!isFinished || isLeaving || !refusals.areRead || (await waiting()).length > 0) return;
  if (isLeased && free > 0) await lease.extend();
  if (!isFinished || isLeaving) return;
  isLeaving = true;
  if (isLeased) byId("take").submit();
  else location.assign(start.base);
}

/** Called when the server says why it serves no wall. */
function onTopicStatus(topicStatus) {
  if (topicStatus === "paused") hint(say("paused"), { isUrgent: true });
  if (topicStatus === "open" && isOver) location.reload();
  if (topicStatus !== "withdrawn" && topicStatus !== "ended") return;
  isOver = true;
  const panel = document.createElement("div");
  [panel.id, panel.className] = ["cells", "stage"];
  panel.append(byId(topicStatus).content.cloneNode(true));
  byId("cells").replaceWith(panel);
  byId("grades").disabled = byId("rest").disabled = byId("next").disabled = true;
  announcer.announce(byId("over-title").textContent);
}

function onExtended(counts) {
  history.setCount(counts.count);
  [free, wall.walls] = [counts.free, counts.walls];
  const number = wall.nextWall();
  if (isFinished && number !== undefined) {
    isFinished = false;
    show(number);
  }
}

// Pointer and arrows; letters and digits are those of the keyboard's steps

let pressedAt = null; // the place at the cursor when a pointer was pressed

function listenToCells() {
  document.addEventListener("pointerdown", () => {
    pressedAt = wall.place;
  });
  document.addEventListener("click", (event) => {
    const cell = event.target.closest(".cell");
    if (!cell || event.ctrlKey || event.metaKey) return;
    const place = Number(cell.dataset.place);
    const isFirst = event.detail > 0 && pressedAt !== place; // the first tap moves the cursor, a second opens the item
    if (isFirst || event.shiftKey) event.preventDefault();
    else return opened.add(place);
    wall.goTo(place, event.shiftKey);
    paint();
  });
  document.addEventListener("focusin", ({ target }) => {
    const place = Number(target.closest(".cell")?.dataset.place);
    if (!place || place === wall.place || pressedAt !== null) return;
    wall.goTo(place);
    paint();
  });
  document.addEventListener("pointerup", () => setTimeout(() => (pressedAt = null)));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || !event.target.matches("body, .cell")) return;
    const step = isOver ? undefined : cells.stepOf(event.key);
    if (step === undefined) return;
    event.preventDefault();
    wall.move(step, event.shiftKey);
    focus();
  });
}

if (!window.isSecureContext) throw new Error("judging by keys needs https");
const layout = await navigator.keyboard?.getLayoutMap?.();
const zoom = () => topicPicture.zoom;
const ofPicture = pictureSteps({ zoom, topicPicture });
const steps = {
  KeyZ: undo,
  KeyU: undo,
  KeyR: rest,
  KeyN: next,
  KeyX: () => toggle("cannot", "button"),
  KeyT: () => byId("list").click(),
  KeyK: openHelp,
  "?": openHelp,
  KeyP: ofPicture.KeyP,
  KeyF: () => toggle("full-text"),
  KeyB: () => toggle("instructions"),
  Escape: closeAll,
};
const keyboard = new Keyboard({ keys, replies, steps, pictureSteps: ofPicture, judge, layout });
const outbox = new Outbox(start.assessor);
const sender = new Sender(outbox, onStatus);
const refusals = new Refusals(byId("refused"), (read) => outbox.remove(...read).then(leaveWhenSaved));
const lease = isLeased
  ? new Lease({ address: `${start.base}lease`, watch, onExtended, isHeld: () => offline.isOn })
  : undefined;
const drafts = new Drafts(start.assessor);
const remarks = new Remarks({ said: start.said, drafts });
const events = new ItemEvents({
  form,
  addresses,
  history,
  remarks,
  replies,
  looks: new Looks(start),
  mode: new Work(),
  watch,
});
await drafts.moveTo(outbox);
const queued = await waiting();
for (const event of queued) (isRemark(event) ? remarks : history).applyQueued(event);
refusals.addKept((await outbox.look()).refused, start.base);
keyboard.listen();
listenForHelp(keys, () => {
  keyboard.nameKeys(document);
  paint();
});
listenToCard();
listenToCells();
listenForClicks({ ...clickSteps({ undo, zoom, topicPicture }), rest, next }, judge);
addEventListener("scrollend", paint, true);
addEventListener("resize", paint);
addEventListener("beforeunload", (event) => isUnkept && event.preventDefault());
addEventListener("visibilitychange", () => document.visibilityState === "hidden" && sender.run());
byId("keys").hidden = byId("grades").disabled = false;
listenToConnection();
offline.start(start.worker);
const returned = Number(location.hash.slice(1)); // the place of an item that was opened
const isGraded = queued.some(({ place }) => place === returned);
await show(start.place, returned || undefined);
if (isGraded) goOn();
else if (!wall.unset().length && !returned) next();
if (queued.length) timer = setTimeout(() => sender.run(), returned ? SOON : 0);
keyboard.nameKeys(document);
